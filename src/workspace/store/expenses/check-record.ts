import { AppError, InternalError } from '../../../core/errors.ts'
import {
  ACCOUNT_TYPES,
  BILL_KINDS,
  BILL_STATUSES,
  type BillPaymentRecord,
  type BillRecord,
  type DeletedRecord,
  type ExpenseRecord,
  PAYMENT_TYPES,
  type PurchaseRecord,
} from '../../../core/expense.ts'
import { isDay } from '../../../core/periods.ts'
import { isStorable } from '../../../core/text.ts'

const ID_LENGTH = 128
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const CURRENCY = /^[A-Z]{3}$/
const RATE = /^\d{1,20}(\.\d{1,18})?$/

/**
 * Checks a record before anything is written. AppError `canonical_enum_violation` for a value outside its canonical set. Null
 * means unknown and is allowed. InternalError if a translator has produced an impossible record.
 */
export function checkRecord(record: ExpenseRecord | DeletedRecord): void {
  const fault = faultOf(record)
  if (fault !== undefined) throw new InternalError(`${record.kind} ${JSON.stringify(record.external_id)}: ${fault}`)
  if ('is_deleted' in record) checkEnums(record)
}

function checkEnums(record: ExpenseRecord): void {
  if (record.kind === 'account') checkEnum('account', 'account_type', record.account_type, ACCOUNT_TYPES)
  if (record.kind === 'bill') {
    checkEnum('bill', 'status', record.status, BILL_STATUSES)
    if (!BILL_KINDS.includes(record.bill_kind)) throw violation('bill', 'bill_kind', record.bill_kind, BILL_KINDS)
  }
  if (record.kind === 'expense' || record.kind === 'bill_payment') {
    checkEnum(record.kind, 'payment_type', record.payment_type, PAYMENT_TYPES)
  }
}

function checkEnum(relation: string, column: string, value: string | null, known: readonly string[]): void {
  if (value !== null && !known.includes(value)) throw violation(relation, column, value, known)
}

function violation(relation: string, column: string, value: string | null, known: readonly string[]): AppError {
  const detail = `${relation}.${column} is ${JSON.stringify(value)}. Allowed: ${known.join(', ')}.`
  return new AppError('canonical_enum_violation', detail, { context: { relation, column, value } })
}

function faultOf(record: ExpenseRecord | DeletedRecord): string | undefined {
  if (!isId(record.external_id)) return 'its id cannot be stored'
  if (!INSTANT.test(record.updated_at)) return 'updated_at is no instant'
  if (!('is_deleted' in record)) return undefined
  switch (record.kind) {
    case 'vendor':
      return undefined
    case 'account':
      return isIdOrNull(record.parent_external_id) ? undefined : 'the id of its parent cannot be stored'
    case 'item':
      return isIdOrNull(record.account_external_id) ? undefined : 'the id of its account cannot be stored'
    case 'bill':
      if (!isCents(record.balance_cents)) return 'balance_cents is no number of cents'
      if (record.due_date !== null && !isDay(record.due_date)) return 'due_date is no day'
      return documentFault(record, record.document_date, record.total_cents) ?? linesFault(record)
    case 'expense':
      return documentFault(record, record.document_date, record.total_cents) ?? linesFault(record)
    case 'bill_payment':
      return documentFault(record, record.payment_date, record.amount_cents)
  }
}

function documentFault(record: BillRecord | PurchaseRecord | BillPaymentRecord, day: string, cents: number): string | undefined {
  if (!isDay(day)) return 'its date is no day'
  if (!isCents(cents)) return 'its amount is no number of cents'
  if (!CURRENCY.test(record.currency)) return 'its currency is no code'
  if (record.home_currency !== null && !CURRENCY.test(record.home_currency)) return 'its home currency is no code'
  if (record.exchange_rate !== null && !RATE.test(record.exchange_rate)) return 'its exchange rate is no decimal'
  if (!isIdOrNull(record.vendor_external_id)) return 'the id of its vendor cannot be stored'
  return undefined
}

function linesFault({ lines }: BillRecord | PurchaseRecord): string | undefined {
  const ids = new Set<string>()
  for (const line of lines) {
    if (!isId(line.line_id)) return 'the id of a line cannot be stored'
    if (ids.has(line.line_id)) return `it has two lines ${JSON.stringify(line.line_id)}`
    ids.add(line.line_id)
    if (!isCents(line.amount_cents)) return `the amount of line ${JSON.stringify(line.line_id)} is no number of cents`
    if (!isIdOrNull(line.account_external_id)) return 'the id of an account cannot be stored'
    if (!isIdOrNull(line.item_external_id)) return 'the id of an item cannot be stored'
  }
  return undefined
}

// MySQL treats texts as equal if they differ only in trailing blanks.
function isId(id: string): boolean {
  return id !== '' && id.length <= ID_LENGTH && isStorable(id) && !id.endsWith(' ')
}

function isIdOrNull(id: string | null): boolean {
  return id === null || isId(id)
}

function isCents(cents: number): boolean {
  return Number.isSafeInteger(cents)
}

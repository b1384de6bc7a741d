import { currencyDigits } from '../../../core/currency.ts'
import {
  ACCOUNT_TYPES,
  type AccountType,
  BILL_STATUSES,
  type BillStatus,
  LINE_DIMENSIONS,
  type LineDimensions,
  PAYMENT_TYPES,
  type PaymentType,
} from '../../../core/expense.ts'
import { centsOf } from '../../../core/money.ts'
import { isDay } from '../../../core/periods.ts'
import { isStorable } from '../../../core/text.ts'
import { type CsvRow, withPoint } from '../../csv/records.ts'

export const REQUIRED = ['id', 'date', 'vendor', 'account', 'account_type', 'amount', 'currency'] as const
export const OPTIONAL = [
  'kind',
  'status',
  'payment_type',
  'line_id',
  'description',
  'due_date',
  'balance',
  ...LINE_DIMENSIONS,
] as const
type ExpenseColumn = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

const FIRST_DAY = '1900-01-01'
const ID_LENGTH = 128
const NAME_LENGTH = 500
const KINDS = ['bill', 'expense'] as const
type Kind = (typeof KINDS)[number]

const COMMA_HINT = '; with exactly three decimals it needs a point'

/** A problem with one cell of a row. */
export interface ExpenseProblem {
  readonly row: number
  readonly column: ExpenseColumn
  readonly value: string
  readonly reason: string
}

/** One line of a bill or an expense from a file. Amounts are in cents. `balance_cents` is null if the file has no balance. */
export interface ExpenseRow {
  readonly row: number
  readonly id: string
  readonly kind: Kind
  readonly date: string
  readonly due_date: string | null
  readonly vendor: string | null
  readonly account: string | null
  readonly account_type: AccountType | null
  readonly amount_cents: number
  readonly balance_cents: number | null
  readonly currency: string
  readonly status: BillStatus | null
  readonly payment_type: PaymentType | null
  readonly line_id: string | null
  readonly description: string | null
  readonly dimensions: LineDimensions
}

/** Reads a row and reports all problems. If a problem was reported, the result is not valid. */
export function readExpenseRow({ row, cell, separator }: CsvRow, report: (problem: ExpenseProblem) => void): ExpenseRow {
  const fail = (column: ExpenseColumn, reason: string) => report({ row, column, value: cell(column), reason })
  const text = (column: ExpenseColumn, most: number): string | null => {
    const value = cell(column)
    if (value.length > most) fail(column, `may have ${most} characters at most`)
    if (!isStorable(value)) fail(column, 'must not contain the character 0 or half a surrogate pair')
    return value === '' ? null : value
  }
  const word = <Word extends string>(column: ExpenseColumn, known: readonly Word[]): Word | null => {
    const value = cell(column)
    const found = known.find((one) => one === value)
    if (found === undefined && value !== '') fail(column, `must be one of ${known.join(', ')}, or empty`)
    return found ?? null
  }
  const day = (column: ExpenseColumn): string => {
    const value = cell(column)
    if (!isDay(value) || value < FIRST_DAY) fail(column, `must be a day YYYY-MM-DD from ${FIRST_DAY} on`)
    return value
  }
  const currency = cell('currency')
  const isCurrency = /^[A-Z]{3}$/.test(currency)
  if (!isCurrency) fail('currency', 'must be a currency code of three capital letters')
  const money = (column: ExpenseColumn): number => {
    const digits = isCurrency ? currencyDigits(currency) : 2
    const value = withPoint(cell(column), separator)
    const [isNumber, decimals = ''] = /^-?\d{1,13}(?:\.(\d+))?$/.exec(value) ?? []
    // Trailing zeros do not change the amount.
    const isRead = isNumber !== undefined && decimals.replace(/0+$/, '').length <= digits
    if (isRead) return centsOf(value)
    const most = `at most ${digits} decimals${isCurrency ? ` in ${currency}` : ''}`
    fail(
      column,
      `must be a decimal number such as -1234.5, with ${most} and no separators of thousands${separator === ',' ? '' : COMMA_HINT}`,
    )
    return 0
  }
  const id = text('id', ID_LENGTH)
  if (id === null) fail('id', 'must not be empty')
  const kind = word('kind', KINDS) ?? 'expense'
  const status = word('status', BILL_STATUSES)
  const payment_type = word('payment_type', PAYMENT_TYPES)
  if (kind === 'expense' && status !== null && status !== 'voided') fail('status', 'must be voided or empty for an expense')
  for (const column of ['due_date', 'balance'] as const) {
    if (kind === 'expense' && cell(column) !== '') fail(column, 'must be empty for an expense')
  }
  if (kind === 'bill' && payment_type !== null) fail('payment_type', 'must be empty for a bill')
  if (status === 'partial' && cell('balance') === '') fail('balance', 'must give the amount still owed on a partial bill')
  return {
    row,
    id: id ?? '',
    kind,
    date: day('date'),
    due_date: cell('due_date') === '' ? null : day('due_date'),
    vendor: text('vendor', ID_LENGTH),
    account: text('account', ID_LENGTH),
    account_type: word('account_type', ACCOUNT_TYPES),
    amount_cents: money('amount'),
    balance_cents: cell('balance') === '' ? null : money('balance'),
    currency,
    status,
    payment_type,
    line_id: text('line_id', ID_LENGTH),
    description: text('description', NAME_LENGTH * 8),
    dimensions: Object.fromEntries(
      LINE_DIMENSIONS.flatMap((dimension) => {
        const name = text(dimension, NAME_LENGTH)
        return name === null ? [] : [[dimension, name]]
      }),
    ),
  }
}

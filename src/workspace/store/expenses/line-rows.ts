import type { BillRecord, ExpenseLine, PurchaseRecord } from '../../../core/expense.ts'
import { roundFraction } from '../../../core/money.ts'
import { longText, nameText, type StoredRow } from './record-rows.ts'

export type LinedRecord = BillRecord | PurchaseRecord

/** The rows of a document's lines; `accounts` has those of the items that are known. */
export function lineRows(
  bookId: number,
  record: LinedRecord,
  isDeleted: boolean,
  accounts: ReadonlyMap<string, string | null>,
): readonly StoredRow[] {
  const { document_date, currency, home_currency, vendor_external_id } = record
  const ofDocument = {
    book_id: bookId,
    document_kind: record.kind,
    document_external_id: record.external_id,
    document_date,
    currency,
    home_currency,
    vendor_external_id,
    is_counted: !isDeleted && !isVoided(record),
  }
  return record.lines.map((line, position) => ({
    ...ofDocument,
    line_id: line.line_id,
    position,
    account_external_id: accountOf(line, accounts),
    item_external_id: line.item_external_id,
    amount_cents: line.amount_cents,
    home_amount_cents: homeCents(line.amount_cents, record),
    class: textOrNull(line.dimensions.class),
    department: textOrNull(line.dimensions.department),
    project: textOrNull(line.dimensions.project),
    description: line.description === null ? null : longText(line.description),
    metadata: JSON.stringify(line.metadata),
  }))
}

/** Cents of the home currency at the document's own rate, rounded half away from zero; null where the platform gave none. */
export function homeCents(
  cents: number,
  { currency, home_currency, exchange_rate }: Pick<LinedRecord, 'currency' | 'home_currency' | 'exchange_rate'>,
): number | null {
  if (home_currency === null) return null
  if (home_currency === currency) return cents
  if (exchange_rate === null) return null
  const [whole = '', decimals = ''] = exchange_rate.split('.')
  return roundFraction(BigInt(cents) * BigInt(whole + decimals), 10n ** BigInt(decimals.length), 0)
}

// An item that is not known yet leaves the line on its own account, and takes it over once it comes.
function accountOf({ item_external_id, account_external_id }: ExpenseLine, accounts: ReadonlyMap<string, string | null>) {
  const known = item_external_id === null ? undefined : accounts.get(item_external_id)
  return known === undefined ? account_external_id : known
}

function isVoided(record: LinedRecord): boolean {
  return record.kind === 'bill' ? record.status === 'voided' : record.is_voided
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : nameText(text)
}

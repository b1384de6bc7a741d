import type { Knex } from 'knex'
import { chunksOf } from '../../../core/batches.ts'
import type { BillRecord, ExpenseLine, ExpenseRecord, PurchaseRecord } from '../../../core/expense.ts'
import { roundFraction } from '../../../core/money.ts'
import { textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { engineOf } from '../database.ts'
import { inLedger, insertRows, type LedgerScope, longText, nameText, type StoredRow } from './record-rows.ts'

const LINE_IDENTITY = ['book_id', 'document_kind', 'document_external_id', 'line_id']

/** Removes the lines of these documents before new ones are written. */
export async function removeLines(ledger: LedgerScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || (ledger.kind !== 'bill' && ledger.kind !== 'expense')) return
  await changeLines(ledger, linesOf(ledger, ids), (lines) => lines.delete())
}

/** Writes the lines of documents that have no stored lines. */
export async function writeLines(
  ledger: LedgerScope,
  written: readonly { readonly record: ExpenseRecord; readonly deletedAt: string | undefined }[],
): Promise<void> {
  const lined = written.flatMap(({ record, deletedAt }) =>
    isLined(record) ? [{ record, isDeleted: record.is_deleted || deletedAt !== undefined }] : [],
  )
  const accounts = await accountsOfItems(
    ledger,
    lined.flatMap(({ record }) => record.lines.flatMap(({ item_external_id }) => item_external_id ?? [])),
  )
  const rows = lined.flatMap(({ record, isDeleted }) => lineRows(ledger.ledgerId, record, isDeleted, accounts))
  await insertRows(ledger.database, ledger.transaction, 'document_line', rows, LINE_IDENTITY)
  const ids = lined.flatMap(({ record, isDeleted }) => (isDeleted ? [] : [record.external_id]))
  if (ids.length > 0) await countLines(ledger, linesOf(ledger, ids))
}

/** Selects the lines of these documents. */
export function linesOf({ kind }: LedgerScope, ids: readonly string[]): Changing {
  return (lines) => lines.where({ document_kind: kind }).whereIn('document_external_id', ids)
}

function isLined(record: ExpenseRecord): record is LinedRecord {
  return record.kind === 'bill' || record.kind === 'expense'
}

type LinedRecord = BillRecord | PurchaseRecord

/** The rows of a document's lines. `accounts` has the accounts of known items. */
function lineRows(
  ledgerId: number,
  record: LinedRecord,
  isDeleted: boolean,
  accounts: ReadonlyMap<string, string | null>,
): readonly StoredRow[] {
  const { document_date, currency, home_currency, vendor_external_id } = record
  const ofDocument = {
    book_id: ledgerId,
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

/** Cents of the home currency at the document's own rate, rounded half away from zero. Null if the platform gave no rate. */
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

// The line has its own account until its item arrives. Then it moves to the item's account.
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

const TOTAL_IDENTITY = ['book_id', 'document_date', 'account_external_id', 'currency', 'home_currency']
/** The measures that are summed over lines. */
const MEASURES = {
  amount_sum: 'amount_cents',
  home_sum: 'coalesce(home_amount_cents, 0)',
  line_count: '1',
  nonzero_count: 'case when amount_cents <> 0 then 1 else 0 end',
  unhomed_count: 'case when amount_cents <> 0 and home_amount_cents is null then 1 else 0 end',
} as const

/** Narrows the lines of a source to those that change. */
type Changing = (lines: Knex.QueryBuilder) => Knex.QueryBuilder

/** Changes stored lines of a source and their totals. */
export async function changeLines(
  ledger: LedgerScope,
  changing: Changing,
  change: (lines: Knex.QueryBuilder) => PromiseLike<unknown>,
) {
  await addToTotals(ledger, changing, -1)
  await change(changing(inLedger(ledger, 'document_line')))
  await addToTotals(ledger, changing, 1)
}

/** Adds lines that were just written to their totals. */
async function countLines(ledger: LedgerScope, written: Changing): Promise<void> {
  await addToTotals(ledger, written, 1)
}

async function addToTotals(ledger: LedgerScope, changing: Changing, sign: 1 | -1): Promise<void> {
  const { database, transaction } = ledger
  const keys = TOTAL_IDENTITY.map((column) =>
    column.startsWith('account') || column.startsWith('home') ? `coalesce(${column}, '') as ${column}` : column,
  )
  const sums = Object.entries(MEASURES).map(([name, measure]) => `${sign === 1 ? '' : '-'}sum(${measure}) as ${name}`)
  const added = changing(inLedger(ledger, 'document_line'))
    // The expression prevents the use of an index. With the index, SQLite would read all counted lines instead of the lines of a
    // few documents.
    .whereRaw('case when is_counted then 1 else 0 end = 1')
    .select(transaction.raw([...keys, ...sums].join(', ')))
    .groupBy(TOTAL_IDENTITY)
  const names = Object.keys(MEASURES)
  const merged =
    engineOf(transaction) === 'mysql'
      ? `on duplicate key update ${names.map((name) => `${name} = line_total.${name} + values(${name})`).join(', ')}`
      : `on conflict (${TOTAL_IDENTITY.join(', ')}) do update set ${names.map((name) => `${name} = line_total.${name} + excluded.${name}`).join(', ')}`
  const { schema } = database
  const target = schema === undefined ? transaction.ref('line_total') : transaction.ref('line_total').withSchema(schema)
  const { sql, bindings } = added.toSQL()
  const columns = [...TOTAL_IDENTITY, ...names].join(', ')
  await transaction.raw(`insert into ?? (${columns}) ${sql} ${merged}`, [target, ...bindings])
}

const ITEMS_AT_ONCE = 500

/** The accounts of the known items. Null for an item without an account. */
async function accountsOfItems(ledger: LedgerScope, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const accounts = new Map<string, string | null>()
  for (const chunk of chunksOf([...new Set(ids)], ITEMS_AT_ONCE)) {
    const rows: Row[] = await inLedger(ledger, 'item').whereIn('external_id', chunk).select('external_id', 'account_external_id')
    for (const row of rows) accounts.set(textOf(row, 'external_id'), textCell(row, 'account_external_id'))
  }
  return accounts
}

/** Moves the lines of these items to the items' current accounts. */
export async function applyItems(ledger: LedgerScope, written: readonly { readonly record: ExpenseRecord }[]): Promise<void> {
  const items = new Map(written.flatMap(({ record }) => (record.kind === 'item' ? [[record.external_id, record] as const] : [])))
  const lines = inLedger(ledger, 'document_line').whereIn('item_external_id', [...items.keys()])
  const used: Row[] = await lines.distinct('item_external_id')
  for (const row of used) {
    const item_external_id = textOf(row, 'item_external_id')
    const account_external_id = items.get(item_external_id)?.account_external_id ?? null
    const named: Changing = (all) => all.where({ item_external_id })
    await changeLines(ledger, named, (all) => all.update({ account_external_id }))
  }
}

import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { isTrue } from '../../../../../src/connector-kit/index.ts'
import { type Amount, readAmount } from './amount.ts'
import { groupBy } from './group.ts'

/** Link of a child's invoice to the invoice of the account that pays it. */
export interface ParentLink {
  readonly parent_invoice_id: string
  readonly child_invoice_id: string
}

/** Rows that show which invoice of a parent has an invoice of a child. The rows may be more, also of other accounts. */
export interface FamilyRows {
  readonly links: readonly Row[]
  readonly accounts: readonly Row[]
  readonly invoices: readonly Row[]
  readonly invoice_history: readonly Row[]
  readonly invoice_items: readonly Row[]
}

/** The same rows, looked up. */
interface Family {
  readonly accounts: readonly Row[]
  readonly invoicesOf: (account: string) => readonly Row[]
  readonly itemsOf: (invoice: Row) => readonly Row[]
  readonly historyOf: (invoice: Row) => readonly Row[]
}

const CHARGES = ['TAX', 'EXTERNAL_CHARGE', 'FIXED', 'USAGE', 'RECURRING']

/** An invoice of a child at the instant at which the engine told the parent of it. */
export interface Told {
  readonly row: Row
  readonly at: string
  readonly amount: Amount
}

const text = (cell: unknown): string => String(cell).slice(0, 19)
const dayOf = (cell: unknown): string => String(cell).slice(0, 10)
const sum = (rows: readonly Row[]): Amount => rows.reduce((total, row) => total + amountOf(row), 0n)

/** Amounts that have been read. A property asks for the links of the same rows thousands of times. */
const read = new WeakMap<Row, Amount>()

function amountOf(row: Row): Amount {
  const amount = read.get(row) ?? readAmount(String(row['amount']))
  read.set(row, amount)
  return amount
}

/**
 * The links of the engine, and those that it left out (KB 8.7). It adds each later invoice of a child to the item of the parent's draft, as long
 * as that is a draft, and links the first only. An item proves its invoices if it adds up to the cent.
 */
export function parentLinks(rows: FamilyRows, now: string): readonly ParentLink[] {
  const linked = rows.links.map((row) => ({
    parent_invoice_id: String(row['parent_invoice_id']),
    child_invoice_id: String(row['child_invoice_id']),
  }))
  const found = provenItems(rows, now).flatMap(({ parent_invoice_id, fitting }) =>
    fitting.filter(({ amount }) => amount > 0n).map(({ row }) => ({ parent_invoice_id, child_invoice_id: String(row['id']) })),
  )
  return [...linked, ...found]
}

/** An item of a parent's invoice for a child that adds up, with the invoices that it has. */
export interface ProvenItem {
  readonly parent_invoice_id: string
  readonly to: string
  readonly linked: readonly Told[]
  readonly fitting: readonly Told[]
}

/** The items of parents that are the sum of invoices to the cent. */
export function provenItems(rows: FamilyRows, now: string): readonly ProvenItem[] {
  if (rows.links.length === 0) return []
  const parentOf = new Map(rows.links.map((row) => [String(row['child_invoice_id']), String(row['parent_invoice_id'])]))
  const invoices = new Map(rows.invoices.map((row) => [String(row['id']), row]))
  const children = new Set([...parentOf.keys()].map((id) => String(invoices.get(id)?.['account_record_id'])))
  const byInvoice = groupBy(rows.invoice_items, (item) => String(item['invoice_id']))
  const byNumber = groupBy(rows.invoice_history, (entry) => String(entry['target_record_id']))
  const byAccount = groupBy(rows.invoices, (row) => String(row['account_record_id']))
  const family: Family = {
    accounts: rows.accounts,
    invoicesOf: (account) => byAccount.get(account) ?? [],
    itemsOf: ({ id }) => byInvoice.get(String(id)) ?? [],
    historyOf: ({ record_id }) => byNumber.get(String(record_id)) ?? [],
  }
  return [...children].flatMap((child) => {
    const told = toldOf(child, family, now)
    const windows = windowsOf(told, family, { child, parentOf, invoices })
    const loose = told.filter(({ row }) => !parentOf.has(String(row['id'])))
    const placed = loose.map((one) => ({ one, window: windowOf(one, windows) }))
    return windows.flatMap((window): readonly ProvenItem[] => {
      const { id, to, linked } = window
      const fitting = placed.flatMap((place) => (place.window === window ? [place.one] : []))
      const total = [...linked, ...fitting].reduce((all, { amount }) => all + amount, window.adjusted)
      return total === window.amount ? [{ parent_invoice_id: id, to, linked, fitting }] : []
    })
  })
}

/** The invoices that a child's account had when the engine told its parent of them. */
function toldOf(child: string, { invoicesOf, itemsOf, historyOf }: Family, now: string): readonly Told[] {
  return invoicesOf(child).flatMap((row): readonly Told[] => {
    if (isTrue(row['parent_invoice']) || text(row['created_date']) > now) return []
    if (row['status'] !== 'COMMITTED' && row['status'] !== 'VOID') return []
    const { wasDraft, committed } = draftOf(historyOf(row))
    const at = committed ?? (wasDraft && row['status'] === 'VOID' ? null : text(row['created_date']))
    if (at === null) return []
    const items = itemsOf(row).filter((item) => text(item['created_date']) <= at)
    if (items.length === 0) return []
    const isCharged = items.some(({ type }) => CHARGES.includes(String(type)))
    return [{ row, at, amount: isCharged ? sum(items) : -sum(items.filter(({ type }) => type === 'CBA_ADJ')) }]
  })
}

function draftOf(own: readonly Row[]) {
  const wasDraft = own.some(({ status }) => status === 'DRAFT')
  const commits = own.filter(({ status }) => status === 'COMMITTED').map((entry) => text(entry['created_date']))
  return { wasDraft, committed: wasDraft ? (commits.sort()[0] ?? null) : null }
}

/** An item of a parent's invoice for a child, and the time in which the engine added to it. */
interface Window {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly amount: Amount
  readonly linked: readonly Told[]
  /** Adjustments of the linked invoices before the commit. */
  readonly adjusted: Amount
}

function windowsOf(
  told: readonly Told[],
  { accounts, itemsOf, historyOf }: Family,
  at: {
    readonly child: string
    readonly parentOf: ReadonlyMap<string, string>
    readonly invoices: ReadonlyMap<string, Row>
  },
): readonly Window[] {
  const id = accounts.find((row) => String(row['record_id']) === at.child)?.['id']
  const parents = new Set(told.flatMap(({ row }) => at.parentOf.get(String(row['id'])) ?? []))
  return [...parents].flatMap((parent): readonly Window[] => {
    const row = at.invoices.get(parent)
    if (row === undefined) return []
    const items = itemsOf(row).filter((item) => item['type'] === 'PARENT_SUMMARY' && item['child_account_id'] === id)
    if (items.length === 0) return []
    const linked = told.filter((one) => at.parentOf.get(String(one.row['id'])) === parent)
    const nextDay = new Date(Date.parse(`${dayOf(row['created_date'])}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
    const to = row['status'] === 'DRAFT' ? '9999' : (draftOf(historyOf(row)).committed ?? `${nextDay} 00:00:00`)
    const adjusted = linked.flatMap((one) =>
      itemsOf(one.row).filter((item) => {
        const made = text(item['created_date'])
        return item['type'] === 'ITEM_ADJ' && made > one.at && made < to
      }),
    )
    const from = linked.map((one) => one.at).sort()[0] ?? ''
    return [{ id: parent, from, to, amount: sum(items), linked, adjusted: sum(adjusted) }]
  })
}

/** The item that was open at the instant of an invoice: the one that opened last. Else, for an amount, the first that opened later that day. */
function windowOf({ at, amount }: Told, windows: readonly Window[]): Window | undefined {
  const before = windows.filter(({ to }) => at < to).sort((a, b) => (a.from < b.from ? -1 : 1))
  const later = before.find(({ from }) => at < from && amount > 0n && dayOf(at) === dayOf(from))
  return before.findLast(({ from }) => from <= at) ?? later
}

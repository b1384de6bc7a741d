import { createHash } from 'node:crypto'
import type { Value } from '../../../databases/test-database.ts'

export type Cells = Readonly<Record<string, Value>>
/** A row as it is stored. */
export type StoredRow = Record<string, Value>

/** A change of one row. */
export type Change =
  | { readonly kind: 'insert'; readonly table: string; readonly row: Cells }
  | { readonly kind: 'delete'; readonly table: string; readonly row: Cells }
  | { readonly kind: 'update'; readonly table: string; readonly row: Cells; readonly cells: Cells }

/** The rows of a Lago database in memory, written as Lago writes them: with versions, and with the instant of each save. */
export interface LagoStore {
  rows(table: string): readonly StoredRow[]
  /** Stores a row with a new id. Rows of most tables get a version. */
  insert(table: string, at: number, cells: Cells): StoredRow
  update(table: string, at: number, row: StoredRow, cells: Cells): void
  remove(table: string, row: StoredRow): void
  /** A new id. */
  id(): string
  /** Number of changes so far. */
  changeCount(): number
  /** The changes since the last call. */
  takeJournal(): readonly Change[]
}

/** The item type of the versions of a table. Rows of other tables have none. */
const TRACKED: Readonly<Record<string, string>> = {
  customers: 'Customer',
  plans: 'Plan',
  charges: 'Charge',
  fixed_charges: 'FixedCharge',
  subscriptions: 'Subscription',
  invoices: 'Invoice',
  payments: 'Payment',
  payment_requests: 'PaymentRequest',
}
/** Versions of an item that are kept with the one of its creation. */
const KEPT_VERSIONS = 5
/** Words of whole numbers in versions, as far as something reads them. */
const WORDS: Readonly<Record<string, readonly string[]>> = { payment_status: ['pending', 'succeeded', 'failed'] }

/** An instant in milliseconds, as PostgreSQL writes it. */
export function instantText(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '')
}

/** The milliseconds of a stored instant. */
export function instantOf(text: Value | undefined): number {
  return Date.parse(`${String(text).replace(' ', 'T')}Z`)
}

/** An empty store. Its ids depend on `seed` alone. */
export function createLagoStore(seed: number): LagoStore {
  const tables = new Map<string, StoredRow[]>()
  const versionsOf = new Map<string, StoredRow[]>()
  let journal: Change[] = []
  let taken = 0
  let ids = 0
  let versions = 0

  const rowsOf = (table: string): StoredRow[] => {
    const rows = tables.get(table) ?? []
    tables.set(table, rows)
    return rows
  }
  const id = (): string => {
    ids += 1
    const hex = createHash('sha256').update(`${seed} ${ids}`).digest('hex').slice(0, 32)
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const store = (table: string, row: StoredRow): void => {
    rowsOf(table).push(row)
    journal.push({ kind: 'insert', table, row: { ...row } })
  }
  const remove = (table: string, row: StoredRow): void => {
    const rows = rowsOf(table)
    rows.splice(rows.indexOf(row), 1)
    journal.push({ kind: 'delete', table, row })
  }
  const record = (table: string, at: number, row: StoredRow, event: string, changed: Readonly<Record<string, unknown>>): void => {
    const item_type = TRACKED[table]
    if (item_type === undefined) return
    versions += 1
    const item_id = String(row['id'])
    const version: StoredRow = {
      ...{ id: versions, item_type, item_id, event },
      object_changes: JSON.stringify(changed),
      created_at: instantText(at),
    }
    store('versions', version)
    if (event === 'create') return
    const known = versionsOf.get(item_id) ?? []
    known.push(version)
    const old = known.length > KEPT_VERSIONS ? known.shift() : undefined
    if (old !== undefined) remove('versions', old)
    versionsOf.set(item_id, known)
  }
  const worded = (column: string, value: unknown): unknown => {
    const word = typeof value === 'number' ? WORDS[column]?.[value] : undefined
    if (word !== undefined) return word
    return column === 'properties' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value
  }

  return {
    rows: rowsOf,
    id,
    remove,
    insert(table, at, cells) {
      const row: StoredRow = { id: id(), created_at: instantText(at), updated_at: instantText(at), ...cells }
      store(table, row)
      record(
        table,
        at,
        row,
        'create',
        Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, [null, worded(name, cell)]])),
      )
      return row
    },
    update(table, at, row, cells) {
      const saved: Cells = { ...cells, updated_at: instantText(at) }
      const changed = Object.entries(cells).map(
        ([name, cell]) => [name, [worded(name, row[name] ?? null), worded(name, cell)]] as const,
      )
      Object.assign(row, saved)
      journal.push({ kind: 'update', table, row: { id: row['id'] ?? null }, cells: saved })
      record(table, at, row, 'update', Object.fromEntries(changed))
    },
    changeCount: () => taken + journal.length,
    takeJournal() {
      const changes = journal
      taken += changes.length
      journal = []
      return changes
    },
  }
}

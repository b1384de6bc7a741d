import { type FilledRow, fillRow } from '../killbill/insert-rows.ts'
import { readSchema } from '../killbill/killbill-fixture.ts'
import type { LiteralValue } from '../killbill/sql-literals.ts'
import type { Tables } from '../killbill/tables.ts'

export type Cells = Readonly<Record<string, LiteralValue>>

/** Tables with the table that records their changes (KB 1.5). */
const HISTORIES: Readonly<Record<string, string>> = {
  accounts: 'account_history',
  bundles: 'bundle_history',
  subscriptions: 'subscription_history',
  subscription_events: 'subscription_event_history',
  blocking_states: 'blocking_state_history',
  tags: 'tag_history',
  custom_fields: 'custom_field_history',
  invoices: 'invoice_history',
  invoice_items: 'invoice_item_history',
  invoice_payments: 'invoice_payment_history',
}

/** A transaction of the billing engine: each row with its history row; numbers are taken when a row is written. */
export interface Writing {
  insert(table: string, cells: Cells): Promise<FilledRow>
  /** `account`: the account that the engine works for and that gets the history row, if it is not the account of the row. */
  update(table: string, row: FilledRow, changes: Cells, account?: Cells[string]): Promise<void>
  /** `record_id` of the newest history row of a row. */
  historyOf(row: FilledRow): number
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Writes as the billing engine does, several transactions at a time. */
export interface BillingWriter {
  /** Accounts of open transactions, for those who draw accounts. */
  readonly held: Set<number>
  /** Tables that it has written to or read from. */
  tables(): readonly string[]
  /** Rows written by transactions that were not rolled back, open ones included. */
  rows(table: string): readonly FilledRow[]
  /** A number that it has not given before. Rolled back rows leave theirs unused. */
  serial(): number
  begin(created: string): Promise<Writing>
  close(): Promise<void>
}

/** Where the rows go: a connection with one transaction at a time. */
export interface Connection {
  begin(): Promise<unknown>
  insert(table: string, row: FilledRow): Promise<unknown>
  update(table: string, row: FilledRow, changes: Cells): Promise<unknown>
  end(word: 'commit' | 'rollback'): Promise<unknown>
  close(): Promise<void>
}

/** A writer over filled tables, whose rows are numbered for `owner`. */
export function writerOver(owner: object, filled: Tables, connect: () => Promise<Connection>): BillingWriter {
  const kept = new Map<string, FilledRow[]>()
  const histories = new WeakMap<FilledRow, number>()
  const idle: Connection[] = []
  const all: Connection[] = []
  let given = 0
  const rowsOf = (table: string): FilledRow[] => {
    const rows = kept.get(table) ?? [...(filled(table) as readonly FilledRow[])]
    kept.set(table, rows)
    return rows
  }
  const borrow = async (): Promise<Connection> => {
    const free = idle.pop()
    if (free !== undefined) return free
    const opened = await connect()
    all.push(opened)
    return opened
  }

  return {
    held: new Set(),
    tables: () => [...kept.keys()],
    rows: rowsOf,
    serial: () => (given += 1),
    async begin(created) {
      const connection = await borrow()
      const undo: (() => void)[] = []
      await connection.begin()
      const store = async (table: string, row: FilledRow): Promise<void> => {
        await connection.insert(table, row)
        const rows = rowsOf(table)
        rows.push(row)
        undo.push(() => rows.splice(rows.indexOf(row), 1))
      }
      const record = async (table: string, row: FilledRow, change_type: string, more: Cells = {}): Promise<void> => {
        const history = HISTORIES[table]
        if (history === undefined) return
        const { record_id, id: _id, ...cells } = row
        const known = readSchema().tables[history]?.columns.map(({ name }) => name) ?? []
        const copied = Object.fromEntries(Object.entries(cells).filter(([name, cell]) => cell !== null && known.includes(name)))
        const twin = { ...copied, ...more, target_record_id: record_id ?? null, change_type, created_date: created }
        const filledTwin = fillRow(owner, history, twin)
        histories.set(row, Number(filledTwin['record_id']))
        await store(history, filledTwin)
      }
      const end = async (word: 'commit' | 'rollback'): Promise<void> => {
        await connection.end(word)
        if (word === 'rollback') for (const step of undo.reverse()) step()
        idle.push(connection)
      }
      return {
        async insert(table, cells) {
          const row = fillRow(owner, table, { created_date: created, ...cells })
          await store(table, row)
          await record(table, row, 'INSERT')
          return row
        },
        async update(table, row, changes, account) {
          const before = { ...row }
          await connection.update(table, row, changes)
          Object.assign(row, changes)
          undo.push(() => Object.assign(row, before))
          await record(table, row, 'UPDATE', account === undefined ? {} : { account_record_id: account })
        },
        historyOf: (row) => histories.get(row) ?? 0,
        commit: () => end('commit'),
        rollback: () => end('rollback'),
      }
    },
    async close() {
      await Promise.all(all.map((connection) => connection.close()))
    },
  }
}

import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Tables } from './fold-tables.ts'
import { type FilledRow, fillRow } from './insert-rows.ts'
import { readSchema } from './killbill-fixture.ts'
import { type LiteralValue, literal } from './sql-literals.ts'
import type { TestDatabase } from './test-database.ts'

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
  update(table: string, row: FilledRow, changes: Cells): Promise<void>
  /** `record_id` of the newest history row of a row. */
  historyOf(row: FilledRow): number
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Writes into a billing database as the engine does, several transactions at a time. */
export interface BillingWriter {
  /** Rows written by transactions that were not rolled back, open ones included. */
  rows(table: string): readonly FilledRow[]
  begin(created: string): Promise<Writing>
  close(): Promise<void>
}

interface Connection {
  run(text: string): Promise<unknown>
  end(): Promise<void>
}

/** A writer over a filled database. */
export function billingWriter(database: TestDatabase, filled: Tables): BillingWriter {
  const kept = new Map<string, FilledRow[]>()
  const histories = new WeakMap<FilledRow, number>()
  const idle: Connection[] = []
  const all: Connection[] = []
  const rowsOf = (table: string): FilledRow[] => {
    const rows = kept.get(table) ?? [...(filled(table) as readonly FilledRow[])]
    kept.set(table, rows)
    return rows
  }
  const borrow = async (): Promise<Connection> => {
    const free = idle.pop()
    if (free !== undefined) return free
    const opened = await connect(database)
    all.push(opened)
    return opened
  }

  return {
    rows: rowsOf,
    async begin(created) {
      const connection = await borrow()
      const undo: (() => void)[] = []
      await connection.run(database.dialect.name === 'mysql' ? 'start transaction' : 'begin')
      const store = (table: string, row: FilledRow): Promise<unknown> => connection.run(insertText(database, table, row))
      const record = async (table: string, row: FilledRow, change_type: string): Promise<void> => {
        const history = HISTORIES[table]
        if (history === undefined) return
        const { record_id, id: _id, ...cells } = row
        const known = readSchema().tables[history]?.columns.map(({ name }) => name) ?? []
        const copied = Object.fromEntries(Object.entries(cells).filter(([name, cell]) => cell !== null && known.includes(name)))
        const twin = { ...copied, target_record_id: record_id ?? null, change_type, created_date: created }
        const filledTwin = fillRow(database, history, twin)
        histories.set(row, Number(filledTwin['record_id']))
        await store(history, filledTwin)
      }
      const end = async (word: 'commit' | 'rollback'): Promise<void> => {
        await connection.run(word)
        if (word === 'rollback') for (const step of undo.reverse()) step()
        idle.push(connection)
      }
      return {
        async insert(table, cells) {
          const row = fillRow(database, table, { created_date: created, ...cells })
          await store(table, row)
          await record(table, row, 'INSERT')
          const rows = rowsOf(table)
          rows.push(row)
          undo.push(() => rows.splice(rows.indexOf(row), 1))
          return row
        },
        async update(table, row, changes) {
          const before = { ...row }
          await connection.run(updateText(database, table, row, changes))
          Object.assign(row, changes)
          undo.push(() => Object.assign(row, before))
          await record(table, row, 'UPDATE')
        },
        historyOf: (row) => histories.get(row) ?? 0,
        commit: () => end('commit'),
        rollback: () => end('rollback'),
      }
    },
    async close() {
      await Promise.all(all.map((connection) => connection.end()))
    },
  }
}

async function connect({ url, dialect }: TestDatabase): Promise<Connection> {
  if (dialect.name === 'mysql') {
    const connection = await mysql.createConnection(url)
    return { run: (text) => connection.query(text), end: () => connection.end() }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { run: (text) => client.query(text), end: () => client.end() }
}

function insertText(database: TestDatabase, table: string, row: FilledRow): string {
  const columns = readSchema().tables[table]?.columns ?? []
  const cells = columns.map(({ name, type }) => literal(row[name] ?? null, type, database.dialect.name))
  return `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values (${cells.join(', ')})`
}

function updateText(database: TestDatabase, table: string, row: FilledRow, changes: Cells): string {
  const columns = readSchema().tables[table]?.columns ?? []
  const set = Object.entries(changes).map(([name, value]) => {
    const type = columns.find((column) => column.name === name)?.type ?? 'text'
    return `${name} = ${literal(value, type, database.dialect.name)}`
  })
  return `update ${table} set ${set.join(', ')} where record_id = ${row['record_id']}`
}

import mysql from 'mysql2/promise'
import pg from 'pg'
import type { TestDatabase } from '../../databases/test-database.ts'
import type { FilledRow } from '../killbill/insert-rows.ts'
import { readSchema } from '../killbill/killbill-fixture.ts'
import { literal } from '../killbill/sql-literals.ts'
import type { Tables } from '../killbill/tables.ts'
import { type BillingWriter, type Cells, type Connection, writerOver } from './billing-writer.ts'

/** A writer into a filled database. */
export function databaseWriter(database: TestDatabase, filled: Tables): BillingWriter {
  return writerOver(database, filled, () => connect(database))
}

async function connect(database: TestDatabase): Promise<Connection> {
  const { run, close } = await open(database)
  return {
    begin: () => run(database.dialect.name === 'mysql' ? 'start transaction' : 'begin'),
    insert: (table, row) => run(insertText(database, table, row)),
    update: (table, row, changes) => run(updateText(database, table, row, changes)),
    end: run,
    close,
  }
}

async function open({ url, dialect }: TestDatabase): Promise<{ run(text: string): Promise<unknown>; close(): Promise<void> }> {
  if (dialect.name === 'mysql') {
    const connection = await mysql.createConnection(url)
    return { run: (text) => connection.query(text), close: () => connection.end() }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { run: (text) => client.query(text), close: () => client.end() }
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

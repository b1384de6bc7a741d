import type { Knex } from 'knex'
import { chunksOf } from '../../../core/batches.ts'
import { type Database, table } from '../database.ts'
import { engineOf } from '../engine-of.ts'
import { upsertRows } from '../sqlite/upsert-rows.ts'
import type { StoredRow } from './record-rows.ts'

const ROWS_AT_ONCE = 1_000

/** Inserts rows that all have the same columns; one whose `identity` is taken replaces what is there. */
export async function insertRows(
  database: Database,
  transaction: Knex,
  name: string,
  rows: readonly StoredRow[],
  identity: readonly string[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const merged = columns.filter((column) => !identity.includes(column))
  for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
    switch (engineOf(transaction)) {
      case 'sqlite':
        await upsertRows(transaction, { table: name, columns, rows: chunk, identity, merged })
        break
      case 'postgres':
        await insertJson(database, transaction, name, chunk, { columns, identity, merged })
        break
      case 'mysql':
        await table(database, name, transaction)
          .insert([...chunk])
          .onConflict([...identity])
          .merge()
    }
  }
}

interface Columns {
  readonly columns: readonly string[]
  readonly identity: readonly string[]
  readonly merged: readonly string[]
}

// One text for any number of rows: PostgreSQL takes no more than 65,535 values, and reads this faster than as many.
async function insertJson(
  { schema = '' }: Database,
  transaction: Knex,
  name: string,
  rows: readonly StoredRow[],
  { columns, identity, merged }: Columns,
): Promise<void> {
  const names = (list: readonly string[]) => list.map(() => '??').join(', ')
  const replaced = merged.map(() => '?? = ??').join(', ')
  await transaction.raw(
    `insert into ??.?? (${names(columns)}) select ${names(columns)} from json_populate_recordset(null::??.??, ?)
     on conflict (${names(identity)}) do update set ${replaced}`,
    [
      schema,
      name,
      ...columns,
      ...columns,
      schema,
      name,
      JSON.stringify(rows),
      ...identity,
      ...merged.flatMap((column) => [column, `excluded.${column}`]),
    ],
  )
}

import type { Row } from '../../../../src/connector-kit/connector.ts'
import type { Target, TestDatabase } from '../../databases/test-database.ts'
import { insertRows } from '../killbill/insert-rows.ts'
import { killbillDatabase } from '../killbill/killbill-database.ts'
import type { KillbillSchema } from '../killbill/killbill-schema.ts'
import { createKillbillSchema } from '../killbill/load-killbill.ts'
import type { Tables } from '../killbill/tables.ts'

type Cells = Readonly<Record<string, unknown>>

export interface Filled {
  readonly database: TestDatabase
  /** The rows as stored, for the fold. */
  readonly tables: Tables
  add(table: string, rows: readonly Cells[]): Promise<void>
}

/** A new database with these rows. */
export async function fillDatabase(
  target: Target,
  rows: Readonly<Record<string, readonly Cells[]>>,
  schema?: KillbillSchema,
): Promise<Filled> {
  const database = await (schema === undefined ? killbillDatabase(target) : target.createDatabase())
  if (schema !== undefined) await createKillbillSchema(database, schema)
  const stored = new Map<string, Row[]>()
  const add = async (table: string, more: readonly Cells[]): Promise<void> => {
    const kept = stored.get(table) ?? []
    stored.set(table, kept)
    kept.push(...((await insertRows(database, table, more, schema)) as Row[]))
  }
  for (const [table, own] of Object.entries(rows)) await add(table, own)
  return { database, tables: (name) => stored.get(name) ?? [], add }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Target, Template, TestDatabase } from '../../databases/test-database.ts'
import { northInserts } from '../lago/north-rows.ts'
import { eastRows, eastTables } from './east-rows.ts'

/** A mirror of the account East Ltd, loaded once per machine. All test files share it: read only! */
export function sharedEast(target: Target): Promise<TestDatabase> {
  return target.sharedDatabase(east())
}

/** The same for a test that writes. */
export async function copyOfEast(target: Target): Promise<TestDatabase> {
  if (target.copyOf !== undefined) return target.copyOf(east())
  const database = await target.createDatabase()
  await fillEast(database)
  return database
}

/** Creates the tables, and writes the rows into them. */
export async function fillEast(database: TestDatabase): Promise<void> {
  await database.adminQuery(eastTables())
  for (const statement of northInserts(eastRows())) await database.adminQuery(statement)
}

function east(): Template {
  const hash = createHash('sha256')
  for (const name of ['rows-east.sql.gz', 'tables.sql'])
    hash.update(readFileSync(new URL(`../../../../fixtures/stripe/${name}`, import.meta.url)))
  for (const name of ['east-rows.ts', 'east-database.ts']) hash.update(readFileSync(new URL(name, import.meta.url)))
  return { key: `stripe_east_${hash.digest('hex').slice(0, 12)}`, fill: fillEast }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Target, Template, TestDatabase } from '../../databases/test-database.ts'
import { type NorthRows, northInserts, northRows, northTables, southRows } from './north-rows.ts'

/** A Lago database with the organization North Ltd, loaded once per machine. All test files share it: read only! */
export function sharedNorth(target: Target): Promise<TestDatabase> {
  return target.sharedDatabase(north())
}

/** The same for a test that writes. */
export async function copyOfNorth(target: Target): Promise<TestDatabase> {
  if (target.copyOf !== undefined) return target.copyOf(north())
  const database = await target.createDatabase()
  await fill(database, northRows())
  return database
}

/** A Lago database with North Ltd and South Ltd, whose rows differ in their ids only. Read only! */
export function sharedNorthAndSouth(target: Target): Promise<TestDatabase> {
  return target.sharedDatabase({ key: `lago_both_${digest()}`, fill: (database) => fill(database, northRows(), southRows()) })
}

function north(): Template {
  return { key: `lago_north_${digest()}`, fill: (database) => fill(database, northRows()) }
}

async function fill(database: TestDatabase, ...organizations: readonly (readonly NorthRows[])[]): Promise<void> {
  await database.adminQuery(northTables())
  for (const tables of organizations) for (const statement of northInserts(tables)) await database.adminQuery(statement)
}

function digest(): string {
  const hash = createHash('sha256')
  for (const name of ['rows-north.sql.gz', 'tables.sql'])
    hash.update(readFileSync(new URL(`../../../../fixtures/lago/${name}`, import.meta.url)))
  for (const name of ['north-rows.ts', 'north-database.ts']) hash.update(readFileSync(new URL(name, import.meta.url)))
  return hash.digest('hex').slice(0, 12)
}

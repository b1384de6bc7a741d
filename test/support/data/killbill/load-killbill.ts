import type { TestDatabase } from '../../databases/test-database.ts'
import { readFixture, readSchema } from './killbill-fixture.ts'
import { createIndexes, createTables, createWhole, type KillbillSchema } from './killbill-schema.ts'
import { insertStatements, type LiteralValue, literal } from './sql-literals.ts'

export type TenantName = 'alpha' | 'beta'

/** The empty tables with all their indexes. */
export async function createKillbillSchema(database: TestDatabase, schema: KillbillSchema = readSchema()): Promise<void> {
  await runAll(database, createWhole(schema, database.dialect.name))
}

/** The tables, filled with the recorded rows of the tenants and of tenant 0, then the indexes. */
export async function loadReal(
  database: TestDatabase,
  options: { readonly tenants?: readonly TenantName[] } = {},
): Promise<void> {
  const schema = readSchema()
  const engine = database.dialect.name
  const wanted = tenantRecordIds(options.tenants ?? ['alpha', 'beta'])
  await runAll(database, createTables(schema, engine))
  await runAll(database, engine === 'mysql' ? ['set unique_checks = 0, foreign_key_checks = 0', 'start transaction'] : ['begin'])
  for (const [table, { columns }] of Object.entries(schema.tables)) {
    const fixture = readFixture(table)
    const types = fixture.columns.map((name) => columns.find((column) => column.name === name)?.type ?? 'text')
    const tenant = fixture.columns.indexOf(table === 'tenants' ? 'record_id' : 'tenant_record_id')
    const rows = fixture.rows.filter((row) => wanted.has(row[tenant] ?? ''))
    const tuples = rows.map((row) => tuple(row, types, engine))
    await runAll(database, insertStatements(table, fixture.columns, tuples))
  }
  await runAll(database, ['commit'])
  if (engine === 'mysql') await runAll(database, ['set unique_checks = 1, foreign_key_checks = 1'])
  await runAll(database, createIndexes(schema, engine))
}

function tenantRecordIds(names: readonly string[]): ReadonlySet<string> {
  const { columns, rows } = readFixture('tenants')
  const id = columns.indexOf('record_id')
  const key = columns.indexOf('external_key')
  return new Set(['0', ...rows.filter((row) => names.includes(row[key] ?? '')).map((row) => row[id] ?? '')])
}

function tuple(row: readonly LiteralValue[], types: readonly string[], engine: 'postgres' | 'mysql'): string {
  return `(${row.map((cell, index) => literal(cell, types[index] ?? 'text', engine)).join(',')})`
}

async function runAll(database: TestDatabase, statements: Iterable<string>): Promise<void> {
  for (const statement of statements) await database.adminQuery(statement)
}

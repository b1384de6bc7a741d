import type { CheckFinding, SnapshotSource } from '../../src/connector-kit/connector.ts'
import { oddNumberFindings } from '../../src/connector-kit/odd-numbers.ts'
import { sql, value } from '../../src/connector-kit/query-runner.ts'
import { readRights } from './schema.ts'

/** Amounts and prices by table. */
const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  invoice_items: ['amount', 'rate'],
  invoice_payments: ['amount'],
  catalog_override_phase_definition: ['fixed_price', 'recurring_price'],
}

/** Columns in which an amount is NaN or infinite. Databases other than PostgreSQL have no such numbers. */
export async function oddAmountFindings(source: SnapshotSource, tenants: readonly number[]): Promise<readonly CheckFinding[]> {
  const read = await source.withSnapshot(async (snapshot) => {
    if (snapshot.dialect.name !== 'postgres') return undefined
    const { columns } = await readRights(snapshot, Object.keys(AMOUNTS))
    return Object.entries(AMOUNTS).flatMap(([table, names]) =>
      names.filter((name) => columns.get(table)?.has(name) === true).map((column) => ({ table, column })),
    )
  })
  if (read === undefined) return []
  const where = sql`t.tenant_record_id in (${value(tenants, 'integers')})`
  return oddNumberFindings(
    source,
    'killbill',
    read.map((one) => ({ ...one, key: 'record_id', where })),
  )
}

import { setTimeout } from 'node:timers/promises'
import type { BenchDatabase } from './bench-database.ts'

/** Statistics of PostgreSQL reach the view after a second. */
const SETTLE_MS = 1_500

/** Rows that the server has read from tables and indexes since it began, for all clients. */
export async function rowsRead(database: BenchDatabase): Promise<number> {
  if (database.dialect.name === 'mysql') {
    const rows = await database.adminQuery("show global status like 'Handler_read%'")
    return rows.reduce((sum, row) => sum + Number(row['Value']), 0)
  }
  await setTimeout(SETTLE_MS)
  const [row] = await database.adminQuery(
    'select tup_returned + tup_fetched as total from pg_stat_database where datname = current_database()',
  )
  return Number(row?.['total'])
}

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Target, TestDatabase } from '../../databases/test-database.ts'
import { insertRows } from './insert-rows.ts'
import { killbillDatabase } from './killbill-database.ts'

/** A cell as the recording has it. */
type Cell = string | number | boolean | null
export type RecordedRow = Readonly<Record<string, Cell | undefined>>

/**
 * Rows of a real server whose payments fail and are retried: overdue states, voids, parents, and accounts in zones from Los Angeles to Auckland.
 * Nothing was charged back or written off.
 */
const TABLES = JSON.parse(
  gunzipSync(readFileSync(new URL('../../../../fixtures/killbill/payments/tables.json.gz', import.meta.url))).toString(),
) as Readonly<Record<string, readonly RecordedRow[]>>

/** The rows of a table of this recording. */
export function paymentRows(table: string): readonly RecordedRow[] {
  return TABLES[table] ?? []
}

/** The instant at which the recording ended. */
export const END_OF_PAYMENTS = new Date('2025-06-07T01:02:00Z')

/** A new database with this recording. */
export async function paymentsDatabase(target: Target): Promise<TestDatabase> {
  const database = await killbillDatabase(target)
  for (const [table, rows] of Object.entries(TABLES)) await insertRows(database, table, rows)
  return database
}

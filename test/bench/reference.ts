import type { BenchDatabase } from './bench-database.ts'
import { median, timed } from './measure.ts'

/** One full scan that every engine does at its best speed: what the machine can do today. */
export const REFERENCE_SQL =
  'select count(*) as row_count, sum(quantity) as quantity_sum, max(effective_date) as newest, sum(case when is_active = true then 1 else 0 end) as active_count from subscription_events'

/** Median milliseconds of the reference over the runs, warm. */
export async function measureReference(database: BenchDatabase, runs: number): Promise<number> {
  await database.adminQuery(REFERENCE_SQL)
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push((await timed(() => database.adminQuery(REFERENCE_SQL)))[0])
  return median(times)
}

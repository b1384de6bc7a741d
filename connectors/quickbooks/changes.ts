import type { Changes } from '../../src/connector-kit/index.ts'
import { answeredAt, changesIn } from './answers.ts'
import type { Client } from './api/client.ts'
import { ENTITIES } from './entities.ts'
import { recordOf } from './records.ts'
import type { Company } from './translate/document.ts'

const DAY_MS = 86_400_000
/** Number of days for which Intuit stores changes. */
export const REACH_DAYS = 30
/** One hour less, for the time of transfer and for clock differences. */
const REACH_MS = REACH_DAYS * DAY_MS - 3_600_000
/** Clocks differ, and a change may become visible a moment after its time. */
const OVERLAP_MS = 300_000
/** Most records that Intuit lists. */
const MOST = 1000

/**
 * Records that were changed or deleted since an instant. Intuit lists at most 1,000. If all kinds together reach that limit, each kind is
 * requested separately. A kind that reaches the limit alone makes the answer incomplete.
 */
export async function readChanges(client: Client, company: Company, since: string, signal: AbortSignal): Promise<Changes> {
  const from = Date.parse(since) - OVERLAP_MS
  if (Date.now() - from > REACH_MS) return { records: [], isComplete: false }
  const changedSince = new Date(from).toISOString()

  async function ask(names: readonly string[]): Promise<{ records: Changes['records']; count: number }> {
    const answer = await client.get('cdc', { entities: names.join(','), changedSince }, signal)
    const found = changesIn(answer)
    const records = ENTITIES.flatMap((entity) =>
      (found.get(entity.name) ?? []).map((native) => recordOf(entity, native, company, answeredAt(answer))),
    )
    return { records, count: [...found.values()].reduce((sum, list) => sum + list.length, 0) }
  }

  const together = await ask(ENTITIES.map(({ name }) => name))
  if (together.count < MOST) return { records: together.records, isComplete: true }
  const records: Changes['records'][number][] = []
  let isComplete = true
  for (const { name } of ENTITIES) {
    const alone = await ask([name])
    records.push(...alone.records)
    isComplete &&= alone.count < MOST
  }
  return { records, isComplete }
}

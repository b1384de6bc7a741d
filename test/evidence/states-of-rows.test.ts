import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { CountedRow } from '../../src/evidence/rows.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { foldReal, isoInstant } from '../support/oracles/fold/fold-recorded.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const RANGE = { start: '2025-06-01', end: '2026-11-20' }
/** The first instant that the question does not cover. */
const AFTER_RANGE = '2026-11-21 00:00:00'

firstEngineAndOneOther('the state of a row behind a number', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await sharedReal(target)
    engine = await engineOver(database, { tenant: ['alpha'] })
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  // The number reads no usage, or only what is known at the start of the range. The state is still that of D28.
  it.each([
    ['trials', { query_type: 'funnel', measure: 'converted' }, 137, 39],
    ['mrr', { query_type: 'waterfall', measure: 'starting_mrr', period: 'all' }, 80, 16],
  ])('ends where the span ends, also if only usage changes then, in %s (D28)', async (metric, params, count, byUsage) => {
    const spans = foldReal().flatMap((customer) => customer.spans)
    const spanAt = new Map(spans.map((span) => [`${span.subscription_id} ${isoInstant(span.valid_from)}`, span]))
    const { data } = await engine.metricRows(metric, { ...params, ...RANGE }, {}, { isWhole: true })
    const { rows } = data as { readonly rows: readonly CountedRow[] }
    const wanted = rows.map(({ subscription_id, valid_from }) => {
      const end = spanAt.get(`${subscription_id} ${seconds(valid_from)}`)?.valid_to ?? null
      return { subscription_id, valid_from, valid_to: end !== null && end < AFTER_RANGE ? isoInstant(end) : null }
    })
    const found = rows.map(({ subscription_id, valid_from, valid_to }) => ({
      subscription_id,
      valid_from,
      valid_to: seconds(valid_to),
    }))
    expect(found).toEqual(wanted)
    expect(found.length).toBe(count)
    const ended = found.map(({ subscription_id, valid_to }) => spanAt.get(`${subscription_id} ${valid_to}`))
    expect(ended.filter((span) => span?.start_reason === 'usage').length).toBe(byUsage)
  })
})

function seconds(instant: string | null): string | null {
  return instant?.replace('.000Z', 'Z') ?? null
}

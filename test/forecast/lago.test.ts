import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillWorkedLago, type InsertOwned, workedId as id, WORKED_NOW, WORKED_RATES } from '../support/data/lago/worked-rows.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

/** Rows that speak on 5 June 2025 of later days: name, plan, status, start and planned end. */
const ROWS = [
  ['in a trial', 'team', 1, '2025-06-01 12:00:00', null],
  ['in a trial that ends first', 'team', 1, '2025-06-02 12:00:00', '2025-06-10 12:00:00'],
  ['ends', 'lite', 1, '2025-06-03 12:00:00', '2025-07-15 12:00:00'],
  ['begins', 'business', 0, '2025-06-20 00:00:00', null],
  ['begins with a trial', 'team', 0, '2025-06-25 00:00:00', '2025-07-31 12:00:00'],
] as const

const DOWNGRADE = { previous_subscription_id: id('S1') }

function row(name: string, plan: string, status: number, starts: string, ending_at: string | null, more = {}) {
  return {
    customer_id: id('A'),
    plan_id: id(plan),
    external_id: name,
    status,
    subscription_at: starts,
    started_at: status === 0 ? null : starts,
    ending_at,
    created_at: '2025-06-01 12:00:00',
    ...more,
  }
}

/** MRR of the worked example on 31 May, and the subscription that ends later. */
const TODAY = 38_433 + 4_000

/** The forecast: day and MRR. */
const AHEAD = [
  ['2025-06-05', TODAY],
  ['2025-06-14', TODAY],
  // The trial of 14 days is over. The other one never converts.
  ['2025-06-15', TODAY + 2_900],
  ['2025-06-20', TODAY + 2_900 + 7_900],
  ['2025-06-30', TODAY + 2_900 + 7_900],
  // The trial that began on 25 June is over.
  ['2025-07-09', TODAY + 2_900 + 7_900 + 2_900],
  ['2025-07-15', TODAY + 2_900 + 7_900 + 2_900 - 4_000],
  ['2025-07-31', TODAY + 2_900 + 7_900 - 4_000],
] as const

onPostgres('a forecast of Lago (D80), by hand', (target) => {
  let database: TestDatabase
  let engine: Engine
  let cached: Engine
  let cache: CountedCache | undefined
  let add: InsertOwned
  const options = { now: WORKED_NOW, rates: WORKED_RATES, definitions: { allow_unpriced: false } }
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillWorkedLago(database, async (owned) => {
      add = owned
      for (const [name, plan, status, starts, ends] of ROWS)
        await owned('subscriptions', name, row(name, plan, status, starts, ends))
      await owned('subscriptions', 'downgrade', row('a', 'lite', 0, '2025-06-05 12:00:00', null, DOWNGRADE))
    })
    engine = await lagoEngine(database, options)
    cached = await lagoEngine(database, { ...options, onCache: (made) => (cache = made) })
    await cache?.ready()
  })
  afterAll(async () => {
    await engine.close()
    await cached.close()
  })

  it.each(AHEAD)('at %s is %s, straight and from the cache', async (at, mrr) => {
    for (const asked of [engine, cached]) expect((await asked.query('mrr', { at, forecast: 'true' })).data).toBe(mrr)
  })

  it('is no part of other answers', async () => {
    expect((await engine.query('mrr', { at: '2025-07-09' })).data).toBe(TODAY)
    const { rows } = (await engine.list('subscriptions', { status: 'pending' })).data as {
      readonly rows: readonly object[]
    }
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: id('begins'), plan_id: 'business', started_at: '2025-06-20T00:00:00.000Z' }),
      ]),
    )
  })

  it('sums up the running trials and the planned ends', async () => {
    const { data } = await engine.summary({ forecast: 'true' })
    expect(data).toMatchObject({ mrr_in_trial: 2_900, mrr_scheduled_to_cancel: 4_000 })
  })

  it('refuses a planned start whose price is not known: the engine writes the units of fixed charges at the start', async () => {
    await add('subscriptions', 'begins with units', row('begins with units', 'seat', 0, '2025-08-01 00:00:00', null))
    expect((await engine.query('mrr', { at: '2025-07-31', forecast: 'true' })).data).toBe(AHEAD.at(-1)?.[1])
    await expect(engine.query('mrr', { at: '2025-08-01', forecast: 'true' })).rejects.toMatchObject({ code: 'unpriced_plan' })
    expect((await engine.query('mrr', { at: '2025-08-01' })).data).toBe(TODAY)
  })
})

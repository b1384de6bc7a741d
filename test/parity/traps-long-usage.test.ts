import { afterAll, beforeAll, expect, it } from 'vitest'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held } from '../support/data/catalogs/trap-catalog.ts'
import { catalogOf, type Scenario } from '../support/data/scenario-tables.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

/** One item from `start` to January 2025, 730.00, paid in February. */
const usageFrom = (start: string): Scenario => ({
  catalogs: [
    catalogOf(planXml('meter', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '0' }, usage: true }) })),
  ],
  subscriptions: { S: held('meter', '2020-01-01') },
  invoices: {
    I: {
      created: '2025-02-01',
      items: [['USAGE', '730.00', { subscription_id: 'S', start_date: start, end_date: '2025-02-01' }]],
      payments: [['2025-02-01', '730.00']],
    },
  },
})

/** Months, cents of each but the last, and of the newest three together. */
const LONG_USAGE = [
  ['60 months', '2020-02-01', 60, 1216],
  ['61 months', '2020-01-01', 61, 1196],
  ['121 months', '2015-01-01', 121, 603],
  // More stretches of 60 months than there are steps.
  ['3,661 months', '1720-01-01', 3661, 19],
] as const

const SCENARIOS = Object.fromEntries(LONG_USAGE.map(([name, start]) => [name, usageFrom(start)]))

oneEngineInRotation('usage over many months, straight and from the cache', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    // A cache holds the same whichever engine it was filled from.
    pairs = await trapPairs(
      target,
      SCENARIOS,
      isFirst(target) ? sampleOf(target, Object.keys(SCENARIOS), { first: 2, shift: 1 }) : [],
    )
  }, 300_000)
  afterAll(() => pairs.close())

  it.each(LONG_USAGE)('%s: as many charges, the rest in the last (D55, D29)', async (name, _start, months, share) => {
    const last = 73_000 - (months - 1) * share
    const revenue = (start: string, end: string) =>
      pairs.both(name, async (engine) => (await engine.query('usage_revenue', { query_type: 'total', start, end })).data)
    expect(await revenue('2025-01-01', '2025-01-31')).toBe(last)
    expect(await revenue('2024-12-01', '2024-12-31')).toBe(share)
    expect(await revenue('2020-02-01', '2025-01-31')).toBe(59 * share + last)
    const current = { query_type: 'current', at: '2025-02-01' }
    const mrr = await pairs.both(name, async (engine) => (await engine.query('mrr', current)).data)
    expect(mrr).toBe(Math.floor((2 * share + last) / 3))
  })
})

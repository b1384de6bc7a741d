import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

/** A leaves on 20 January and returns after 30 days, leaves on 10 March and returns after 31 days. B pauses for 64 days. */
const RETURNING: Scenario = {
  catalogs: [
    catalogOf(monthlyPlan('month', '30'), monthlyPlan('basic', '20'), monthlyPlan('plus', '50'), monthlyPlan('team', '40')),
  ],
  accounts: { A: {}, B: {} },
  subscriptions: {
    S1: {
      account: 'A',
      events: [
        ['2025-01-10', 'CREATE', 'month-evergreen'],
        ['2025-01-20', 'CANCEL'],
      ],
    },
    S2: {
      account: 'A',
      events: [
        ['2025-02-19', 'CREATE', 'basic-evergreen'],
        ['2025-03-10', 'CANCEL'],
      ],
    },
    S3: { account: 'A', events: [['2025-04-10', 'CREATE', 'plus-evergreen']] },
    T1: { account: 'B', events: [['2025-01-15', 'CREATE', 'team-evergreen']] },
  },
  blocks: [
    ['T1', 'shop', '2025-02-15', true],
    ['T1', 'shop', '2025-04-20', false],
  ],
  now: '2025-05-01',
  sets: {
    thirty: { reactivation_window: 30 },
    shorter: { reactivation_window: 29 },
    never: { reactivation_window: 0 },
    customers: { reactivation_window: 30, grain: 'customer' },
    counted: { nrr_reactivation: 'include' },
    'counted-thirty': { nrr_reactivation: 'include', reactivation_window: 30 },
  },
}

const ALL = { start: '2025-01-01', end: '2025-04-30' }
const LATE = { start: '2025-03-01', end: '2025-04-30' }

/** Movements from January to April, worked out by hand. The end of the pause of B, 40.00, is always a reactivation. */
const BREAKDOWNS = {
  default: { new: 7000, churn: -9000, reactivation: 11_000 },
  // The 50.00 come after 31 days.
  thirty: { new: 12_000, churn: -9000, reactivation: 6000 },
  customers: { new: 12_000, churn: -9000, reactivation: 6000 },
  shorter: { new: 14_000, churn: -9000, reactivation: 4000 },
  never: { new: 14_000, churn: -9000, reactivation: 4000 },
}

firstEngineAndOneOther('reactivation_window', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { returning: RETURNING })
  })
  afterAll(() => pairs?.close())
  const ask = (metric: string, params: object) =>
    pairs.both('returning', async (engine) => (await engine.query(metric, { ...params })).data)
  const sumOf = (params: object) =>
    pairs.both('returning', async (engine) => {
      const { sum } = (await engine.metricRows('mrr', { ...params })).data as {
        readonly sum: number
      }
      return sum
    })

  it.each(Object.entries(BREAKDOWNS))('movements under %s, worked out by hand (D81)', async (definitions, sums) => {
    const rows = (await ask('mrr', {
      query_type: 'breakdown',
      ...ALL,
      definitions,
    })) as readonly Readonly<Record<string, unknown>>[]
    const amounts = rows.flatMap((row) => (row['amount_base'] === 0 ? [] : [[row['movement_type'], row['amount_base']]]))
    expect(Object.fromEntries(amounts)).toEqual(sums)
    if (definitions !== 'thirty') return
    for (const [movement_type, sum] of Object.entries(sums))
      expect(
        await sumOf({
          query_type: 'breakdown',
          ...ALL,
          definitions,
          movement_type,
        }),
      ).toBe(sum)
  })

  it('levels, logo churn and cohorts stay the same', async () => {
    for (const [metric, query] of [
      ['mrr', { query_type: 'series', interval: 'day' }],
      ['churn', { type: 'logo' }],
      ['retention', { query_type: 'cohort_matrix' }],
    ] as const)
      expect(await ask(metric, { ...query, ...ALL, definitions: 'never' })).toEqual(await ask(metric, { ...query, ...ALL }))
  })

  it('a customer that is new again is no gain of net revenue retention, and the bridge says so', async () => {
    // A has 20.00 just before March, loses them, and comes back with 50.00 after 31 days.
    const asked = {
      query_type: 'nrr',
      ...LATE,
      from: 'counted',
      to: 'counted-thirty',
    }
    const { data } = await pairs.both('returning', async (engine) => ({
      data: (await engine.bridge('retention', asked)).data,
    }))
    expect(data).toMatchObject({
      from: { value: 2.5 },
      steps: [
        {
          option: 'reactivation_window',
          from: 'none',
          to: '30',
          value: 0,
          difference: -2.5,
        },
      ],
      residual: 0,
    })
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

/**
 * A adds 20.00 to 30.00 and ends it, replaces 30.00 by 50.00 of another bundle in one instant, and leaves. B pauses 40.00 and starts 10.00.
 */
const CUSTOMERS: Scenario = {
  catalogs: [
    catalogOf(
      monthlyPlan('month', '30'),
      monthlyPlan('basic', '20'),
      monthlyPlan('plus', '50'),
      monthlyPlan('team', '40'),
      monthlyPlan('ten', '10'),
    ),
  ],
  accounts: { A: {}, B: {} },
  subscriptions: {
    S1: {
      account: 'A',
      events: [
        ['2025-01-10', 'CREATE', 'month-evergreen'],
        ['2025-03-20', 'CANCEL'],
      ],
    },
    S2: {
      account: 'A',
      events: [
        ['2025-02-10', 'CREATE', 'basic-evergreen'],
        ['2025-03-10', 'CANCEL'],
      ],
    },
    S3: {
      account: 'A',
      events: [
        ['2025-03-20', 'CREATE', 'plus-evergreen'],
        ['2025-03-25', 'CANCEL'],
      ],
    },
    T1: { account: 'B', events: [['2025-01-15', 'CREATE', 'team-evergreen']] },
    T2: { account: 'B', events: [['2025-03-05', 'CREATE', 'ten-evergreen']] },
  },
  blocks: [['T1', 'shop', '2025-02-15', true]],
  now: '2025-04-01',
  sets: { customers: { grain: 'customer' } },
}

const QUARTER = { start: '2025-01-01', end: '2025-03-31' }
const BEFORE_THE_END = { start: '2025-03-01', end: '2025-03-22' }

/** Breakdown of the quarter, worked out by hand. */
const BREAKDOWNS = {
  // New: 30, 20 and 50 of A, 40 and 10 of B. Churn: 20, 30 and 50 of A, the pause of 40.
  default: { new: 15_000, churn: -14_000 },
  // A: +30, +20, -20, -30 and +50, -50. B: +40, the pause, and 10 while nothing else is active.
  customers: { new: 7000, expansion: 4000, contraction: -2000, churn: -9000, reactivation: 1000 },
  // Without pauses, B goes on with 40 and adds 10.
  'customer-grain': { new: 7000, expansion: 5000, contraction: -2000, churn: -5000 },
}

firstEngineAndOneOther('grain of movements', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { customers: CUSTOMERS })
  })
  afterAll(() => pairs?.close())
  const ask = (metric: string, params: object, spec = {}) =>
    pairs.both('customers', async (engine) => (await engine.query(metric, { ...params }, spec)).data)
  const list = async (metric: string, params: object, spec = {}) =>
    (await ask(metric, params, spec)) as readonly Readonly<Record<string, unknown>>[]
  const sumOf = (metric: string, params: object) =>
    pairs.both('customers', async (engine) => {
      const { data } = await engine.metricRows(metric, { ...params })
      const { total, sum } = data as { readonly total: number; readonly sum: number }
      return { total, sum }
    })
  const breakdown = async (definitions: string) => {
    const rows = await list('mrr', { query_type: 'breakdown', ...QUARTER, definitions })
    return Object.fromEntries(
      rows.flatMap((row) => (row['amount_base'] === 0 ? [] : [[row['movement_type'], row['amount_base']]])),
    )
  }

  it.each(Object.entries(BREAKDOWNS))('breakdown under %s, worked out by hand (D64)', async (definitions, sums) => {
    expect(await breakdown(definitions)).toEqual(sums)
    for (const [movement_type, sum] of Object.entries(sums))
      expect(await sumOf('mrr', { query_type: 'breakdown', ...QUARTER, definitions, movement_type })).toMatchObject({ sum })
  })

  it('levels do not change, and the movements explain them', async () => {
    const levels = (definitions: string) =>
      list('mrr', { query_type: 'series', interval: 'month', ...QUARTER, definitions }, { dimensions: ['plan_id'] })
    expect(await levels('customers')).toEqual(await levels('default'))
    const rows = await list('mrr', { query_type: 'waterfall', ...QUARTER, definitions: 'customers' })
    expect(rows.map((row) => [row['starting_mrr'], row['ending_mrr'], row['transfer']])).toEqual([
      [0, 7000, 0],
      [7000, 5000, 0],
      [5000, 1000, 0],
    ])
  })

  it('rates take the movements of one instant as one net amount', async () => {
    const rate = (metric: string, query: object, definitions: string) => ask(metric, { ...query, ...BEFORE_THE_END, definitions })
    // A had 50.00. By subscription it lost 50.00; as a customer it lost 20.00 and gained 20.00.
    expect(await rate('retention', { query_type: 'nrr' }, 'default')).toBe(0)
    expect(await rate('retention', { query_type: 'nrr' }, 'customers')).toBe(1)
    expect(await rate('retention', { query_type: 'grr' }, 'customers')).toBe(0.6)
    expect(await rate('churn', { type: 'revenue' }, 'default')).toBe(1)
    expect(await rate('churn', { type: 'revenue' }, 'customers')).toBe(0)
    expect(await rate('summary', {}, 'customers')).toMatchObject({ nrr: 1, grr: 0.6, revenue_churn_rate: 0, quick_ratio: 1.5 })
  })

  it('the largest movements say what happened to the subscriptions', async () => {
    const why = (await ask('mrr', { query_type: 'why', ...BEFORE_THE_END, definitions: 'customers' })) as {
      readonly movers: readonly { readonly movement_type: string; readonly amount_base: number; readonly text: string }[]
    }
    expect(
      why.movers.map(({ movement_type, amount_base, text }) => [
        movement_type,
        amount_base,
        text.replace(/^\S+ (.*) on .*$/, '$1'),
      ]),
    ).toEqual([
      ['expansion', 5000, 'switched to plus'],
      ['expansion', -3000, 'cancelled month'],
      ['contraction', -2000, 'cancelled basic'],
      ['reactivation', 1000, 'came back with ten'],
    ])
  })

  it('a bridge takes the option as one step', async () => {
    const asked = { query_type: 'nrr', ...BEFORE_THE_END, from: 'default', to: 'customers' }
    const found = await pairs.both('customers', async (engine) => (await engine.bridge('retention', asked)).data)
    expect(found).toMatchObject({
      steps: [{ option: 'grain', from: 'subscription', to: 'customer', value: 1, difference: 1 }],
      residual: 0,
    })
  })
})

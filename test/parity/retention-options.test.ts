import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

/** A has 30.00 and pauses from 10 to 20 March. B has 20.00 all the time. */
const RETURNS: Scenario = {
  catalogs: [catalogOf(monthlyPlan('month', '30'), monthlyPlan('basic', '20'))],
  accounts: { A: {}, B: {} },
  subscriptions: {
    S: { account: 'A', events: [['2025-01-10', 'CREATE', 'month-evergreen']] },
    T: { account: 'B', events: [['2025-01-10', 'CREATE', 'basic-evergreen']] },
  },
  blocks: [
    ['S', 'shop', '2025-03-10', true],
    ['S', 'shop', '2025-03-20', false],
  ],
  now: '2025-04-01',
  sets: { returned: { nrr_reactivation: 'include' } },
}

const MARCH = { start: '2025-03-01', end: '2025-03-31' }
const NRR = { query_type: 'nrr', ...MARCH }
const ROW = { dimensions: ['source'] }

firstEngineAndOneOther('options of retention', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { returns: RETURNS })
  })
  afterAll(() => pairs?.close())
  const ask = (metric: string, params: object, spec = {}) =>
    pairs.both('returns', async (engine) => (await engine.query(metric, { ...params }, spec)).data)
  const rows = (params: object) =>
    pairs.both('returns', async (engine) => {
      const { data } = await engine.metricRows('retention', { ...NRR, ...params })
      const { total, sum } = data as { readonly total: number; readonly sum: number }
      return { total, sum }
    })

  it('MRR that returns does not count by default, and is a gain under nrr_reactivation = include (D45)', async () => {
    const sums = { start_mrr: 5000, expansion: 0, contraction: 0, churn: -3000 }
    expect(await ask('retention', NRR, ROW)).toMatchObject([
      { retention_rate: 0.4, ...sums, reactivation: 0, reactivation_excluded: 3000 },
    ])
    expect(await ask('retention', { ...NRR, definitions: 'returned' }, ROW)).toMatchObject([
      { retention_rate: 1, ...sums, reactivation: 3000, reactivation_excluded: 0 },
    ])
    for (const definitions of ['default', 'returned'])
      expect(await ask('retention', { ...NRR, query_type: 'grr', definitions })).toBe(0.4)
  })

  it('the summary has the same rate', async () => {
    expect(await ask('summary', MARCH)).toMatchObject({ nrr: 0.4, grr: 0.4 })
    expect(await ask('summary', { ...MARCH, definitions: 'returned' })).toMatchObject({ nrr: 1, grr: 0.4 })
  })

  it('the rows of what returned are those of the measure that counts it', async () => {
    expect(await rows({ measure: 'reactivation_excluded' })).toEqual({ total: 1, sum: 3000 })
    expect(await rows({ measure: 'reactivation' })).toEqual({ total: 0, sum: 0 })
    expect(await rows({ measure: 'reactivation', definitions: 'returned' })).toEqual({ total: 1, sum: 3000 })
    expect(await rows({ measure: 'reactivation_excluded', definitions: 'returned' })).toEqual({ total: 0, sum: 0 })
  })

  it('a bridge takes the option as one step', async () => {
    const bridge = await pairs.both(
      'returns',
      async (engine) => (await engine.bridge('retention', { ...NRR, from: 'default', to: 'returned' })).data,
    )
    expect(bridge).toMatchObject({
      steps: [{ option: 'nrr_reactivation', from: 'exclude', to: 'include', value: 1, difference: 0.6 }],
      residual: 0,
    })
  })
})

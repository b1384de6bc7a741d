import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

const held = (account: string, plan: string, from: string, to?: string): Scenario['subscriptions'][string] => ({
  account,
  events: [[from, 'CREATE', `${plan}-evergreen`], ...(to === undefined ? [] : [[to, 'CANCEL'] as const])],
})

/** Each account shows one case of D83; no two subscriptions share a bundle. */
const SWAPS: Scenario = {
  catalogs: [
    catalogOf(monthlyPlan('basic', '20'), monthlyPlan('month', '30'), monthlyPlan('team', '40'), monthlyPlan('plus', '50')),
  ],
  accounts: {
    A: { country: 'AT' },
    B: { country: 'BE' },
    C: { country: 'CH' },
    D: { country: 'DE' },
    E: { country: 'ES' },
    F: { country: 'FR' },
  },
  subscriptions: {
    // The example of D83: after, before, and a minute too late.
    A1: held('A', 'month', '2025-01-10', '2025-03-10 12:00:00'),
    A2: held('A', 'plus', '2025-03-10 12:40:00', '2025-04-20 12:30:00'),
    A3: held('A', 'team', '2025-04-20 12:00:00', '2025-05-01 12:00:00'),
    A4: held('A', 'basic', '2025-05-01 13:01:00'),
    // Two become one, exactly at the limit.
    B1: held('B', 'basic', '2025-01-10', '2025-03-15 12:00:00'),
    B2: held('B', 'month', '2025-01-10', '2025-03-15 12:30:00'),
    B3: held('B', 'team', '2025-03-15 13:00:00'),
    // The new one ends before the old one, so nothing replaces the old one.
    C1: held('C', 'month', '2025-01-10', '2025-03-20 12:30:00'),
    C2: held('C', 'plus', '2025-03-20 12:00:00', '2025-03-20 12:20:00'),
    // The plan changed after the new one had begun, so the two stay apart.
    D1: {
      account: 'D',
      events: [
        ['2025-01-10', 'CREATE', 'basic-evergreen'],
        ['2025-03-25 12:10:00', 'CHANGE', 'month-evergreen'],
        ['2025-03-25 12:20:00', 'CANCEL'],
      ],
    },
    D2: held('D', 'team', '2025-03-25 12:00:00'),
    // Over midnight: at the end of 31 March the old one still counts.
    E1: held('E', 'month', '2025-01-10', '2025-03-31 23:50:00'),
    E2: held('E', 'plus', '2025-04-01 00:10:00'),
    // A subscription that arrives by a transfer replaces nothing, though it begins as the other one ends.
    F1: held('F', 'month', '2025-01-10', '2025-03-12'),
    F2: { account: 'F', events: [['2025-03-12', 'TRANSFER', 'plus-evergreen']] },
  },
  now: '2025-06-01',
  sets: { hour: { swap_window: 60 }, 'customer-hour': { swap_window: 60, grain: 'customer' }, two: { swap_window: 61 } },
}

const MARCH = { start: '2025-03-01', end: '2025-03-31' }

/** Movements worked out by hand, in cents, account by account. */
const OF_MARCH: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>> = {
  default: {
    AT: { reactivation: 5000, churn: -3000 },
    BE: { reactivation: 4000, churn: -5000 },
    CH: { new: 5000, churn: -8000 },
    DE: { new: 4000, expansion: 1000, churn: -3000 },
    ES: { churn: -3000 },
    FR: { new: 5000, churn: -3000 },
  },
  hour: {
    AT: { expansion: 2000 },
    // B1, B2 and B3 are one group: 40.00 - 20.00 - 30.00.
    BE: { contraction: -1000 },
    CH: { new: 5000, churn: -8000 },
    DE: { new: 4000, expansion: 1000, churn: -3000 },
    ES: {},
    FR: { new: 5000, churn: -3000 },
  },
  'customer-hour': {
    AT: { expansion: 2000 },
    BE: { contraction: -1000 },
    CH: { expansion: 5000, contraction: -5000, churn: -3000 },
    DE: { expansion: 5000, contraction: -3000 },
    ES: {},
    FR: { expansion: 2000 },
  },
}

firstEngineAndOneOther('swap_window', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { swaps: SWAPS, configured: { ...SWAPS, definitions: { swap_window: 60 } } })
  })
  afterAll(() => pairs?.close())
  const ask = (metric: string, params: object, spec: object = {}) =>
    pairs.both('swaps', async (engine) => (await engine.query(metric, { ...params }, { ...spec })).data)

  it.each(Object.entries(OF_MARCH))('movements of March under %s, worked out by hand (D83)', async (definitions, expected) => {
    const rows = (await ask(
      'mrr',
      { query_type: 'breakdown', ...MARCH, definitions },
      { dimensions: ['customer_country'] },
    )) as readonly Readonly<Record<string, unknown>>[]
    const found: Record<string, Record<string, unknown>> = { AT: {}, BE: {}, CH: {}, DE: {}, ES: {}, FR: {} }
    for (const { customer_country: key, movement_type, amount_base } of rows)
      if (amount_base !== 0) Object.assign(found[String(key)] ?? {}, { [String(movement_type)]: amount_base })
    expect(found).toEqual(expected)
  })

  it('the row of each movement adds up to its number', async () => {
    for (const [key, amounts] of Object.entries(OF_MARCH['hour'] ?? {}))
      for (const [movement_type, amount] of Object.entries(amounts)) {
        const { sum, rows } = (await pairs.both('swaps', async (engine) => {
          const params = { query_type: 'breakdown', ...MARCH, definitions: 'hour', movement_type }
          const spec = { filters: { customer_country: key } }
          return (await engine.metricRows('mrr', params, spec)).data
        })) as { readonly sum: number; readonly rows: readonly Readonly<Record<string, unknown>>[] }
        expect([key, movement_type, sum]).toEqual([key, movement_type, amount])
        if (key !== 'AT') continue
        // The row of the old subscription has the instant at which the new one begins. Its evidence names the end.
        const ended = rows.find((row) => row['reason'] === 'cancel')
        expect(ended?.['occurred_at']).toBe('2025-03-10T12:40:00.000Z')
        expect(ended?.['evidence']).toContainEqual(
          expect.objectContaining({ occurred_at: '2025-03-10T12:00:00.000Z', note: expect.stringContaining('CANCEL') }),
        )
      }
  })

  it('a swap may come before the end, and a minute after the window is too late', async () => {
    const breakdown = async (definitions: string) => {
      const params = { query_type: 'breakdown', start: '2025-04-20', end: '2025-05-31', definitions }
      const spec = { filters: { customer_country: 'AT' } }
      const rows = (await ask('mrr', params, spec)) as readonly Readonly<Record<string, unknown>>[]
      return Object.fromEntries(
        rows.flatMap((row) => (row['amount_base'] === 0 ? [] : [[row['movement_type'], row['amount_base']]])),
      )
    }
    expect(await breakdown('hour')).toEqual({ contraction: -1000, churn: -4000, reactivation: 2000 })
    expect(await breakdown('two')).toEqual({ contraction: -3000 })
  })

  it('the level between the end and the activation is that of the old subscription, and the range after it begins with it', async () => {
    const at = async (definitions: string) => {
      const params = { query_type: 'current', at: '2025-03-31', definitions }
      return ask('mrr', params, { filters: { customer_country: 'ES' } })
    }
    expect(await at('default')).toBe(0)
    expect(await at('hour')).toBe(3000)
    const april = (await ask(
      'mrr',
      { query_type: 'waterfall', start: '2025-04-01', end: '2025-04-30', definitions: 'hour' },
      { filters: { customer_country: 'ES' } },
    )) as readonly Readonly<Record<string, unknown>>[]
    expect(april).toMatchObject([{ starting_mrr: 3000, expansion: 2000, new: 0, churn: 0, reactivation: 0, ending_mrr: 5000 }])
  })

  it('a swap is no logo churn', async () => {
    const churned = async (definitions: string) => {
      const rows = (await ask(
        'churn',
        { type: 'logo', ...MARCH, definitions },
        { dimensions: ['customer_country'] },
      )) as readonly Readonly<Record<string, unknown>>[]
      return rows.filter((row) => row['churn_count'] === 1).map((row) => row['customer_country'])
    }
    // All but D leave, at least for a time. Only C leaves for good.
    expect(await churned('default')).toEqual(['AT', 'BE', 'CH', 'ES'])
    expect(await churned('hour')).toEqual(['CH'])
  })

  it('lists and billing health keep the end of the engine, and the bridge names the option', async () => {
    const ended = await pairs.both('swaps', async (engine) => {
      const { data } = await engine.list('subscriptions', { limit: '100' }, {}, {})
      return data
    })
    expect(JSON.stringify(ended)).toContain('2025-03-10T12:00:00.000Z')
    const { data } = await pairs.both('swaps', async (engine) => ({
      data: (await engine.bridge('churn', { type: 'logo', ...MARCH, from: 'default', to: 'hour' })).data,
    }))
    expect(data).toMatchObject({ steps: [{ option: 'swap_window', from: '0', to: '60' }], residual: 0 })
  })

  it('as the configuration, it changes the numbers of the default set but not billing health', async () => {
    const params = { query_type: 'breakdown', ...MARCH }
    const configured = await pairs.both('configured', async (engine) => (await engine.query('mrr', { ...params })).data)
    expect(configured).toEqual(await ask('mrr', { ...params, definitions: 'hour' }))
    const health = (name: string) => pairs.both(name, async (engine) => (await engine.billingHealth({ ...MARCH })).data)
    expect(await health('configured')).toEqual(await health('swaps'))
  })
})

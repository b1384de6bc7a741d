import { afterAll, beforeAll, expect, it } from 'vitest'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, type Happening, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

const every = (period: string, price: string, usage = false) => phaseXml('EVERGREEN', { period, prices: { USD: price }, usage })

const CATALOG = catalogOf(
  monthlyPlan('month', '30'),
  monthlyPlan('better', '50'),
  planXml('quarter', { final: every('QUARTERLY', '100') }),
  planXml('half', { final: every('BIANNUAL', '70') }),
  planXml('year', { final: every('ANNUAL', '120') }),
  planXml('two', { final: every('BIENNIAL', '240') }),
  planXml('week', { final: every('WEEKLY', '10') }),
  planXml('third', { final: every('TRIANNUAL', '40') }),
  planXml('meter', { final: every('MONTHLY', '10', true) }),
  monthlyPlan('try', '20', { initial: phaseXml('TRIAL', { unit: 'DAYS', number: 14 }) }),
)

const begun = (plan: string, quantity?: number, ...more: readonly Happening[]) => ({
  events: [
    ['2025-01-10', 'CREATE', `${plan}-evergreen`] as Happening,
    ...(quantity === undefined ? [] : [['2025-01-10', 'QUANTITY_UPDATE', quantity] as Happening]),
    ...more,
  ],
})

/** Ten subscriptions of different kinds. */
const TEN: Scenario = {
  catalogs: [CATALOG],
  subscriptions: {
    S1: begun('month', 5),
    S2: begun('quarter'),
    S3: begun('half', 2),
    S4: begun('year'),
    S5: begun('two'),
    S6: begun('week'),
    S7: begun('third', 3),
    S8: {
      events: [
        ['2025-03-25', 'CREATE', 'try-trial'],
        ['2025-04-08', 'PHASE', 'try-evergreen'],
      ],
    },
    S9: begun('meter'),
    S10: begun('year', undefined, ['2025-03-15', 'CANCEL']),
  },
  blocks: [['S4', 'shop', '2025-03-10', true]],
  invoices: {
    U: {
      created: '2025-03-02',
      items: [['USAGE', '6', { subscription_id: 'S9', start_date: '2025-02-01', end_date: '2025-03-01' }]],
      payments: [['2025-03-03', '6']],
    },
  },
  now: '2025-04-01',
}

/** A pause from 10 to 20 March, with a change of plan and another of quantity inside it, and a cancel inside a second pause. */
const PAUSED: Scenario = {
  catalogs: [CATALOG],
  subscriptions: {
    S: begun('month', undefined, ['2025-03-12', 'CHANGE', 'better-evergreen'], ['2025-03-14', 'QUANTITY_UPDATE', 2]),
    T: begun('month', undefined, ['2025-03-25', 'CANCEL']),
  },
  blocks: [
    ['S', 'shop', '2025-03-10', true],
    ['S', 'shop', '2025-03-20', false],
    ['T', 'shop', '2025-03-22', true],
  ],
  now: '2025-04-01',
}

/** MRR by plan at 31 March, worked out by hand. `default`: price × quantity × months, plus usage of 6.00. `killbill-analytics`: one unit. */
const BY_PLAN = {
  default: { month: 15_000, quarter: 3333, half: 2333, two: 1000, week: 4333, third: 3000, meter: 1600 },
  plumbline: { month: 15_000, quarter: 3333, half: 2333, two: 1000, week: 4333, third: 3000, meter: 1600 },
  'killbill-analytics': { month: 3000, quarter: 3333, half: 1166, year: 1000, two: 1000, meter: 1000 },
}

/**
 * The rows that each step from `killbill-analytics` to `default` changes, worked out by hand: plan, cents before, cents after. WEEKLY and TRIANNUAL
 * begin to count (10.00 × 52 / 12, 40.00 / 4), then five, two and three units count, then usage, and then the pause of the paused one.
 */
const STEPS = {
  billing_periods: [
    ['week', 0, 4333],
    ['third', 0, 1000],
  ],
  quantity: [
    ['month', 3000, 15_000],
    ['third', 1000, 3000],
    ['half', 1166, 2333],
  ],
  mrr_usage: [['meter', 1000, 1600]],
  pause: [['year', 1000, 0]],
} as const

const ALL = ['default', 'plumbline', 'customer-grain', 'constant-currency', 'killbill-analytics']
const MARCH = { start: '2025-03-01', end: '2025-03-31' }

interface Bridge {
  readonly measure: string
  readonly steps: readonly { readonly option: string; readonly difference: number }[]
}

interface RowsOfStep {
  readonly sum: number
  readonly rows: readonly {
    readonly plan_id: string
    readonly before: number
    readonly after: number
    readonly difference: number
  }[]
}

firstEngineAndOneOther('definition sets', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { ten: TEN, paused: PAUSED })
  })
  afterAll(() => pairs?.close())
  const ask = (name: string, metric: string, params: object, spec = {}) =>
    pairs.both(name, async (engine) => (await engine.query(metric, { ...params }, spec)).data as Record<string, unknown>[])
  const movements = async (name: string, definitions: string, days: object = MARCH) => {
    const rows = await ask(name, 'mrr', { query_type: 'breakdown', ...days, definitions })
    return Object.fromEntries(
      rows.flatMap((row) => (row['amount_base'] === 0 ? [] : [[row['movement_type'], row['amount_base']]])),
    )
  }

  it.each(Object.entries(BY_PLAN))('ten subscriptions under %s, worked out by hand', async (definitions, plans) => {
    const rows = await ask('ten', 'mrr', { query_type: 'current', at: MARCH.end, definitions }, { dimensions: ['plan_id'] })
    const found = rows.flatMap((row) => (row['mrr'] === 0 ? [] : [[row['plan_id'], row['mrr']]]))
    expect(Object.fromEntries(found)).toEqual(plans)
    const total = Object.values(plans).reduce((sum, cents) => sum + cents, 0)
    expect(await ask('ten', 'mrr', { query_type: 'current', at: MARCH.end, definitions })).toBe(total)
  })

  it('the steps from killbill-analytics to the default have the rows that were worked out by hand', async () => {
    const sets = { from: 'killbill-analytics', to: 'default' }
    const asked = { query_type: 'current', at: MARCH.end, ...sets }
    const bridge = await pairs.both('ten', async (engine) => (await engine.bridge('mrr', asked)).data as Bridge)
    expect(bridge.steps.map(({ option }) => option)).toEqual(Object.keys(STEPS))
    for (const [bridge_step, expected] of Object.entries(STEPS)) {
      const page = await pairs.both('ten', async (engine) => {
        return (await engine.metricRows('mrr', { ...asked, bridge_step }, {}, { isWhole: true })).data as RowsOfStep
      })
      expect(page.rows.map(({ plan_id, before, after }) => [plan_id, before, after])).toEqual(expected)
      expect(page.rows.map(({ difference }) => difference)).toEqual(expected.map(([, before, after]) => after - before))
      expect(page.sum).toBe(bridge.steps.find(({ option }) => option === bridge_step)?.difference)
    }
  })

  it.each([
    [{ from: 'default', to: 'killbill-analytics' }, 'bridge_step', Object.keys(STEPS)],
    [{ from: 'default', to: 'killbill-analytics', bridge_step: 'test_accounts' }, 'bridge_step', Object.keys(STEPS)],
    [{ from: 'default', to: 'none', bridge_step: 'pause' }, 'to', ALL],
    [{ bridge_step: 'pause', from: 'default' }, 'to', ALL],
    [{ from: 'default', to: 'plumbline', bridge_step: 'pause', definitions: 'plumbline' }, 'definitions', undefined],
  ])('refuses the step %o', async (step, name, available) => {
    const asked = ask('ten', 'mrr', {}).then(() =>
      pairs.both('ten', (engine) => engine.metricRows('mrr', { at: MARCH.end, ...step })),
    )
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'invalid_value', status: 400 })
    const issues = (error as { issues: readonly { where: string }[] }).issues.map(({ where }) => where)
    expect(issues).toContain(`params.${name}`)
    if (available !== undefined) expect(error).toMatchObject({ context: { available } })
  })

  it('a pause is churn by default, and no movement under pause = keep', async () => {
    expect(await movements('ten', 'default')).toEqual({ expansion: 600, churn: -2000 })
    expect(await movements('ten', 'killbill-analytics')).toEqual({ churn: -1000 })
  })

  it('what changes in a pause shows at its end by default, and at once under pause = keep', async () => {
    expect(await movements('paused', 'default')).toEqual({ churn: -6000, reactivation: 10_000 })
    // S: from 30 to 50 on the 12th; two units of 50 count once. T: 30 on the day of its cancel.
    expect(await movements('paused', 'killbill-analytics')).toEqual({ expansion: 2000, churn: -3000 })
    const before = { start: '2025-03-01', end: '2025-03-13' }
    expect(await movements('paused', 'default', before)).toEqual({ churn: -3000 })
    expect(await movements('paused', 'killbill-analytics', before)).toEqual({ expansion: 2000 })
  })

  it('a paused subscription is listed as active under pause = keep', async () => {
    const statuses = (definitions: string) =>
      pairs.both('ten', async (engine) => {
        const { data } = await engine.list('subscriptions', { definitions, status: 'paused' })
        return (data as { total: number }).total
      })
    expect([await statuses('default'), await statuses('killbill-analytics')]).toEqual([1, 0])
  })

  it('a bridge from the plugin to Plumbline takes one option after the other', async () => {
    const found = await pairs.both('ten', async (engine) => {
      const params = { query_type: 'current', at: MARCH.end, from: 'killbill-analytics', to: 'plumbline' }
      return (await engine.bridge('mrr', params)).data
    })
    // Periods: WEEKLY 4333 and TRIANNUAL 1000. Quantity: 12,000 and 1167 and 2000 more. Usage: 6.00. The pause takes the year's 1000.
    const step = (option: string, from: string, to: string, value: number, difference: number) =>
      ({ option, from, to, value, difference }) as const
    const periods = 'MONTHLY,QUARTERLY,BIANNUAL,ANNUAL,BIENNIAL'
    expect(found).toEqual({
      measure: 'mrr',
      from: { definitions: 'killbill-analytics', value: 10_499 },
      to: { definitions: 'plumbline', value: 30_599 },
      steps: [
        step('billing_periods', periods, 'all', 15_832, 5333),
        step('quantity', 'one', 'agreed', 30_999, 15_167),
        step('mrr_usage', 'off', 'mean3', 31_599, 600),
        step('pause', 'keep', 'churn', 30_599, -1000),
      ],
      residual: 0,
    })
  })

  it('a bridge of more than one number, or without sets, is refused', async () => {
    const refused = (metric: string, params: object, spec = {}) =>
      expect(pairs.both('ten', (engine) => engine.bridge(metric, { ...params }, spec))).rejects
    const sets = { from: 'plumbline', to: 'default' }
    await refused('mrr', { query_type: 'current' }).toMatchObject({ code: 'invalid_value', context: { available: ALL } })
    await refused('mrr', { query_type: 'current', from: 'plumbline', to: 'other' }).toMatchObject({ code: 'invalid_value' })
    await refused('mrr', { query_type: 'current', ...sets }, { dimensions: ['plan_id'] }).toMatchObject({ code: 'invalid_value' })
    await refused('mrr', { query_type: 'breakdown', ...MARCH, ...sets }).toMatchObject({ code: 'invalid_value' })
    await refused('mrr', { query_type: 'current', ...sets, definitions: 'default' }).toMatchObject({ code: 'invalid_value' })
  })

  it('a bridge says that it identifies a customer, before it reads anything', async () => {
    const params = { query_type: 'current', from: 'plumbline', to: 'default' }
    const disclosing = (names: readonly string[]) => {
      if (names.length > 0) throw new Error(names.join())
    }
    const asked = pairs.both('ten', (engine) => engine.bridge('mrr', params, { filters: { customer_id: 'A' } }, { disclosing }))
    await expect(asked).rejects.toThrow('customer_id')
  })

  it('an unknown set is refused with the names of all', async () => {
    const refused = ask('ten', 'mrr', { query_type: 'current', definitions: 'killbill' })
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_value',
      context: { available: ALL },
    })
  })
})

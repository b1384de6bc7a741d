import { afterAll, beforeAll, expect, it } from 'vitest'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

const euro = (name: string, price: string) =>
  planXml(name, { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { EUR: price } }) })
const rate = (date: string, units: string) => ({ date, from: 'EUR', to: 'USD', rate: units })

/** A has 30.00 USD. B has 20.00 EUR, and 30.00 EUR from 5 March. C has 10.00 EUR until the first instant of March. */
const RATES: Scenario = {
  catalogs: [catalogOf(monthlyPlan('month', '30'), euro('basic', '20'), euro('plus', '30'), euro('ten', '10'))],
  accounts: { A: {}, B: { currency: 'EUR' }, C: { currency: 'EUR' } },
  subscriptions: {
    S: { account: 'A', events: [['2025-01-10', 'CREATE', 'month-evergreen']] },
    T: {
      account: 'B',
      events: [
        ['2025-01-10', 'CREATE', 'basic-evergreen'],
        ['2025-03-05', 'CHANGE', 'plus-evergreen'],
      ],
    },
    U: {
      account: 'C',
      events: [
        ['2025-01-10', 'CREATE', 'ten-evergreen'],
        ['2025-03-01', 'CANCEL'],
      ],
    },
  },
  rates: [rate('2025-01-01', '1.1'), rate('2025-02-15', '1.2'), rate('2025-03-01', '1.3'), rate('2025-03-10', '1.25')],
  now: '2025-04-01',
  sets: { revalued: { fx: 'period_end' }, flat: { fx: 'constant:2025-03-10' }, early: { fx: 'constant:2024-12-31' } },
}

const QUARTER = { start: '2025-01-01', end: '2025-03-31' }
const MARCH = { start: '2025-03-01', end: '2025-03-31' }

type Row = Readonly<Record<string, unknown>>

const month = (starting_mrr: number, ending_mrr: number, moved: Row = {}) => ({ starting_mrr, ending_mrr, ...moved })

/** Waterfalls of three months, worked out by hand. `flat` has 1.25 for all amounts, as has the last day of March. */
const FLAT = [month(0, 6750, { new: 6750 }), month(6750, 6750), month(6750, 6750, { expansion: 1250, churn: -1250 })]
const MONTHS = {
  default: [month(0, 6300, { new: 6300 }), month(6300, 6300), month(6300, 6900, { expansion: 1700, churn: -1100 })],
  revalued: [
    month(0, 6300, { new: 6300 }),
    month(6300, 6600, { fx_effect: 300 }),
    month(6600, 6750, { expansion: 1300, churn: -1300, fx_effect: 150 }),
  ],
  flat: FLAT,
  'constant-currency': FLAT,
}

firstEngineAndOneOther('options of exchange rates', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { rates: RATES })
  })
  afterAll(() => pairs?.close())
  const ask = async (metric: string, params: object, spec = {}) =>
    pairs.both('rates', async (engine) => (await engine.query(metric, { ...params }, spec)).data)
  const list = async (metric: string, params: object, spec = {}) => (await ask(metric, params, spec)) as readonly Row[]
  const sumOf = (metric: string, params: object, spec = {}) =>
    pairs.both('rates', async (engine) => {
      const { data } = await engine.metricRows(metric, { ...params }, spec)
      return (data as { readonly sum: number }).sum
    })
  const PARTS = [
    'starting_mrr',
    'new',
    'expansion',
    'contraction',
    'churn',
    'reactivation',
    'transfer',
    'fx_effect',
    'ending_mrr',
  ]
  const shown = (row: Row, keys: readonly string[] = PARTS) =>
    Object.fromEntries(keys.flatMap((key) => (row[key] === 0 && !key.endsWith('_mrr') ? [] : [[key, row[key]]])))

  it.each(Object.entries(MONTHS))(
    'waterfall, levels and breakdown under %s, worked out by hand (D65)',
    async (definitions, months) => {
      const params = { query_type: 'waterfall', ...QUARTER, definitions }
      expect((await list('mrr', params)).map((row) => shown(row))).toEqual(months)
      const series = await list('mrr', { query_type: 'series', interval: 'month', ...QUARTER, definitions })
      expect(series.map((row) => row['mrr'])).toEqual(months.map(({ ending_mrr }) => ending_mrr))
      const moved = await list('mrr', { query_type: 'breakdown', ...MARCH, definitions })
      const { starting_mrr: _, ending_mrr: __, ...last } = months[2] as Row
      expect(
        Object.fromEntries(
          moved.flatMap((row) => (row['amount_base'] === 0 ? [] : [[row['movement_type'], row['amount_base']]])),
        ),
      ).toEqual(last)
      for (const [index, day] of ['2025-01-31', '2025-02-28', '2025-03-31'].entries())
        expect(await ask('mrr', { query_type: 'current', at: day, definitions })).toBe(months[index]?.ending_mrr)
    },
  )

  it('by plan, a change of the plan is a transfer at the rate of its day', async () => {
    const rows = await list('mrr', { query_type: 'waterfall', ...MARCH, definitions: 'revalued' }, { dimensions: ['plan_id'] })
    expect(rows.map((row) => [row['plan_id'], shown(row)])).toEqual([
      ['basic', { starting_mrr: 2400, transfer: -2600, fx_effect: 200, ending_mrr: 0 }],
      ['month', { starting_mrr: 3000, ending_mrr: 3000 }],
      ['plus', { starting_mrr: 0, expansion: 1300, transfer: 2600, fx_effect: -150, ending_mrr: 3750 }],
      ['ten', { starting_mrr: 1200, churn: -1300, fx_effect: 100, ending_mrr: 0 }],
    ])
    const cell = { query_type: 'waterfall', ...MARCH, definitions: 'revalued', period: '2025-03-01', group: ['plan_id=plus'] }
    const spec = { dimensions: ['plan_id'] }
    for (const [measure, sum] of Object.entries({ transfer: 2600, fx_effect: -150, net_change: 3750, ending_mrr: 3750 }))
      expect([measure, await sumOf('mrr', { ...cell, measure }, spec)]).toEqual([measure, sum])
  })

  it('the rows of an effect of rates add up to it', async () => {
    const cell = { query_type: 'waterfall', ...MARCH, definitions: 'revalued', period: '2025-03-01' }
    for (const [measure, sum] of Object.entries({ starting_mrr: 6600, fx_effect: 150, net_change: 150, churn: -1300 }))
      expect([measure, await sumOf('mrr', { ...cell, measure })]).toEqual([measure, sum])
    const type = { query_type: 'breakdown', ...MARCH, definitions: 'revalued', movement_type: 'fx_effect' }
    expect(await sumOf('mrr', type)).toBe(150)
    expect(await sumOf('mrr', { ...type, measure: 'event_count' })).toBe(0)
  })

  it('rates leave the effect out, and net new MRR contains it', async () => {
    const summary = (await ask('summary', { ...MARCH, definitions: 'revalued' })) as Row
    // M: 3000 + 2400 + 1200. B gains 13.00; C cannot lose more than its 12.00.
    expect(summary).toMatchObject({ mrr: 6750, net_new_mrr: 150, nrr: 1.015152, grr: 0.818182 })
    expect(await ask('summary', { ...MARCH, definitions: 'flat' })).toMatchObject({
      mrr: 6750,
      net_new_mrr: 0,
      nrr: 1,
      grr: 0.814815,
    })
    const why = (await ask('mrr', { query_type: 'why', ...MARCH, definitions: 'revalued' })) as Row
    expect(why).toMatchObject({ change: 150, by_movement: { expansion: 1300, churn: -1300, transfer: 0, fx_effect: 150 } })
  })

  it('by currency there is no effect, and all values of the option agree', async () => {
    const by = (definitions: string) =>
      list('mrr', { query_type: 'waterfall', ...QUARTER, definitions }, { dimensions: ['currency'] })
    const usual = await by('default')
    expect(usual).toHaveLength(6)
    for (const definitions of ['revalued', 'flat']) expect(await by(definitions)).toEqual(usual)
  })

  it('a list of customers has the rates of today', async () => {
    const { data } = await pairs.both('rates', (engine) =>
      engine.list('customers', { definitions: 'revalued' }).then(({ data }) => ({ data })),
    )
    const rows = (data as { readonly rows: readonly Row[] }).rows
    expect(rows.map((row) => [row['external_key'], row['mrr_base_cents']]).sort()).toEqual([
      ['A', 3000],
      ['B', 3750],
      ['C', 0],
    ])
  })

  it('a day has no net movement, so it has no rows of one', async () => {
    const measures = { current: ['mrr'], arr: ['arr', 'mrr'] }
    for (const [query_type, available] of Object.entries(measures))
      for (const definitions of ['default', 'revalued']) {
        const asked = { query_type, at: '2025-03-31', measure: 'amount_base', definitions }
        const refusal = { code: 'invalid_value', context: { available } }
        const refused = pairs.both('rates', (engine) => engine.metricRows('mrr', asked).catch((error: unknown) => error))
        expect(await refused, definitions).toMatchObject(refusal)
      }
  })

  it('a constant day without a rate is named', async () => {
    await expect(ask('mrr', { query_type: 'current', at: '2025-03-31', definitions: 'early' })).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { currency: 'EUR', date: '2024-12-31' },
    })
  })

  it('a bridge takes the option as one step', async () => {
    const params = { query_type: 'current', at: '2025-03-31', from: 'default', to: 'revalued' }
    const found = await pairs.both('rates', async (engine) => (await engine.bridge('mrr', params)).data)
    expect(found).toMatchObject({
      steps: [{ option: 'fx', from: 'span_start', to: 'period_end', value: 6750, difference: -150 }],
      residual: 0,
    })
  })
})

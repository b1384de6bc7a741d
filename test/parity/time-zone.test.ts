import { afterAll, beforeAll, expect, it } from 'vitest'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

/**
 * Events in the hours in which New York (UTC-5, in summer UTC-4) still has the day before, or Kolkata (UTC+5:30) already has the next one. New York
 * sets its clocks forward on 9 March and back on 2 November.
 */
const ZONED: Scenario = {
  catalogs: [
    catalogOf(
      monthlyPlan('month', '30'),
      monthlyPlan('basic', '20'),
      monthlyPlan('plus', '50'),
      monthlyPlan('team', '40'),
      monthlyPlan('try', '10', { initial: phaseXml('TRIAL', { unit: 'DAYS', number: 31 }) }),
    ),
  ],
  accounts: {
    A: { created_date: '2025-02-01 03:00:00' },
    B: { created_date: '2025-01-31 20:00:00' },
    C: { created_date: '2025-03-09 06:30:00' },
    D: { created_date: '2025-11-03 04:30:00' },
    E: { created_date: '2025-03-01 03:00:00' },
  },
  subscriptions: {
    S1: { account: 'A', events: [['2025-02-01 03:00:00', 'CREATE', 'month-evergreen']] },
    S2: {
      account: 'B',
      events: [
        ['2025-01-31 20:00:00', 'CREATE', 'basic-evergreen'],
        ['2025-04-01 03:00:00', 'CANCEL'],
      ],
    },
    S3: {
      account: 'C',
      events: [
        ['2025-03-09 06:30:00', 'CREATE', 'plus-evergreen'],
        ['2025-03-10 03:30:00', 'CHANGE', 'team-evergreen'],
        ['2025-03-10 04:30:00', 'CHANGE', 'basic-evergreen'],
      ],
    },
    S4: { account: 'D', events: [['2025-11-03 04:30:00', 'CREATE', 'team-evergreen']] },
    S5: {
      account: 'E',
      events: [
        ['2025-03-01 03:00:00', 'CREATE', 'try-trial'],
        ['2025-04-01 02:00:00', 'PHASE', 'try-evergreen'],
      ],
    },
  },
  invoices: {
    I1: {
      account: 'A',
      created: '2025-02-01 03:00:00',
      items: [
        ['RECURRING', '30'],
        ['USAGE', '7', { subscription_id: 'S1', start_date: '2025-03-01' }],
      ],
      payments: [['2025-02-01 03:00:00', '37']],
    },
  },
  now: '2025-12-01 03:30:00',
  sets: { york: { time_zone: 'America/New_York' }, kolkata: { time_zone: 'Asia/Kolkata' } },
}

/** Now is 29 November in New York. B leaves and C's last amount in EUR changes in hours that are another day there. */
const AHEAD: Scenario = {
  catalogs: [
    catalogOf(
      monthlyPlan('month', '30'),
      monthlyPlan('basic', '20'),
      ...['ten', 'five'].map((name, index) =>
        planXml(name, { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { EUR: index === 0 ? '10' : '5' } }) }),
      ),
    ),
  ],
  accounts: { A: {}, B: {}, C: { currency: 'EUR' } },
  subscriptions: {
    S1: { account: 'A', charged_through: '2025-12-02 03:00:00', events: [['2025-11-02', 'CREATE', 'month-evergreen']] },
    S2: {
      account: 'B',
      events: [
        ['2025-11-02', 'CREATE', 'basic-evergreen'],
        ['2025-12-05 03:00:00', 'CANCEL', undefined, { created_date: '2025-11-10 00:00:00' }],
      ],
    },
    S3: {
      account: 'C',
      events: [
        ['2025-11-01', 'CREATE', 'five-evergreen'],
        ['2025-11-20 03:00:00', 'CHANGE', 'ten-evergreen'],
      ],
    },
  },
  rates: [
    { date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.1' },
    { date: '2025-11-20', from: 'EUR', to: 'USD', rate: '1.2' },
  ],
  now: '2025-11-30 03:30:00',
  sets: {
    york: { time_zone: 'America/New_York' },
    kolkata: { time_zone: 'Asia/Kolkata' },
    'york-revalued': { time_zone: 'America/New_York', fx: 'period_end' },
    'york-constant': { time_zone: 'America/New_York', fx: 'constant:last_month_end' },
  },
}

/** The billed period ends on 4 December. The fixed term ends on the 5th of the account, which is still the 4th in New York. */
const TERM: Scenario = {
  catalogs: [
    catalogOf(
      planXml('term', {
        initial: phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 6, period: 'MONTHLY', prices: { USD: '50' } }),
        final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '60' } }),
      }),
    ),
  ],
  subscriptions: {
    S1: {
      charged_through: '2025-12-04 20:00:00',
      events: [
        ['2025-06-05 03:00:00', 'CREATE', 'term-fixedterm'],
        ['2025-12-05 03:00:00', 'PHASE', 'term-evergreen', { created_date: '2025-06-05 03:00:00' }],
      ],
    },
  },
  now: '2025-11-30 03:30:00',
}

const YEAR = { start: '2025-01-01', end: '2025-11-30' }
const SETS = ['default', 'york', 'kolkata'] as const
type SetName = (typeof SETS)[number]
type Row = Readonly<Record<string, unknown>>

/** MRR at the ends of January to April, of October and of November, worked out by hand. */
const MONTH_ENDS: Readonly<Record<SetName, readonly number[]>> = {
  default: [2000, 5000, 7000, 6000, 6000, 10_000],
  york: [5000, 5000, 6000, 6000, 6000, 10_000],
  kolkata: [0, 5000, 7000, 6000, 6000, 10_000],
}
/** MRR at the ends of 8, 9 and 10 March: 9 March has 23 hours in New York. */
const SPRING: Readonly<Record<SetName, readonly number[]>> = {
  default: [5000, 10_000, 7000],
  york: [5000, 9000, 7000],
  kolkata: [5000, 10_000, 7000],
}
/** MRR at the ends of 1, 2 and 3 November: 2 November has 25 hours in New York. */
const AUTUMN: Readonly<Record<SetName, readonly number[]>> = {
  default: [6000, 6000, 10_000],
  york: [6000, 10_000, 10_000],
  kolkata: [6000, 6000, 10_000],
}
/** Sizes of the cohorts by month. */
const COHORTS: Readonly<Record<SetName, Readonly<Record<string, number>>>> = {
  default: { '2025-01-01': 1, '2025-02-01': 1, '2025-03-01': 1, '2025-04-01': 1, '2025-11-01': 1 },
  york: { '2025-01-01': 2, '2025-03-01': 2, '2025-11-01': 1 },
  kolkata: { '2025-02-01': 2, '2025-03-01': 1, '2025-04-01': 1, '2025-11-01': 1 },
}

firstEngineAndOneOther('time_zone', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, {
      zoned: ZONED,
      ahead: AHEAD,
      configured: { ...AHEAD, definitions: { time_zone: 'America/New_York' } },
      term: TERM,
      'term-zoned': { ...TERM, definitions: { time_zone: 'America/New_York' } },
    })
  })
  afterAll(() => pairs?.close())
  const ask = async (metric: string, params: object, spec: object = {}): Promise<unknown> =>
    pairs.both('zoned', async (engine) => (await engine.query(metric, { ...params }, { ...spec })).data)
  const rowsOf = async (metric: string, params: object, spec: object = {}) => (await ask(metric, params, spec)) as readonly Row[]
  const sumOf = (metric: string, params: object) =>
    pairs.both('zoned', async (engine) => ((await engine.metricRows(metric, { ...params })).data as { readonly sum: number }).sum)
  const levels = async (params: object) => (await rowsOf('mrr', { query_type: 'series', ...params })).map(({ mrr }) => mrr)

  it.each(SETS)('levels under %s, worked out by hand (D84)', async (definitions) => {
    const months = await levels({ ...YEAR, interval: 'month', definitions })
    expect([...months.slice(0, 4), ...months.slice(9)]).toEqual(MONTH_ENDS[definitions])
    const days = { interval: 'day', definitions }
    expect(await levels({ start: '2025-03-08', end: '2025-03-10', ...days })).toEqual(SPRING[definitions])
    expect(await levels({ start: '2025-11-01', end: '2025-11-03', ...days })).toEqual(AUTUMN[definitions])
    for (const [index, at] of ['2025-03-08', '2025-03-09', '2025-03-10'].entries())
      expect(await ask('mrr', { at, definitions }), at).toBe(SPRING[definitions][index])
  })

  it.each(SETS)('movements, their rows and their sentences under %s', async (definitions) => {
    const march = { start: '2025-03-01', end: '2025-03-31', definitions }
    const expected = {
      default: { new: 5000, contraction: -3000, churn: 0 },
      york: { new: 6000, contraction: -3000, churn: -2000 },
      kolkata: { new: 5000, contraction: -3000, churn: 0 },
    }[definitions]
    const breakdown = await rowsOf('mrr', { query_type: 'breakdown', ...march })
    for (const [movement_type, amount] of Object.entries(expected)) {
      const row = breakdown.find((one) => one['movement_type'] === movement_type)
      expect(row?.['amount_base'] ?? 0, movement_type).toBe(amount)
      expect(await sumOf('mrr', { query_type: 'breakdown', ...march, movement_type })).toBe(amount)
    }
    const [month] = await rowsOf('mrr', { query_type: 'waterfall', ...march, interval: 'month' })
    expect(month).toMatchObject({ period: '2025-03-01', ending_mrr: MONTH_ENDS[definitions][2], ...expected })
    const why = (await ask('mrr', { query_type: 'why', ...march })) as { readonly movers: readonly Row[] }
    const begun = why.movers.find(({ occurred_at }) => occurred_at === '2025-03-10T03:30:00.000Z')
    expect(begun?.['text']).toContain(definitions === 'york' ? ' on 2025-03-09: ' : ' on 2025-03-10: ')
  })

  it.each(SETS)('rows behind a level add up to it under %s', async (definitions) => {
    const series = { query_type: 'series', ...YEAR, interval: 'month', definitions }
    for (const [index, period] of ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01'].entries())
      expect(await sumOf('mrr', { ...series, period, measure: 'mrr' }), period).toBe(MONTH_ENDS[definitions][index])
  })

  it.each(SETS)('logo churn under %s', async (definitions) => {
    const churn = (start: string, end: string) => ask('churn', { type: 'logo', start, end, definitions })
    const isMarch = definitions === 'york'
    expect(await churn('2025-03-01', '2025-03-31')).toBe(isMarch ? 0.5 : 0)
    expect(await churn('2025-04-01', '2025-04-30')).toBe(isMarch ? 0 : 0.333333)
  })

  it.each(SETS)('cohorts of activity and of payment under %s', async (definitions) => {
    const matrix = await rowsOf('retention', { query_type: 'cohort_matrix', ...YEAR, definitions })
    const sizes = Object.fromEntries(matrix.map(({ cohort_month, cohort_size }) => [cohort_month, cohort_size]))
    expect(sizes).toEqual(COHORTS[definitions])
    const revenue = await rowsOf('retention', { query_type: 'revenue_cohort_matrix', ...YEAR, definitions })
    expect([...new Set(revenue.map(({ cohort_month }) => cohort_month))]).toEqual(Object.keys(COHORTS[definitions]))
    const paid = await rowsOf('ltv', { query_type: 'cohort', start: '2025-01-01', end: '2025-01-31', definitions })
    const january = { default: [1, 0], york: [2, 3700], kolkata: undefined }[definitions]
    const [first] = paid.filter(({ customer_count }) => customer_count !== 0)
    expect(first && [first['customer_count'], first['total_revenue']]).toEqual(january)
    const months = await rowsOf(
      'mrr',
      { at: '2025-05-01', definitions },
      { dimensions: ['cohort_month', 'customer_created_month'] },
    )
    const monthOf = { default: '2025-02-01', york: '2025-01-01', kolkata: '2025-02-01' }[definitions]
    expect(months.find(({ mrr }) => mrr === 3000)).toMatchObject({ cohort_month: monthOf, customer_created_month: monthOf })
    const { data } = await pairs.both('zoned', async (engine) => ({
      data: (await engine.list('customers', { definitions, search: 'A', limit: '10' })).data as { readonly rows: readonly Row[] },
    }))
    expect(data.rows.map(({ cohort_month }) => cohort_month)).toContain(monthOf)
  })

  it.each(SETS)('trials, paid usage and invoices under %s', async (definitions) => {
    const months = { start: '2025-02-01', end: '2025-03-31', interval: 'month', definitions }
    const started = (await rowsOf('trials', { query_type: 'series', ...months })).map((row) => row['started'])
    expect(started).toEqual(definitions === 'york' ? [1, 0] : [0, 1])
    // The day of a usage charge is a date of the account. It stays.
    const usage = (await rowsOf('usage_revenue', { query_type: 'series', ...months })).map((row) => row['revenue'])
    expect(usage).toEqual([0, 700])
    expect(await ask('usage_revenue', { start: '2025-03-01', end: '2025-03-01', definitions })).toBe(700)
  })

  it.each(SETS)('a day in a condition is a day of the calendar under %s', async (definitions) => {
    const mrr = (day: string) => ask('mrr', { at: '2025-03-01', definitions }, { filters: { 'customer.created_at': day } })
    const days = { default: [2000, 3000], york: [5000, 0], kolkata: [0, 5000] }[definitions]
    expect([await mrr('2025-01-31'), await mrr('2025-02-01')]).toEqual(days)
    expect(await mrr('2025-02-01T03:00:00Z')).toBe(3000)
  })

  it.each(SETS)('today and named ranges under %s', async (definitions) => {
    // It is 03:30 on 1 December in UTC, 22:30 on 30 November in New York.
    const rows = await rowsOf('mrr', { query_type: 'breakdown', range: 'this-month', definitions })
    const added = rows.reduce((sum, row) => sum + Number(row['amount_base']), 0)
    expect(added).toBe(definitions === 'york' ? 4000 : 0)
    const { meta } = await pairs.both('zoned', async (engine) => {
      const answer = await engine.query('mrr', { definitions })
      return { meta: { time_zone: answer.meta.time_zone } }
    })
    expect(meta.time_zone).toBe({ default: undefined, york: 'America/New_York', kolkata: 'Asia/Kolkata' }[definitions])
    const summary = (await ask('summary', { definitions })) as Row
    expect(summary['mrr']).toBe(10_000)
    expect(summary['as_of'] ?? '').toBe(definitions === 'york' ? '2025-11-30' : '2025-12-01')
  })

  it.each(SETS)('a forecast, and rates of UTC dates, under %s', async (definitions) => {
    const mrr = (params: object) =>
      pairs.both('ahead', async (engine) => (await engine.query('mrr', { definitions, ...params })).data)
    // B leaves at 22:00 on 4 December in New York, and its 20.00 with it. 10.00 EUR are 12.00.
    const isGone = definitions === 'york'
    expect(await mrr({ at: '2025-12-04', forecast: true })).toBe(isGone ? 4200 : 6200)
    expect(await mrr({ at: '2025-12-05', forecast: true })).toBe(4200)
    // C's change has the rate of 20 November, its UTC date, also where it is 19 November.
    expect(await mrr({ at: '2025-11-19' })).toBe(isGone ? 6200 : 5550)
    expect(await mrr({ at: '2025-11-20' })).toBe(6200)
  })

  it('rates of period ends and of a constant day are those of UTC dates', async () => {
    const levels = async (definitions: string) => {
      const days = { start: '2025-11-18', end: '2025-11-20', interval: 'day', query_type: 'waterfall', definitions }
      const rows = (await pairs.both('ahead', async (engine) => (await engine.query('mrr', days)).data)) as readonly Row[]
      return rows.map(({ ending_mrr, fx_effect = 0 }) => [ending_mrr, fx_effect])
    }
    // The last instant of 19 November in New York is on 20 November in UTC, after C's change at the new rate.
    expect(await levels('york-revalued')).toEqual([
      [5550, 0],
      [6200, 50],
      [6200, 0],
    ])
    // October is over in New York, too: all amounts have 1.10.
    expect(await levels('york-constant')).toEqual([
      [5550, 0],
      [6100, 0],
      [6100, 0],
    ])
  })

  it('renewals keep the local days of the account (D82)', async () => {
    const daysOf = (name: string) =>
      pairs.both(name, async (engine) => {
        const { rows } = (await engine.renewals({ start: '2025-12-01', end: '2025-12-31' })).data as {
          readonly rows: readonly Row[]
        }
        return rows.map(({ renews_on }) => renews_on)
      })
    expect(await daysOf('ahead')).toEqual(['2025-12-02'])
    expect(await daysOf('configured')).toEqual(['2025-12-02'])
    expect(await daysOf('term')).toEqual(['2025-12-04', '2025-12-05'])
    expect(await daysOf('term-zoned')).toEqual(['2025-12-04', '2025-12-05'])
  })

  it('a bridge says what the zone changes', async () => {
    const asked = { type: 'logo', start: '2025-03-01', end: '2025-03-31', from: 'default', to: 'york' }
    const { data } = await pairs.both('zoned', async (engine) => ({ data: (await engine.bridge('churn', asked)).data }))
    expect(data).toMatchObject({
      from: { value: 0 },
      steps: [{ option: 'time_zone', from: 'UTC', to: 'America/New_York', value: 0.5, difference: 0.5 }],
      residual: 0,
    })
  })
})

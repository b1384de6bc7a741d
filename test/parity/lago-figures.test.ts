import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { northExpected } from '../support/data/lago/north-rows.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { northFigures } from '../support/oracles/lago/switch-loops.ts'
import { marked } from '../support/oracles/running-period.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

type Types = Record<'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation', number>
type Rows = readonly Readonly<Record<string, string | number | boolean | null>>[]
type Params = Readonly<Record<string, string>>
type Spec = Readonly<Record<string, unknown>>

interface Figures {
  readonly mrr_at: Record<string, number>
  readonly snapshot_at: Record<string, Snapshot>
  readonly series: Record<string, Record<string, readonly { period: string; mrr: number; net: number }[]>>
  readonly breakdown: Record<string, Types>
  readonly waterfall: Record<string, readonly (Record<string, number> & { readonly month: string })[]>
  readonly mrr_by: Record<string, Record<string, Record<string, number>>>
  readonly breakdown_by: Record<string, Record<string, Record<string, Types>>>
  readonly segment: Record<string, { mrr_at: Record<string, number>; breakdown: Record<string, Types> }>
  readonly logo_churn: Record<string, { active_at_start: number; churn_count: number; logo_churn_rate: number | null }>
  readonly revenue_churn: Record<string, { customers: number; revenue_lost: number; revenue_churn_rate: number | null }>
  readonly retention: Record<string, { nrr: number | null; grr: number | null }>
  readonly quick_ratio: Record<string, number>
  readonly cohort_matrix: Record<string, readonly (Record<string, string | boolean> & { readonly retention_rate: number })[]>
  readonly cohort_ltv: Record<string, readonly { readonly avg_revenue_per_customer: number | null }[]>
  readonly arpu: Record<string, { arpu: number | null; mrr: number; paying_customers: number }>
  readonly ltv: Record<string, { ltv: number | null }>
  readonly trials_funnel: Record<string, { conversion_rate: number | null }>
  readonly trials_series: Record<string, readonly { period: string; conversion_rate: number | null }[]>
  readonly trials_series_week: readonly { period: string; conversion_rate: number | null }[]
  readonly usage_revenue: Record<string, Usage>
  readonly customers: readonly Customer[]
}
interface Snapshot {
  readonly by_currency_cents: Record<string, number>
  readonly live_customers: number
  readonly live_subscriptions: number
  readonly mrr_base_cents: number
  readonly subscription_base_cents: number
  readonly usage_base_cents: number
}
interface Usage {
  readonly total_base_cents: number
  readonly series: Record<string, number>
  readonly by_customer: Record<string, number>
  readonly by_currency_cents: Record<string, number>
}
interface Customer {
  readonly id: string
  readonly external_key: string
  readonly status: string
  readonly live_subscriptions: number
  readonly mrr_cents: number
  readonly mrr_base_cents: number
  readonly first_active_at: string | null
  readonly churned_at: string | null
}

const TYPES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const

/** The days of `start..end` or of a month. */
function daysOf(key: string): { readonly start: string; readonly end: string } {
  const [start = '', end] = key.split('..')
  if (end !== undefined) return { start, end }
  const [year = 0, month = 0] = key.split('-').map(Number)
  return { start: `${key}-01`, end: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) }
}

function rounded(value: number | null, decimals: number): number | null {
  return value === null ? null : Number(value.toFixed(decimals))
}

function nonZero(groups: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(groups).filter(([, cents]) => cents !== 0))
}

/** The figures write a customer without a country as `None`. */
function groupName(cell: unknown): string {
  return String(cell ?? 'None')
}

/** Months of a range, cut to the range. */
function monthIn(month: string, range: { readonly start: string; readonly end: string }) {
  const { start, end } = daysOf(month.slice(0, 7))
  return {
    start: start < range.start ? range.start : start,
    end: end > range.end ? range.end : end,
  }
}

const TIERS: Readonly<Record<string, string | undefined>> = {
  'attr.tier = enterprise': 'enterprise',
  'attr.tier is_empty': undefined,
}

/**
 * The known figures look at each currency alone. Those that a switch of currency changes (D85) are counted again, in loops over the known
 * spans and movements. Levels, logo churn, cohorts and the breakdown by currency are unchanged.
 */
function counted(expected: Figures, joined: boolean): Figures {
  const again = northFigures(joined)
  const each = <T, U>(figures: Readonly<Record<string, T>>, count: (range: { start: string; end: string }, known: T) => U) =>
    Object.fromEntries(Object.entries(figures).map(([key, known]) => [key, count(daysOf(key), known)]))
  return {
    ...expected,
    breakdown: each(expected.breakdown, again.breakdown),
    waterfall: each(expected.waterfall, (range, known) =>
      known.map((row) => Object.assign({}, row, again.breakdown(monthIn(row.month, range)))),
    ),
    breakdown_by: Object.fromEntries(
      Object.entries(expected.breakdown_by).map(([dimension, figures]) => [
        dimension,
        dimension === 'currency' ? figures : each(figures, (range) => Object.fromEntries(again.breakdownBy(dimension, range))),
      ]),
    ),
    segment: Object.fromEntries(
      Object.entries(expected.segment).map(([name, known]) => [
        name,
        {
          ...known,
          breakdown: each(known.breakdown, (range) => again.ofTier(TIERS[name], range)),
        },
      ]),
    ),
    revenue_churn: each(expected.revenue_churn, again.revenueChurn),
    retention: each(expected.retention, (range, known) => ({
      ...known,
      ...again.retention(range),
    })),
    quick_ratio: each(expected.quick_ratio, again.quickRatio),
  }
}

describe('the loops over the known movements', () => {
  it('find the known figures if each currency is looked at alone', () => {
    const known = northExpected<Figures>('expected')
    const { breakdown_by, ...figures } = counted(known, false)
    const { breakdown_by: knownBy, ...others } = known
    expect(figures).toEqual(others)
    const moved = (groups: Record<string, Types>) =>
      Object.fromEntries(Object.entries(groups).filter(([, types]) => TYPES.some((type) => types[type] !== 0)))
    for (const [dimension, ranges] of Object.entries(knownBy))
      for (const [range, groups] of Object.entries(ranges))
        expect(moved(breakdown_by[dimension]?.[range] ?? {}), `${dimension} ${range}`).toEqual(moved(groups))
  })

  it('find switches of currency, as that of the special case cus_0909', () => {
    const { switched } = northFigures(true)
    const id = northExpected<Figures>('expected').customers.find(({ external_key }) => external_key === 'cus_0909')?.id
    expect(new Set(switched.map(({ together }) => together)).size).toBeGreaterThan(20)
    // USD 219.00 begin where EUR 69.00 and usage end: 219.00 - 78.18 - 9.51 = 131.31.
    const own = switched.filter(({ customer }) => customer === id)
    expect([own.map(({ type }) => type), own.reduce((sum, row) => sum + row.amount_base_cents, 0)]).toEqual([
      ['expansion', 'expansion', 'expansion'],
      13_131,
    ])
  })
})

onPostgres('the figures of a Lago organization', (target) =>
  describe.each(['straight', 'from the cache'])('%s', (mode) => {
    const expected = counted(northExpected<Figures>('expected'), true)
    let engine: Engine
    let cache: CountedCache | undefined
    beforeAll(async () => {
      const onCache = (made: CountedCache) => {
        cache = made
      }
      engine = await lagoEngine(await sharedNorth(target), mode === 'straight' ? {} : { onCache })
    })
    afterEach(() => {
      expect(cache?.failures() ?? []).toEqual([])
      expect((cache?.answered() ?? 0) > 0).toBe(mode === 'from the cache')
    })
    afterAll(() => engine.close())
    // Straight answers take longer, so a seventh of the cases is asked in each turn. The cache is asked all.
    const inTurn = <T>(cases: readonly T[]) => (mode === 'straight' ? sampleOf(target, cases, { first: 7 }) : cases)
    const ask = async (metric: string, params: Params, spec: Spec = {}): Promise<unknown> =>
      (await engine.query(metric, params, spec)).data
    const rows = async (metric: string, params: Params, spec: Spec = {}) => (await ask(metric, params, spec)) as Rows
    const breakdown = async (range: Params, spec: Spec = {}) =>
      Object.fromEntries(
        (await rows('mrr', { query_type: 'breakdown', ...range }, spec)).flatMap(({ movement_type, amount_base }) =>
          movement_type === 'transfer' ? [] : [[movement_type, amount_base]],
        ),
      )

    it('MRR on each known day, its components, currencies and subscriptions', async () => {
      for (const [at, wanted] of inTurn(Object.entries(expected.snapshot_at))) {
        expect(await ask('mrr', { at }), at).toBe(expected.mrr_at[at])
        const byCurrency = await rows('mrr', { at }, { dimensions: ['currency'] })
        expect(new Map(byCurrency.map((row) => [row['currency'], row['mrr']])), at).toEqual(nonZero(wanted.by_currency_cents))
        const live = await engine.rows.getActiveSubscriptions(at)
        expect([live.length, new Set(live.map((row) => row.customer_id)).size], at).toEqual([
          wanted.live_subscriptions,
          wanted.live_customers,
        ])
      }
    })

    it.each(Object.keys(expected.series))('series by %s', async (interval) => {
      for (const [key, wanted] of inTurn(Object.entries(expected.series[interval] ?? {})))
        expect(await rows('mrr', { query_type: 'series', ...daysOf(key), interval }), key).toEqual(
          wanted.map(({ period, mrr, net }) => marked({ period, mrr, amount_base: net }, period, interval)),
        )
    })

    it('breakdown of each range and month, and waterfall', async () => {
      for (const [key, wanted] of inTurn(Object.entries(expected.breakdown)))
        expect(await breakdown(daysOf(key)), key).toEqual(wanted)
      for (const [key, wanted] of inTurn(Object.entries(expected.waterfall)))
        expect(await rows('mrr', { query_type: 'waterfall', ...daysOf(key) }), key).toEqual(
          wanted.map((row) => marked({ ...row, period: row.month, transfer: 0, fx_effect: 0 }, row.month)),
        )
    })

    it.each(Object.keys(expected.mrr_by))('level and breakdown by %s', async (dimension) => {
      const dimensions = [dimension]
      for (const [at, groups] of inTurn(Object.entries(expected.mrr_by[dimension] ?? {}))) {
        const found = await rows('mrr', { at }, { dimensions })
        expect(new Map(found.map((row) => [groupName(row[dimension]), row['mrr']])), at).toEqual(nonZero(groups))
      }
      for (const [key, groups] of inTurn(Object.entries(expected.breakdown_by[dimension] ?? {}))) {
        const wanted = Object.entries(groups).flatMap(([group, types]) =>
          TYPES.map((type) => [`${group} ${type}`, types[type]] as const),
        )
        const found = await rows('mrr', { query_type: 'breakdown', ...daysOf(key) }, { dimensions })
        const moved = found.filter((row) => row['movement_type'] !== 'transfer' && row['amount_base'] !== 0)
        expect(
          new Map(moved.map((row) => [`${groupName(row[dimension])} ${row['movement_type']}`, row['amount_base']])),
          key,
        ).toEqual(nonZero(Object.fromEntries(wanted)))
      }
    })

    it.each([
      ['attr.tier = enterprise', { 'attr.tier': 'enterprise' }],
      ['attr.tier is_empty', { 'attr.tier': { is_empty: true } }],
    ])('of customers with %s', async (name, filters) => {
      const wanted = expected.segment[name]
      if (wanted === undefined) throw new Error(`no known figures of ${name}`)
      for (const [at, cents] of inTurn(Object.entries(wanted.mrr_at)))
        expect(await ask('mrr', { at }, { filters }), at).toBe(cents)
      for (const [key, types] of inTurn(Object.entries(wanted.breakdown)))
        expect(await breakdown(daysOf(key), { filters }), key).toEqual(types)
    })

    it('logo churn and revenue churn', async () => {
      for (const [key, wanted] of inTurn(Object.entries(expected.logo_churn))) {
        expect(await ask('churn', { query_type: 'logo', ...daysOf(key) }), key).toBe(rounded(wanted.logo_churn_rate, 6))
        const detail = await rows('churn', { query_type: 'detail', ...daysOf(key) })
        expect([detail.length, detail.filter((row) => row['churned_at'] !== null).length], key).toEqual([
          wanted.active_at_start,
          wanted.churn_count,
        ])
      }
      for (const [key, wanted] of inTurn(Object.entries(expected.revenue_churn))) {
        expect(await ask('churn', { query_type: 'revenue', ...daysOf(key) }), key).toBe(rounded(wanted.revenue_churn_rate, 6))
        const table = await rows('churn', { query_type: 'revenue_events', ...daysOf(key) })
        expect([table.length, table.reduce((sum, row) => sum + Number(row['mrr_cents']), 0)], key).toEqual([
          wanted.customers,
          wanted.revenue_lost,
        ])
      }
    })

    it('quick ratio', async () => {
      for (const [key, ratio] of inTurn(Object.entries(expected.quick_ratio)))
        expect((await engine.summary(daysOf(key))).data, key).toMatchObject({ quick_ratio: rounded(ratio, 6) })
    })

    it('net and gross retention', async () => {
      for (const [key, wanted] of inTurn(Object.entries(expected.retention))) {
        expect(await ask('retention', { query_type: 'nrr', ...daysOf(key) }), key).toBe(rounded(wanted.nrr, 6))
        expect(await ask('retention', { query_type: 'grr', ...daysOf(key) }), key).toBe(rounded(wanted.grr, 6))
      }
    })

    it('cohorts by activity and by revenue', async () => {
      for (const [key, wanted] of inTurn(Object.entries(expected.cohort_matrix)))
        expect(await rows('retention', { query_type: 'cohort_matrix', ...daysOf(key) }), key).toEqual(
          wanted.map((row) => ({ ...row, retention_rate: rounded(row.retention_rate, 6) })),
        )
      for (const [key, wanted] of inTurn(Object.entries(expected.cohort_ltv)))
        expect(await rows('ltv', { query_type: 'cohort', ...daysOf(key) }), key).toEqual(
          wanted.map((row) => ({ ...row, avg_revenue_per_customer: rounded(row.avg_revenue_per_customer, 2) })),
        )
    })

    it('ARPU and LTV', async () => {
      for (const [at, { arpu, mrr, paying_customers }] of inTurn(Object.entries(expected.arpu))) {
        expect(await ask('ltv', { query_type: 'arpu', at }), at).toBe(rounded(arpu, 2))
        const found = await rows('ltv', { query_type: 'arpu', at }, { dimensions: ['source'] })
        const wanted = { source: 'lago', arpu: rounded(arpu, 2), mrr, active_customers: paying_customers }
        expect(found, at).toEqual(paying_customers === 0 ? [] : [wanted])
      }
      for (const [key, wanted] of inTurn(Object.entries(expected.ltv)))
        expect(await ask('ltv', { query_type: 'simple', ...daysOf(key) }), key).toBe(rounded(wanted.ltv, 2))
    })

    it('trials', async () => {
      for (const [key, wanted] of inTurn(Object.entries(expected.trials_funnel)))
        expect(await ask('trials', { query_type: 'funnel', ...daysOf(key) }), key).toMatchObject({
          ...wanted,
          conversion_rate: rounded(wanted.conversion_rate, 6),
        })
      const inPeriods = (given: Figures['trials_series_week'], interval: string) =>
        given.map((row) =>
          expect.objectContaining(marked({ ...row, conversion_rate: rounded(row.conversion_rate, 6) }, row.period, interval)),
        )
      for (const [key, wanted] of inTurn(Object.entries(expected.trials_series)))
        expect(await rows('trials', { query_type: 'series', ...daysOf(key) }), key).toEqual(inPeriods(wanted, 'month'))
      const weeks = { start: '2025-03-15', end: '2025-08-20', interval: 'week' }
      expect(await rows('trials', { query_type: 'series', ...weeks })).toEqual(inPeriods(expected.trials_series_week, 'week'))
    })

    it('usage revenue of each range and month, by month, customer and currency', async () => {
      for (const [key, wanted] of inTurn(Object.entries(expected.usage_revenue))) {
        const range = daysOf(key)
        expect(await ask('usage_revenue', range), key).toBe(wanted.total_base_cents)
        expect(await rows('usage_revenue', { query_type: 'series', ...range }), key).toEqual(
          Object.entries(wanted.series).map(([period, revenue]) => marked({ period, revenue }, period)),
        )
        const byCustomer = await rows('usage_revenue', { query_type: 'by_customer', ...range })
        expect(new Map(byCustomer.map((row) => [row['customer_id'], row['revenue']])), key).toEqual(nonZero(wanted.by_customer))
        const byCurrency = await rows('usage_revenue', range, { dimensions: ['currency'] })
        expect(new Map(byCurrency.map((row) => [row['currency'], row['revenue']])), key).toEqual(
          nonZero(wanted.by_currency_cents),
        )
      }
    })

    it('the state of each customer', async () => {
      const { rows: listed } = (await engine.list('customers', { limit: '1000' }, {})).data as { rows: Rows }
      const found = new Map(listed.map((row) => [row['id'], row]))
      for (const { first_active_at, churned_at, mrr_cents, ...wanted } of expected.customers) {
        const instants = [found.get(wanted.id)?.['first_active_at'], found.get(wanted.id)?.['churned_at']]
        expect(
          instants.map((at) => (at === null || at === undefined ? null : `${String(at).slice(0, 19)}Z`)),
          wanted.external_key,
        ).toEqual([first_active_at, churned_at])
        expect(found.get(wanted.id), wanted.external_key).toMatchObject(wanted)
      }
    })
  }),
)

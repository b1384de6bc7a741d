import { expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { marked } from './running-period.ts'

export type Types = Record<'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation', number>
export type Rows = readonly Readonly<Record<string, string | number | boolean | null>>[]
type Params = Readonly<Record<string, string>>
type Spec = Readonly<Record<string, unknown>>

/** Known figures of a billing database, by query and days. Money is in hundredths. */
export interface Figures {
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
}
export interface Snapshot {
  readonly by_currency_cents: Record<string, number>
  readonly live_customers: number
  readonly live_subscriptions: number
  readonly mrr_base_cents: number
  readonly subscription_base_cents: number
  readonly usage_base_cents: number
}
export interface Usage {
  readonly total_base_cents: number
  readonly series: Record<string, number>
  readonly by_customer: Record<string, number>
  readonly by_currency_cents: Record<string, number>
}
export const MOVEMENT_TYPES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const

/** The days of `start..end` or of a month. */
export function daysOf(key: string): { readonly start: string; readonly end: string } {
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

interface Asked {
  readonly expected: Figures
  /** The product, once it is open. */
  engine(): Engine
  /** The name of the billing engine. */
  readonly source: string
  /** The cases to ask. */
  inTurn<T>(cases: readonly T[]): readonly T[]
}

/** Tests that compare answers of the product with known figures. */
export function compareFigures({ expected, engine, source, inTurn }: Asked): void {
  const ask = async (metric: string, params: Params, spec: Spec = {}): Promise<unknown> =>
    (await engine().query(metric, params, spec)).data
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
      const live = await engine().rows.getActiveSubscriptions(at)
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
        MOVEMENT_TYPES.map((type) => [`${group} ${type}`, types[type]] as const),
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
    for (const [at, cents] of inTurn(Object.entries(wanted.mrr_at))) expect(await ask('mrr', { at }, { filters }), at).toBe(cents)
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
      expect((await engine().summary(daysOf(key))).data, key).toMatchObject({ quick_ratio: rounded(ratio, 6) })
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
      const wanted = { source: source, arpu: rounded(arpu, 2), mrr, active_customers: paying_customers }
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
      expect(new Map(byCurrency.map((row) => [row['currency'], row['revenue']])), key).toEqual(nonZero(wanted.by_currency_cents))
    }
  })
}

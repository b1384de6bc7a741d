import { beforeAll, describe, expect, it } from 'vitest'
import { dayAfter, dayOf } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { marked } from '../support/oracles/running-period.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | boolean | null>
type Logo = { logo_churn_rate: number | null; churn_count: number; active_at_start: number }
type Revenue = { revenue_churn_rate: number | null; revenue_lost: number; start_mrr: number; customers: number }
type Retention = {
  nrr: number | null
  grr: number | null
  start_mrr: number
  expansion: number
  contraction: number
  churn: number
  reactivation: number
}
interface Metrics {
  logo_churn: Record<string, Logo>
  revenue_churn: Record<string, Revenue>
  retention: Record<string, Retention>
  cohort_matrix: Record<string, Row[]>
  arpu: Record<string, { arpu: number | null; mrr: number; paying_customers: number }>
  ltv: Record<string, { ltv: number | null; arpu: number | null; logo_churn_rate: number | null }>
  cohort_ltv: Record<
    string,
    { cohort_month: string; customer_count: number; total_revenue: number; avg_revenue_per_customer: number | null }[]
  >
}
type Event = { occurred_at: string; customer: string }

const MONTHS = { start: '2024-11-20', end: '2026-11-20', granularity: 'month' }

function rangesOf<T>(byKey: Record<string, T>): [key: string, wanted: T, range: { start: string; end: string }][] {
  return Object.entries(byKey).flatMap(([key, wanted]) => {
    const [start, end] = key.split('..')
    return start === undefined || end === undefined ? [] : [[key, wanted, { start, end }]]
  })
}

function monthsOf<T>(byKey: Record<string, T>): [string, T][] {
  return Object.entries(byKey)
    .filter(([key]) => /^\d{4}-\d{2}$/.test(key))
    .map(([key, wanted]) => [`${key}-01`, wanted])
}

function rounded(value: number | null, decimals: number): number | null {
  return value === null ? null : Number(value.toFixed(decimals))
}

oneEngineInRotation('churn, retention and ltv on the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const shift = shiftOf(target, tenant)
    const expected = expectedNumbers<Metrics>(tenant, 'metrics')
    const ask = async (metric: string, params: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<unknown> => {
      const engine = engines.get(tenant)
      if (engine === undefined) throw new Error(`no engine for ${tenant}`)
      return (await engine.query(metric, params, spec)).data
    }
    const rows = async (metric: string, params: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
      (await ask(metric, params, spec)) as Row[]
    const bySource = { dimensions: ['source'] }

    it('has the recorded logo churn of every range and month (D41, I10)', async () => {
      for (const [key, wanted, range] of sampleOf(target, rangesOf(expected.logo_churn), { shift })) {
        const rate = rounded(wanted.logo_churn_rate, 6)
        expect(await ask('churn', { query_type: 'logo', ...range }), key).toBe(rate)
        const detail = await rows('churn', { query_type: 'detail', ...range })
        expect([detail.length, detail.filter((row) => row['churned_at'] !== null).length], key).toEqual([
          wanted.active_at_start,
          wanted.churn_count,
        ])
        expect(detail.filter((row) => row['fully_churned'] === true && row['churned_at'] === null)).toEqual([])
      }
      const found = new Map((await rows('churn', { query_type: 'logo', ...MONTHS })).map(({ period, ...row }) => [period, row]))
      for (const [month, wanted] of monthsOf(expected.logo_churn)) {
        expect(found.get(month), month).toEqual(marked({ ...wanted, logo_churn_rate: rounded(wanted.logo_churn_rate, 6) }, month))
      }
    })

    it('has the recorded logo churn events as first churns of their months (D39, D40)', async () => {
      const events = expectedNumbers<Event[]>(tenant, 'logo_churn_events')
      for (const { occurred_at } of sampleOf(target, events.slice(0, 12), { shift })) {
        const day = occurred_at.slice(0, 10)
        const detail = await rows('churn', { query_type: 'detail', start: day, end: day })
        const wanted = events
          .filter((event) => event.occurred_at.startsWith(day))
          .map((event) => `${event.occurred_at.slice(0, 19)}.000Z`)
        const found = detail.flatMap((row) => row['churned_at'] ?? [])
        expect(found.sort(), dayOf(dayAfter(day))).toEqual(wanted.sort())
      }
    })

    it('has the recorded revenue churn of every range and month, and its table (D44, I11)', async () => {
      for (const [key, wanted, range] of sampleOf(target, rangesOf(expected.revenue_churn), { shift })) {
        const { customers, ...figures } = wanted
        expect(await ask('churn', { query_type: 'revenue', ...range }), key).toBe(rounded(wanted.revenue_churn_rate, 6))
        const bySource1 = await rows('churn', { query_type: 'revenue', ...range }, bySource)
        const nothing = figures.start_mrr === 0 && figures.revenue_lost === 0
        expect(bySource1, key).toEqual(
          nothing ? [] : [{ source: 'killbill', ...figures, revenue_churn_rate: rounded(figures.revenue_churn_rate, 6) }],
        )
        const table = await rows('churn', { query_type: 'revenue_events', ...range })
        expect([table.length, table.reduce((sum, row) => sum + Number(row['mrr_cents']), 0)], key).toEqual([
          customers,
          wanted.revenue_lost,
        ])
      }
      const found = new Map(
        (await rows('churn', { query_type: 'revenue', ...MONTHS })).map(({ period, ...row }) => [period, row]),
      )
      for (const [month, { customers: _, ...wanted }] of monthsOf(expected.revenue_churn)) {
        expect(found.get(month), month).toEqual(
          marked({ ...wanted, revenue_churn_rate: rounded(wanted.revenue_churn_rate, 6) }, month),
        )
      }
    })

    it('has the recorded net and gross retention of every range and month (D45, I9)', async () => {
      for (const [key, wanted, range] of sampleOf(target, rangesOf(expected.retention), { shift })) {
        expect(await ask('retention', { query_type: 'nrr', ...range }), key).toBe(rounded(wanted.nrr, 6))
        expect(await ask('retention', { query_type: 'grr', ...range }), key).toBe(rounded(wanted.grr, 6))
      }
      const net = new Map((await rows('retention', { query_type: 'nrr', ...MONTHS })).map(({ period, ...row }) => [period, row]))
      const gross = new Map(
        (await rows('retention', { query_type: 'grr', ...MONTHS })).map(({ period, ...row }) => [period, row]),
      )
      for (const [month, { nrr, grr, start_mrr, expansion, contraction, churn, reactivation }] of monthsOf(expected.retention)) {
        const excluded = { reactivation: 0, reactivation_excluded: reactivation }
        expect(net.get(month), month).toEqual(
          marked({ retention_rate: rounded(nrr, 6), start_mrr, expansion, contraction, churn, ...excluded }, month),
        )
        expect(gross.get(month), month).toEqual(marked({ retention_rate: rounded(grr, 6), start_mrr, contraction, churn }, month))
      }
    })

    it('has the recorded cohort matrix (D47, D48, I14)', async () => {
      for (const [key, wanted, range] of sampleOf(target, rangesOf(expected.cohort_matrix), { shift })) {
        const matrix = await rows('retention', { query_type: 'cohort_matrix', ...range })
        expect(matrix, key).toEqual(wanted.map((row) => ({ ...row, retention_rate: rounded(Number(row['retention_rate']), 6) })))
      }
    })

    it('has the recorded ARPU and LTV (D49, D50, I17)', async () => {
      for (const [at, { arpu, mrr, paying_customers }] of sampleOf(target, Object.entries(expected.arpu), { shift })) {
        expect(await ask('ltv', { query_type: 'arpu', at }), at).toBe(rounded(arpu, 2))
        const found = await rows('ltv', { query_type: 'arpu', at }, bySource)
        const wanted = { source: 'killbill', arpu: rounded(arpu, 2), mrr, active_customers: paying_customers }
        expect(found, at).toEqual(paying_customers === 0 ? [] : [wanted])
      }
      for (const [key, wanted, range] of sampleOf(target, rangesOf(expected.ltv), { shift })) {
        expect(await ask('ltv', { query_type: 'simple', ...range }), key).toBe(rounded(wanted.ltv, 2))
      }
    })

    it('has the recorded cohort LTV (D51, D54, I16)', async () => {
      for (const [key, wanted, range] of sampleOf(target, rangesOf(expected.cohort_ltv), { shift })) {
        const cohorts = await rows('ltv', { query_type: 'cohort', ...range })
        expect(cohorts, key).toEqual(
          wanted.map((row) => ({ ...row, avg_revenue_per_customer: rounded(row.avg_revenue_per_customer, 2) })),
        )
      }
    })
  })
})

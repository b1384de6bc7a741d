import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { marked } from '../support/oracles/running-period.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

type Level = {
  date: string
  mrr_base_cents: number
  subscription_base_cents: number
  usage_base_cents: number
  by_currency_cents: Record<string, number>
}
type Types = Record<'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation', number>
type Groups = Record<string, Record<string, Record<string, number>>>
interface Metrics {
  mrr_at: Record<string, number>
  series: Record<string, Record<string, { period: string; mrr: number; net: number }[]>>
  breakdown: Record<string, Types>
  waterfall: Record<string, Record<string, number | string>[]>
  mrr_by: Groups
  breakdown_by: Record<string, Record<string, Record<string, Types>>>
}
type Rows = Record<string, string | number | null>[]

const TYPES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const
const TENANTS = ['alpha', 'beta'] as const

function range(key: string): { start: string; end: string } {
  const [start = '', end = ''] = key.split('..')
  return { start, end }
}

/** The recording writes a null group as `None`; currencies and other names stand for themselves. */
function groupKey(cell: unknown): string {
  return cell === null || cell === undefined ? 'None' : String(cell)
}

oneEngineInRotation('MRR family on the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of TENANTS) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const expected = expectedNumbers<Metrics>(tenant, 'metrics')
    const shift = shiftOf(target, tenant)
    const daily = expectedNumbers<Level[]>(tenant, 'mrr_daily')
    const ask = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<unknown> => {
      const engine = engines.get(tenant)
      if (engine === undefined) throw new Error(`no engine for ${tenant}`)
      return (await engine.query('mrr', params, spec)).data
    }
    const rows = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}) => (await ask(params, spec)) as Rows

    it('is the recorded level at every day end, in both components and by currency (D30, I3)', async () => {
      const span = { start: daily[0]?.date, end: daily.at(-1)?.date, interval: 'day' }
      const series = await rows({ query_type: 'components', ...span })
      expect(series.map((row) => [row['period'], row['subscription_mrr'], row['usage_mrr'], row['mrr']])).toEqual(
        daily.map((day) => [day.date, day.subscription_base_cents, day.usage_base_cents, day.mrr_base_cents]),
      )
      const byCurrency = await rows({ query_type: 'series', ...span }, { dimensions: ['currency'] })
      const recorded = new Map(daily.map((day) => [day.date, day.by_currency_cents]))
      const differing = byCurrency.filter(
        (row) => row['mrr'] !== (recorded.get(String(row['period']))?.[String(row['currency'])] ?? 0),
      )
      expect(differing).toEqual([])
      expect(new Set(byCurrency.map((row) => row['currency']))).toEqual(
        new Set(daily.flatMap((day) => Object.keys(day.by_currency_cents))),
      )
    })

    it('is the recorded point on each recorded day, ARR 12 times that (D30, I3)', async () => {
      for (const [at, cents] of sampleOf(target, Object.entries(expected.mrr_at), { shift })) {
        expect(await ask({ at }), at).toBe(cents)
        expect(await ask({ query_type: 'arr', at }), at).toBe(12 * cents)
      }
    })

    it.each(Object.keys(expected.series))('is the recorded series by %s (D36)', async (interval) => {
      for (const [key, wanted] of sampleOf(target, Object.entries(expected.series[interval] ?? {}), { shift })) {
        const series = await rows({ query_type: 'series', ...range(key), interval })
        expect(series, key).toEqual(
          wanted.map(({ period, mrr, net }) => marked({ period, mrr, amount_base: net }, period, interval)),
        )
      }
    })

    it('is the recorded breakdown and waterfall (D36, D37, I2, I4)', async () => {
      for (const [key, wanted] of sampleOf(target, Object.entries(expected.breakdown), { shift })) {
        const breakdown = await rows({ query_type: 'breakdown', ...range(key) })
        expect(
          breakdown.map((row) => [row['movement_type'], row['amount_base']]),
          key,
        ).toEqual(TYPES.map((type) => [type, wanted[type]]))
      }
      for (const [key, wanted] of sampleOf(target, Object.entries(expected.waterfall), { shift })) {
        const waterfall = await rows({ query_type: 'waterfall', ...range(key) })
        expect(waterfall, key).toEqual(
          wanted.map((row) => marked({ ...row, period: row['month'], transfer: 0, fx_effect: 0 }, row['month'])),
        )
      }
    })

    // One tenant is asked for the dimensions that the other is not.
    it.each(sampleOf(target, Object.keys(expected.mrr_by), { first: 2, others: 3, shift }))(
      'is the recorded level and breakdown by %s (D61, I5)',
      async (dimension) => {
        for (const [at, groups] of sampleOf(target, Object.entries(expected.mrr_by[dimension] ?? {}), { shift })) {
          const found = await rows({ at }, { dimensions: [dimension] })
          const wanted = Object.entries(groups).filter(([, cents]) => cents !== 0)
          expect(new Map(found.map((row) => [groupKey(row[dimension]), row['mrr']])), at).toEqual(new Map(wanted))
        }
        for (const [key, groups] of sampleOf(target, Object.entries(expected.breakdown_by[dimension] ?? {}), { shift })) {
          const found = (await rows({ query_type: 'breakdown', ...range(key) }, { dimensions: [dimension] })).filter(
            (row) => row['movement_type'] !== 'transfer',
          )
          const wanted = Object.entries(groups).flatMap(([group, types]) =>
            TYPES.flatMap((type) => (types[type] === 0 ? [] : [[`${group} ${type}`, types[type]] as const])),
          )
          const nonzero = found.filter((row) => row['amount_base'] !== 0)
          expect(
            new Map(nonzero.map((row) => [`${groupKey(row[dimension])} ${row['movement_type']}`, row['amount_base']])),
            key,
          ).toEqual(new Map(wanted))
        }
      },
    )
  })

  it('keeps tenants apart and adds them up (D15, I5)', async () => {
    const both = await engineOver(await sharedReal(target), { tenant: ['all'] })
    const bySource = (await both.query('mrr', {}, { dimensions: ['source_id'] })).data as Rows
    const alone = await Promise.all(TENANTS.map(async (tenant) => (await engines.get(tenant)?.query('mrr'))?.data))
    expect(bySource.map((row) => Number(row['mrr'])).sort((a, b) => a - b)).toEqual(alone.map(Number).sort((a, b) => a - b))
  })
})

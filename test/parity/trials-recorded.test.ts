import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realTables } from '../support/data/recorded/recorded-tables.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { marked } from '../support/oracles/running-period.ts'
import { slicer, sumsBy } from '../support/oracles/slice-loops.ts'
import { begunIn, countsOf, trialsOf } from '../support/oracles/trial-loops.ts'
import { engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
interface Funnel {
  started: number
  converted: number
  expired: number
  pending: number
  conversion_rate: number | null
  decided_conversion_rate?: number | null
}
interface Metrics {
  trials_funnel: Record<string, Funnel>
  trials_series: Record<string, (Funnel & { period: string })[]>
  trials_series_week: (Funnel & { period: string })[]
}

const RANGES = [
  ['2024-11-20', '2026-11-20'],
  ['2025-03-15', '2025-08-20'],
] as const
const ASKED_TWICE = ['plan_id', 'customer_country', 'plan_interval', 'tenure_months']
const WEEKS = { start: '2025-03-15', end: '2025-08-20' }

oneEngineInRotation('trials on the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const shift = shiftOf(target, tenant)
    const expected = expectedNumbers<Metrics>(tenant, 'metrics')
    const trials = trialsOf(ofTenant(foldReal(), tenant))
    const groupOf = slicer(realTables)
    const ask = async (params: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<unknown> => {
      const engine = engines.get(tenant)
      if (engine === undefined) throw new Error(`no engine for ${tenant}`)
      return (await engine.query('trials', params, spec)).data
    }

    it('has the recorded funnel and rate of every range and month (D58, I13)', async () => {
      const all = Object.entries(expected.trials_funnel)
      const ranges = all.filter(([key]) => key.includes('..'))
      // The months are in the series too.
      const months = sampleOf(
        target,
        all.filter(([key]) => !key.includes('..')),
        { first: 5, others: 12, shift },
      )
      for (const [key, wanted] of [...sampleOf(target, ranges, { shift }), ...months]) {
        const [start, end] = key.includes('..') ? key.split('..') : [`${key}-01`, lastDay(key)]
        expect(await ask({ query_type: 'funnel', start, end }), key).toEqual(rounded(wanted))
        if (key.includes('..')) expect(await ask({ start, end }), key).toBe(rounded(wanted).conversion_rate)
      }
    })

    it('has the recorded series, gaps filled', async () => {
      for (const [key, wanted] of sampleOf(target, Object.entries(expected.trials_series), { shift })) {
        const [start, end] = key.split('..')
        expect(await ask({ query_type: 'series', start, end }), key).toEqual(
          wanted.map((row) => marked(rounded(row), row.period)),
        )
        const byMonth = (await ask({ start, end, granularity: 'month' })) as Row[]
        expect(byMonth, key).toEqual(wanted.map(rounded).map(({ pending, ...row }) => marked(row, row.period)))
      }
      const weeks = expected.trials_series_week.map(rounded)
      expect(await ask({ query_type: 'series', ...WEEKS, interval: 'week' })).toEqual(weeks)
      expect(await ask({ query_type: 'funnel', ...WEEKS, granularity: 'week' })).toEqual(weeks)
    })

    it('groups by every dimension as plain loops do (D61, I5)', async () => {
      const offered = (await engines.get(tenant)?.fields('trials'))?.data.dimensions ?? []
      expect(offered.length).toBe(21)
      const dimensions = offered.filter(({ key }) => key !== 'days_to_convert')
      for (const [start, end] of RANGES) {
        const asked = start === RANGES[0][0] ? dimensions : dimensions.filter(({ key }) => ASKED_TWICE.includes(key))
        for (const { key } of sampleOf(target, asked, { shift })) {
          const rows = (await ask({ query_type: 'funnel', start, end }, { dimensions: [key] })) as Row[]
          const found = rows.map(
            (row) => [JSON.stringify([row[key]]), [row['started'], row['converted'], row['expired']]] as const,
          )
          const wanted = sumsBy(begunIn(trials, start, end), (trial) => [groupOf(key, trial)], countsOf)
          expect(Object.fromEntries(found), `${key} ${start}`).toEqual(Object.fromEntries(wanted))
        }
      }
    })

    it('has the days from the start to the conversion as plain loops do (D95)', async () => {
      const dayOf = (instant: string) => Date.parse(instant.slice(0, 10)) / 86_400_000
      for (const [start, end] of RANGES) {
        const begun = begunIn(trials, start, end)
        const converted = begun.filter(({ converted_at }) => converted_at !== null)
        const wanted = sumsBy(
          converted,
          ({ started_at, converted_at }) => [dayOf(String(converted_at)) - dayOf(started_at)],
          () => [1],
        )
        const rows = (await ask({ query_type: 'time_to_convert', start, end }, { dimensions: ['days_to_convert'] })) as Row[]
        const found = rows.map((row) => [JSON.stringify([row['days_to_convert']]), [row['converted']]])
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
        expect(new Set(rows.map((row) => row['all_started']))).toEqual(new Set([begun.length]))
      }
    })

    it('groups within months, and a filter is the row of its group (I6)', async () => {
      const [start, end] = RANGES[1]
      const dimensions = ['plan_id', 'customer_country', 'plan_interval']
      const inRange = begunIn(trials, start, end)
      const wanted = sumsBy(
        inRange,
        (trial) => [`${trial.started_at.slice(0, 7)}-01`, ...dimensions.map((key) => groupOf(key, trial))],
        countsOf,
      )
      const rows = (await ask({ query_type: 'series', start, end }, { dimensions })) as Row[]
      const begun = rows.filter((row) => row['started'] !== 0)
      const keyed = begun.map((row) => {
        const key = JSON.stringify([row['period'], ...dimensions.map((name) => row[name])])
        return [key, [row['started'], row['converted'], row['expired']]] as const
      })
      expect(Object.fromEntries(keyed)).toEqual(Object.fromEntries(wanted))
      const groups = new Set(inRange.map((trial) => JSON.stringify(dimensions.map((key) => groupOf(key, trial)))))
      expect(rows.length).toBe(groups.size * 6)
      for (const dimension of ['customer_country', 'plan_interval']) {
        const groups = (await ask({ start, end }, { dimensions: [dimension] })) as Row[]
        for (const { [dimension]: value, ...row } of sampleOf(target, groups, { shift })) {
          const filter = { [dimension]: value === null ? { is_empty: true } : value }
          const funnel = (await ask({ query_type: 'funnel', start, end }, { filters: filter })) as Funnel
          const { pending, ...others } = funnel
          expect(others, `${dimension} ${value}`).toEqual(row)
        }
      }
    })

    it('instants of the trial narrow the trials (http-api 1.5)', async () => {
      const [start, end] = RANGES[0]
      for (const field of ['started_at', 'converted_at', 'expired_at'] as const) {
        const filters = { [field]: { '>=': '2025-06-10', '<': '2026-02-01' } }
        const found = (await ask({ query_type: 'funnel', start, end }, { filters })) as Funnel
        const wanted = trials.filter((trial) => (trial[field] ?? '') >= '2025-06-10' && (trial[field] ?? '') < '2026-02-01')
        const [sum = [0, 0, 0]] = sumsBy(wanted, () => [], countsOf).values()
        expect([found.started, found.converted, found.expired], field).toEqual(sum)
      }
    })
  })
})

function rounded<T extends Funnel>(funnel: T): T {
  const { conversion_rate: rate, converted, expired } = funnel
  return {
    ...funnel,
    conversion_rate: rate === null ? null : Number(rate.toFixed(6)),
    decided_conversion_rate: converted + expired === 0 ? null : Number((converted / (converted + expired)).toFixed(6)),
  }
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
}

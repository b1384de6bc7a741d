import { beforeAll, describe, expect, it } from 'vitest'
import { dayAfter, dayStart } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { END_OF_RECORDING, engineOver, expectedNumbers } from '../support/real-engine.ts'
import { sharedReal } from '../support/shared-real.ts'
import { askedOneByOne, type Summary } from '../support/summary-figures.ts'
import { describeEngines, shareOf } from '../support/targets.ts'

type Params = Readonly<Record<string, string>>
type Spec = Readonly<Record<string, unknown>>
interface Movement {
  readonly occurred_at: string
  readonly type: string
  readonly amount_base_cents: number
  readonly reason: string
}
interface Trial {
  readonly started_at: string
  readonly converted_at: string | null
}

interface Span {
  readonly valid_from: string
  readonly valid_to: string | null
  readonly mrr_base_cents: number
}

const DAYS = { alpha: ['2026-11-21', '2026-03-15', '2024-11-19'], beta: ['2026-10-31'] }
const RANGES = {
  alpha: [
    { start: '2025-07-01', end: '2025-12-31' },
    { start: '2026-05-05', end: '2026-05-20' },
    { start: '2024-11-20', end: '2026-11-30' },
  ],
  beta: [{ start: '2026-02-10', end: '2026-05-20' }],
}
const FILTERS: readonly Spec[] = [
  { customer_country: ['DE', 'FR', 'US'] },
  { cohort_month: { '>=': '2025-03-01' } },
  { 'customer.currency': 'EUR', customer_created_month: { '<': '2026-01-01' } },
]

describeEngines('the summary beside the endpoints of its figures (I21)', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of ['alpha', 'beta']) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(['alpha', 'beta'] as const)('%s', (tenant) => {
    const engine = (): Engine => {
      const found = engines.get(tenant)
      if (found === undefined) throw new Error(`no engine for ${tenant}`)
      return found
    }
    const summaryOf = async (params: Params, spec: Spec = {}) => (await engine().summary(params, spec)).data as Summary

    const asked = (summary: Summary, spec: Spec) => askedOneByOne(engine(), summary, spec)

    it.each(shareOf(target, DAYS[tenant]))('at the end of %s', async (end) => {
      const summary = await summaryOf({ end })
      expect(summary).toMatchObject(await asked(summary, {}))
      expect(await summaryOf({ at: end })).toEqual(summary)
    })

    it.each(shareOf(target, RANGES[tenant]))('from $start to $end', async (range) => {
      const summary = await summaryOf({ ...range })
      const end = range.end > '2026-11-21' ? '2026-11-21' : range.end
      expect(summary).toMatchObject({ as_of: end, rate_window: { ...range, end }, trailing_window: { ...range, end } })
      expect(summary).toMatchObject(await asked(summary, {}))
    })

    it.each(shareOf(target, tenant === 'alpha' ? FILTERS : [{ source: 'killbill' }]))(
      'of the customers with %o',
      async (filters) => {
        const summary = await summaryOf({ end: '2026-08-31' }, { filters })
        expect(summary).toMatchObject(await asked(summary, { filters }))
      },
    )

    it('counts paying subscriptions, trials and the quick ratio as recorded', async () => {
      const movements = expectedNumbers<Movement[]>(tenant, 'movements')
      const trials = expectedNumbers<Trial[]>(tenant, 'trials')
      const spans = Object.values(expectedNumbers<Record<string, Span[]>>(tenant, 'spans'))
      for (const range of shareOf(target, [...RANGES[tenant], ...DAYS[tenant].map((end) => ({ end }))])) {
        const { trailing_window, ...summary } = await summaryOf({ ...range })
        const from = dayStart(trailing_window.start).getTime()
        const to = dayAfter(trailing_window.end).getTime()
        const isInside = (at: string) => Date.parse(at) >= from && Date.parse(at) < to
        const kept = movements.filter(({ occurred_at, reason }) => isInside(occurred_at) && reason !== 'bundle_transfer')
        const of = (...types: string[]) =>
          kept.filter(({ type }) => types.includes(type)).reduce((sum, row) => sum + row.amount_base_cents, 0)
        const lost = -of('contraction', 'churn')
        const begun = trials.filter(({ started_at }) => isInside(started_at))
        const last = new Date(Math.min(dayAfter(String(summary['as_of'])).getTime() - 1, END_OF_RECORDING.getTime()))
        const isOpen = ({ valid_from, valid_to }: Span) =>
          new Date(valid_from) <= last && (valid_to === null || new Date(valid_to) > last)
        const paying = spans.filter((life) => life.some((span) => isOpen(span) && span.mrr_base_cents > 0))
        expect(summary, JSON.stringify(range)).toMatchObject({
          active_subscriptions: paying.length,
          quick_ratio: share(of('new', 'expansion', 'reactivation'), lost),
          trial_conversion_rate: share(begun.filter(({ converted_at }) => converted_at !== null).length, begun.length),
        })
      }
    })
  })
})

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(6))
}

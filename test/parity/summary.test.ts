import { beforeAll, describe, expect, it } from 'vitest'
import { dayAfter, dayStart } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { recordedTenants } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { askedOneByOne, type Summary } from '../support/oracles/summary-figures.ts'
import { END_OF_RECORDING, engineOver, expectedNumbers } from '../support/product/recorded-engine.ts'

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

interface Asked {
  readonly params: Params
  readonly filters?: Spec
}

/** The questions about a tenant: all for the smaller one, and a sample for the larger one. */
const CASES: Readonly<Record<'alpha' | 'beta', readonly Asked[]>> = {
  alpha: [
    { params: { end: '2026-11-21' } },
    { params: { end: '2026-03-15' } },
    { params: { start: '2025-07-01', end: '2025-12-31' } },
    { params: { start: '2026-05-05', end: '2026-05-20' } },
    { params: { start: '2024-11-20', end: '2026-11-30' } },
    { params: { end: '2026-08-31' }, filters: { customer_country: ['DE', 'FR', 'US'] } },
    { params: { end: '2026-08-31' }, filters: { cohort_month: { '>=': '2025-03-01' } } },
    { params: { end: '2026-08-31' }, filters: { 'customer.currency': 'EUR', customer_created_month: { '<': '2026-01-01' } } },
  ],
  beta: [
    { params: { end: '2026-10-31' } },
    { params: { end: '2024-11-19' } },
    { params: { start: '2026-02-10', end: '2026-05-20' } },
    { params: { end: '2026-08-31' }, filters: { source: 'killbill' } },
  ],
}

oneEngineInRotation('the summary compared with the endpoints of its figures (I21)', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const engine = (): Engine => {
      const found = engines.get(tenant)
      if (found === undefined) throw new Error(`no engine for ${tenant}`)
      return found
    }
    const answers = new Map<string, Promise<Summary>>()
    /** Answers by question, each asked once. */
    const summaryOf = ({ params, filters }: Asked): Promise<Summary> => {
      const key = JSON.stringify([params, filters])
      const known = answers.get(key)
      const answer =
        known ??
        engine()
          .summary(params, filters === undefined ? {} : { filters })
          .then(({ data }) => data as Summary)
      answers.set(key, answer)
      return answer
    }

    const cases = sampleOf(target, CASES[tenant], { first: tenant === 'beta' ? 1 : 7 })
    const unfiltered = cases.filter(({ filters }) => filters === undefined)

    it.each(cases)('$params of the customers with $filters', async (asked) => {
      const { params, filters } = asked
      const summary = await summaryOf(asked)
      expect(summary).toMatchObject(await askedOneByOne(engine(), summary, filters === undefined ? {} : { filters }))
      const end = String(params['end'])
      if (params['start'] !== undefined) {
        const range = { ...params, end: end > '2026-11-21' ? '2026-11-21' : end }
        expect(summary).toMatchObject({ as_of: range.end, rate_window: range, trailing_window: range })
      }
    })

    // How the day is called does not depend on whose summary it is, and this tenant is asked for one whatever the turn.
    if (tenant === 'beta') {
      it('at a day is the one that ends there', async () => {
        const [{ params } = { params: {} }] = cases
        expect(await summaryOf({ params: { at: String(params['end']) } })).toEqual(await summaryOf({ params }))
      })
    }

    if (tenant === 'beta') {
      it('compared with the month before has the figures of both days, and the windows of the later one', async () => {
        const asked = { params: { end: '2026-08-31', compare_to: 'previous' } }
        const compared: Readonly<Record<string, unknown>> = { ...(await summaryOf(asked)) }
        const now: Readonly<Record<string, unknown>> = { ...(await summaryOf({ params: { end: '2026-08-31' } })) }
        const before: Readonly<Record<string, unknown>> = { ...(await summaryOf({ params: { end: '2026-07-31' } })) }
        expect(compared).toMatchObject(now)
        expect(Number(compared['mrr'])).toBeGreaterThan(0)
        expect(compared['change_mrr']).toBe(Number(now['mrr']) - Number(before['mrr']))
        for (const name of ['mrr', 'logo_churn_rate', 'ltv', 'quick_ratio'])
          expect(compared[`previous_${name}`], name).toBe(before[name])
      })
    }

    if (unfiltered.length === 0) return
    it('counts paying subscriptions, trials and the quick ratio as recorded', async () => {
      const movements = expectedNumbers<Movement[]>(tenant, 'movements')
      const trials = expectedNumbers<Trial[]>(tenant, 'trials')
      const spans = Object.values(expectedNumbers<Record<string, Span[]>>(tenant, 'spans'))
      for (const asked of unfiltered) {
        const { trailing_window, ...summary } = await summaryOf(asked)
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
        expect(summary, JSON.stringify(asked)).toMatchObject({
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

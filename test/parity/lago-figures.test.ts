import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { northExpected } from '../support/data/lago/north-rows.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets, engines } from '../support/databases/targets.ts'
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
  readonly segment: Record<string, { mrr_at: Record<string, number>; breakdown: Record<string, Types>; customers: number }>
}
interface Snapshot {
  readonly by_currency_cents: Record<string, number>
  readonly live_customers: number
  readonly live_subscriptions: number
  readonly mrr_base_cents: number
  readonly subscription_base_cents: number
  readonly usage_base_cents: number
}
const TYPES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const

/** The days of `start..end` or of a month. */
function daysOf(key: string): { readonly start: string; readonly end: string } {
  const [start = '', end] = key.split('..')
  if (end !== undefined) return { start, end }
  const [year = 0, month = 0] = key.split('-').map(Number)
  return { start: `${key}-01`, end: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) }
}

function nonZero(groups: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(groups).filter(([, cents]) => cents !== 0))
}

/** The figures write a customer without a country as `None`. */
function groupName(cell: unknown): string {
  return String(cell ?? 'None')
}

describeTargets(
  'the figures of a Lago organization',
  (target) =>
    describe.each(['straight', 'from the cache'])('%s', (mode) => {
      const expected = northExpected<Figures>('expected')
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
        for (const [at, cents] of inTurn(Object.entries(wanted?.mrr_at ?? {})))
          expect(await ask('mrr', { at }, { filters }), at).toBe(cents)
        for (const [key, types] of inTurn(Object.entries(wanted?.breakdown ?? {})))
          expect(await breakdown(daysOf(key), { filters }), key).toEqual(types)
      })
    }),
  { only: [engines().some(({ name }) => name === 'postgres') ? 'postgres' : 'pglite'] },
)

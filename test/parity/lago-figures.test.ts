import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { northExpected } from '../support/data/lago/north-rows.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { compareFigures, daysOf, type Figures, MOVEMENT_TYPES, type Rows, type Types } from '../support/oracles/known-figures.ts'
import { northFigures } from '../support/oracles/lago/switch-loops.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

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

interface NorthFigures extends Figures {
  readonly customers: readonly Customer[]
}

/** Months of a range, cut to the range. */
export function monthIn(month: string, range: { readonly start: string; readonly end: string }) {
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
function counted(expected: NorthFigures, joined: boolean): NorthFigures {
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
    const known = northExpected<NorthFigures>('expected')
    const { breakdown_by, ...figures } = counted(known, false)
    const { breakdown_by: knownBy, ...others } = known
    expect(figures).toEqual(others)
    const moved = (groups: Record<string, Types>) =>
      Object.fromEntries(Object.entries(groups).filter(([, types]) => MOVEMENT_TYPES.some((type) => types[type] !== 0)))
    for (const [dimension, ranges] of Object.entries(knownBy))
      for (const [range, groups] of Object.entries(ranges))
        expect(moved(breakdown_by[dimension]?.[range] ?? {}), `${dimension} ${range}`).toEqual(moved(groups))
  })

  it('find switches of currency, as that of the special case cus_0909', () => {
    const { switched } = northFigures(true)
    const id = northExpected<NorthFigures>('expected').customers.find(({ external_key }) => external_key === 'cus_0909')?.id
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
    const expected = counted(northExpected<NorthFigures>('expected'), true)
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
    // Straight answers take longer, so a seventh of the cases is asked in each turn. The cache is asked a third.
    const inTurn = <T>(cases: readonly T[]) => sampleOf(target, cases, { first: mode === 'straight' ? 7 : 3 })
    compareFigures({ expected, engine: () => engine, source: 'lago', inTurn })

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

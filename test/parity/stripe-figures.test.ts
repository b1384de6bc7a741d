import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedEast } from '../support/data/stripe/east-database.ts'
import { eastExpected } from '../support/data/stripe/east-rows.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { onPostgres } from '../support/databases/targets.ts'
import { compareFigures, type Figures } from '../support/oracles/known-figures.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

onPostgres('the figures of a mirrored Stripe account', (target) =>
  describe.each(['straight', 'from the cache'])('%s', (mode) => {
    let engine: Engine
    let cache: CountedCache | undefined
    beforeAll(async () => {
      const onCache = (made: CountedCache) => {
        cache = made
      }
      engine = await stripeEngine(await sharedEast(target), mode === 'straight' ? {} : { onCache })
    })
    afterEach(() => {
      expect(cache?.failures() ?? []).toEqual([])
      expect((cache?.answered() ?? 0) > 0).toBe(mode === 'from the cache')
    })
    afterAll(() => engine.close())
    // Straight answers take longer, so a seventh of the cases is asked in each turn. The cache is asked a third.
    const inTurn = <T>(cases: readonly T[]) => sampleOf(target, cases, { first: mode === 'straight' ? 7 : 3 })
    compareFigures({ expected: eastExpected<Figures>('expected'), engine: () => engine, source: 'stripe', inTurn })
  }),
)

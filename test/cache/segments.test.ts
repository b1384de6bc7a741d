import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { narrowedRequests } from '../support/product/narrowed-requests.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { allOf, anyOf, keptStore, segmentId } from '../support/product/store-with-segments.ts'

/** Of stored values, of the engine's fields of each type, of tags, of figures, of stretches. */
const SEGMENTS = {
  [segmentId(1)]: allOf({ field: 'attr.size', op: 'in', value: ['small', 'Zoë'] }),
  [segmentId(2)]: anyOf({ field: 'attr.tier', op: '=', value: 'pro' }, { field: 'attr.employees', op: '>', value: 40 }),
  [segmentId(3)]: anyOf({ field: 'attr.onboarded', op: '=', value: true }, { field: 'attr.tag.vip', op: '=', value: true }),
  [segmentId(4)]: allOf(
    { field: 'attr.signed_at', op: '<', value: '2025-09-01' },
    { field: 'computed.tenure_months', op: '>', value: 2 },
  ),
  [segmentId(5)]: allOf({ field: 'plan_id', op: 'is_not_empty' }, { field: 'attr.employees', op: 'is_empty' }),
}
const IDS = Object.keys(SEGMENTS)

firstEngineAndOneOther(
  'cached answers about segments and attributes',
  (target) => {
    let direct: Engine
    let cached: Engine
    let cache: CountedCache

    beforeAll(async () => {
      const database = await sharedReal(target)
      // Of another engine the small tenant shows as much.
      const tenant = [isFirst(target) ? 'all' : 'beta']
      const plain = await engineOver(database, { tenant })
      const { rows } = (await plain.list('customers', { limit: 1000 })).data as {
        rows: readonly { readonly id: string; readonly source_id: string }[]
      }
      const sizes = ['small', 'large', 'Zoë']
      const values = rows.flatMap(({ id, source_id }, index) =>
        index % 4 === 0 ? [] : [{ source_id, customer_id: id, value: sizes[index % 3] ?? '' }],
      )
      const rates = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')
      const store = await keptStore({ attributes: { size: { type: 'string', values } }, segments: SEGMENTS }, rates)
      direct = await engineOver(database, { tenant, store })
      const withCache = await cachedEngineOver(database, { tenant, store })
      cached = withCache.engine
      cache = withCache.cache
      return async () => {
        await direct.close()
        await cached.close()
      }
    })

    const specs = [
      { compare: IDS },
      { segment: IDS[0] },
      { filters: { 'attr.tier': ['pro', 'team'], 'attr.size': { '!=': 'large' } } },
    ]
    const questions = narrowedRequests('2025-07-01', '2026-06-30').map(({ metric, params, dimensions = [] }, index) => ({
      metric,
      params,
      spec: { ...groupedBy(dimensions), ...specs[index % specs.length] },
    }))
    it.each(sampleOf(target, questions))('are the direct ones: $metric $params $spec', async ({ metric, params, spec }) => {
      const before = cache.answered()
      const one = await direct.query(metric, params, spec)
      const other = await cached.query(metric, params, spec)
      expect(JSON.stringify(other)).toBe(JSON.stringify(one))
      expect(cache.failures()).toEqual([])
      expect(cache.answered() - before).toBe(1)
    })

    it('are the direct ones for lists', async () => {
      for (const list of ['customers', 'subscriptions'] as const) {
        const ask = async (engine: Engine) => JSON.stringify(await engine.list(list, { limit: 1000 }, { segment: IDS[1] }))
        expect(await ask(cached), list).toBe(await ask(direct))
      }
      expect(cache.failures()).toEqual([])
    })

    it('are the direct ones for each segment of an answer about customers', async () => {
      const params = { query_type: 'cohort_matrix', start: '2025-07-01', end: '2026-06-30', per_segment: true }
      const ask = async (engine: Engine) => JSON.stringify(await engine.query('retention', params, { compare: IDS }))
      expect(await ask(cached)).toBe(await ask(direct))
    })

    it('narrow to some and not to all', async () => {
      const all = (await cached.query('mrr', {})).data as number
      for (const segment of IDS) {
        const some = (await cached.query('mrr', {}, { segment })).data as number
        expect(some > 0 && some < all, segment).toBe(true)
      }
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

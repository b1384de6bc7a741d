import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, isInTurn, sampleOf } from '../support/databases/rotation.ts'
import {
  type AttributeOracle,
  attributeOracle,
  expectGroupedAsLoopsDo,
  groupingRequests,
} from '../support/oracles/attribute-groups.ts'
import { expectSlice } from '../support/oracles/segment-slices.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'

const RATES = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')
const RANGE = { start: '2026-02-10', end: '2026-10-31' }
// Longer than what MariaDB sorts texts by, so that only whole values tell them apart.
const LONG = 'x'.repeat(1_500)

/** Values by type; `undefined` where the customer has none. */
const STORED = {
  'tier of Ünits': { type: 'string', values: ['gold', 'Gold ', undefined, 'gold ', '', `${LONG}a`, `${LONG}b`] },
  seats: { type: 'number', values: ['12.5', undefined, '-3', '1000000', '12.500000000001'] },
  is_big: { type: 'boolean', values: [true, undefined, false] },
  since: { type: 'timestamp', values: ['2024-02-29 23:59:59', '2025-01-01 00:00:00', undefined] },
} as const
/** Of the recorded engine: a number, a truth, an instant and a tag. */
const OWN = ['employees', 'onboarded', 'signed_at', 'tag.vip']

/** Bodies by request, of the targets that ran before: every database and the cache must give the same (I23). */
const answers = new Map<string, string>()

firstEngineAndOneOther('attributes as dimensions on the recording', (target) => {
  let engines: readonly Engine[] = []
  let cache: CountedCache
  let oracle: AttributeOracle

  beforeAll(async () => {
    const database = await sharedReal(target)
    const plain = await engineOver(database, { tenant: ['all'] })
    const customers = await attributeOracle(plain, OWN)
    const attributes = Object.fromEntries(
      Object.entries(STORED).map(([key, { type, values }]) => [
        key,
        {
          type,
          values: customers.names.flatMap(({ source_id, customer_id }, index) => {
            const value = values[index % values.length]
            return value === undefined ? [] : [{ source_id, customer_id, value }]
          }),
        },
      ]),
    )
    oracle = customers.with(attributes)
    const options = { tenant: ['all'], store: await keptStore({ attributes }, RATES) }
    const cached = await cachedEngineOver(database, options)
    cache = cached.cache
    engines = [await engineOver(database, options), cached.engine]
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
    expect(cache.failures()).toEqual([])
    expect(cache.answered()).toBeGreaterThan(2 * requests.length)
  })

  const keys = [...Object.keys(STORED), ...OWN]
  const all = groupingRequests(builtInRegistry(), RANGE).map((request, index) => ({
    ...request,
    index,
    key: keys[index % keys.length] ?? '',
    other: keys[(index + 3) % keys.length] ?? '',
  }))
  const requests = sampleOf(target, all)

  it.each(requests)('$name by $key', async ({ name, metric, params, key, other, index }) => {
    const [direct, cached] = engines
    if (direct === undefined || cached === undefined) throw new Error('two engines are needed')
    // The loops need many answers, and the cache, which gives the same ones, is quick.
    await expectGroupedAsLoopsDo(cached, { metric, params }, key, oracle)
    // Another way to the same figures, for every second request: a filter finds the customers beforehand.
    const dimension = `attr.${other}`
    if (isInTurn(index, 2)) await expectSlice(cached, { metric, params, dimensions: [dimension] }, { dimension: 0, value: 1 }, {})
    const dimensions = [dimension, `attr.${key}`]
    const spec = { dimensions, filters: { [dimension]: { is_not_empty: true } } }
    for (const engine of engines) {
      const { data, columns } = await engine.query(metric, params, spec)
      expect(columns).toEqual(expect.arrayContaining(dimensions))
      const body = JSON.stringify(data)
      expect(body, `I23 ${name}`).toBe(answers.get(name) ?? body)
      answers.set(name, body)
    }
  })

  it('refuses what is no attribute, and names those there are', async () => {
    for (const engine of engines) {
      await expect(engine.query('mrr', {}, { dimensions: ['attr.sEats', 'plan', 'seats'] })).rejects.toMatchObject({
        code: 'unknown_dimension',
        context: {
          available_dimensions: expect.arrayContaining(['plan_id', 'attr.seats', 'attr.tag.vip']),
          available_filters: expect.arrayContaining(['customer.city', 'attr.seats', 'attr.tag.vip']),
        },
        issues: [
          { code: 'unknown_attribute', value: 'attr.sEats', did_you_mean: ['attr.seats', 'attr.health'] },
          { code: 'unknown_dimension', value: 'plan', did_you_mean: ['plan_id', 'plan_interval', 'plan_name'] },
          { code: 'unknown_dimension', value: 'seats', did_you_mean: ['attr.seats'] },
        ],
      })
    }
  })
})

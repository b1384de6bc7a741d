import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine, Explanation } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn, oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { MAIN_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Explained = Explanation & { readonly result: unknown }

const AT = 'at=2026-06-30'
const RANGE = { start: '2026-01-01', end: '2026-06-30' }

oneEngineInRotation('explained answers', (target) => {
  let database: TestDatabase
  let direct: Engine
  let cached: { readonly engine: Engine; readonly cache: CountedCache }
  beforeAll(async () => {
    database = await sharedReal(target)
    direct = await engineOver(database, { tenant: ['alpha'] })
    cached = await cachedEngineOver(database, { tenant: ['alpha'] })
    await cached.cache.ready()
  })
  afterAll(async () => {
    await direct.close()
    await cached.engine.close()
    await database.drop()
  })

  const appOf = (engine: Engine) =>
    createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
  const get = (path: string, engine = direct, headers: Record<string, string> = {}) => appOf(engine).request(path, { headers })
  const explained = async (path: string, engine = direct) => (await (await get(path, engine)).json()) as Explained

  it('carry the result, the statements that ran, the definitions and what is left out', async () => {
    const response = await get(`/api/metrics/mrr?${AT}&explain=true`)
    const body = (await response.json()) as Explained
    expect(body.result).toBe((await direct.query('mrr', { at: '2026-06-30' })).data)
    expect(body).toMatchObject({
      answered_by: 'replica',
      sources: [{ name: 'alpha' }],
      replica_sql: [],
      definitions: {
        name: 'default',
        hash: response.headers.get('x-definitions'),
        options: { pause: 'churn', test_accounts: 'exclude' },
      },
      // Ten accounts of the tenant carry the tag TEST.
      excluded: { test_accounts: 10, unpriced_subscriptions: [] },
      warnings: [],
    })
    expect(body.sql.map(({ database: where, rows }) => [where, rows])).toEqual([['replica', expect.any(Number)]])
    expect(body.sql[0]?.text).toMatch(/^\/\* plumbline mrr\.current/)
    expect(body.sql[0]?.values).toContain('2026-07-01 00:00:00')
  })

  it('leave out no test account if the definitions count them, and name the set', async () => {
    const counting = await engineOver(database, { tenant: ['alpha'], sets: { all: { test_accounts: 'include' } } })
    const { excluded, definitions } = await explained(`/api/metrics/mrr?${AT}&explain=true&definitions=all`, counting)
    expect([excluded.test_accounts, definitions.name, definitions.options['test_accounts']]).toEqual([0, 'all', 'include'])
    await counting.close()
  })

  it('of the cache also have the statements that the replica would run, and are computed each time', async () => {
    const before = cached.cache.answered()
    for (const nth of [1, 2]) {
      const { answered_by, sql, replica_sql, excluded, result } = await explained(
        `/api/metrics/mrr?${AT}&explain=true`,
        cached.engine,
      )
      const straight = await explained(`/api/metrics/mrr?${AT}&explain=true`)
      expect([answered_by, result]).toEqual(['cache', straight.result])
      expect(sql.map(({ database: where }) => where)).toEqual(['cache'])
      expect(replica_sql.map(({ literal }) => literal)).toEqual(straight.sql.map(({ literal }) => literal))
      expect(excluded).toEqual(straight.excluded)
      expect(cached.cache.answered() - before).toBe(nth)
    }
  })

  it('of the cache name the statements of every query of every metric that it answers', async () => {
    const offered = MAIN_METRICS.filter((_, index) => isInTurn(index, 3))
    for (const { name: metric, queries } of offered)
      for (const [query_type, { inputs }] of Object.entries(queries)) {
        const dates = paramsForDays(inputs, RANGE)
        const { explanation, data } = await cached.engine.query(metric, { query_type, ...dates, explain: 'true' })
        expect(data).toEqual((await direct.query(metric, { query_type, ...dates })).data)
        const labels = (statements: readonly { readonly text: string }[]) =>
          new Set(statements.map(({ text }) => / (\S+) /.exec(text.slice(12))?.[1]))
        expect(labels(explanation?.replica_sql ?? []), `${metric}.${query_type}`).toEqual(labels(explanation?.sql ?? []))
      }
  })

  it.each([
    ['rows', `/api/metrics/mrr/rows?${AT}&limit=3`],
    ['a bridge', `/api/metrics/mrr/bridge?${AT}&from=plumbline&to=killbill-analytics`],
    ['the summary', '/api/metrics/summary?end=2026-06-30'],
  ])('are given for %s, straight and from the cache', async (_, path) => {
    for (const engine of [direct, cached.engine]) {
      const body = await explained(`${path}&explain=true`, engine)
      expect(body.result).toEqual(await (await get(path, engine)).json())
      expect(body.sql.length).toBeGreaterThan(0)
      expect(body.replica_sql.length > 0).toBe(body.answered_by === 'cache')
    }
  })

  it('are given for a POST', async () => {
    const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ params: { at: '2026-06-30', explain: true } }) }
    const body = (await (await appOf(direct).request('/api/metrics/mrr', init)).json()) as Explained
    expect(body.result).toBe((await direct.query('mrr', { at: '2026-06-30' })).data)
  })

  it.each([
    ['format=csv', {}],
    ['format=xlsx', {}],
    ['', { accept: 'text/csv' }],
  ])('are refused as a table (%s %o)', async (format, headers) => {
    const response = await get(`/api/metrics/mrr?${AT}&explain=true&${format}`, direct, headers)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'invalid_value',
      issues: [{ where: 'query.explain', message: expect.stringMatching(/^"explain" applies to JSON, not to (csv|xlsx)/) }],
    })
  })

  it('are refused on lists, and with another value than true and false', async () => {
    expect((await get('/api/customers?explain=true')).status).toBe(400)
    expect((await get(`/api/metrics/mrr?${AT}&explain=yes`)).status).toBe(400)
    expect(await (await get(`/api/metrics/mrr?${AT}&explain=false`)).json()).toBe(
      (await direct.query('mrr', { at: '2026-06-30' })).data,
    )
  })

  it('need a caller who may see customers', async () => {
    const disclosed: string[] = []
    await direct.query('mrr', { at: '2026-06-30', explain: 'true' }, {}, { disclosing: (names) => void disclosed.push(...names) })
    expect(disclosed).toContain('explain')
  })
})

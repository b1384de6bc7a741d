import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { composeEngine } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { whileLocked } from '../support/databases/while-locked.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const NOW = new Date('2024-05-20T12:00:00Z')

/** A database that takes too long for each metric; what the filling and the log of changes need it has in time. */
function slow(real: Executor): Executor {
  return {
    ...real,
    withSnapshot: (work, options) =>
      real.withSnapshot(
        (snapshot) =>
          work({
            ...snapshot,
            query: (statement) =>
              statement.text.includes('mrr.') && !statement.text.includes('killbill.')
                ? Promise.reject(new AppError('query_timeout', 'The query took too long.'))
                : snapshot.query(statement),
          }),
        options,
      ),
  }
}

describeTargets(
  'a question that takes the database too long',
  (target) => {
    let database: TestDatabase
    let direct: Engine
    const close: (() => Promise<void>)[] = []

    beforeAll(async () => {
      database = (await fillDatabase(target, generatedHistory(7, 20))).database
      direct = await engineOver(database, await common())
      close.push(() => direct.close())
    })
    afterAll(async () => {
      for (const one of close.reverse()) await one()
    })

    const common = async () => ({
      tenant: ['all'],
      now: NOW,
      store: await ratesOnly(RATES_CSV),
      definitions: { allow_unpriced: true },
    })

    it('is answered when the cache is filled, which it begins', async () => {
      const made: { cache?: CountedCache } = {}
      const engine = await engineOver(database, {
        ...(await common()),
        wrapExecutor: slow,
        cache: (executor, connector, definitions, clock) => {
          made.cache = countedCache(executor, connector, { clock, definitions, isRequired: false })
          return made.cache
        },
      })
      close.push(() => engine.close())
      expect(made.cache?.state().status).toBe('idle')
      const [one, other] = [await direct.query('mrr', {}), await engine.query('mrr', {})]
      expect(other).toEqual(one)
      expect(made.cache?.state().status).toBe('ready')
      expect(made.cache?.answered()).toBe(1)
      expect((await engine.query('mrr', {})).data).toEqual(one.data)
      expect(made.cache?.answered()).toBe(2)
    })

    it('does not advise the cache if it is the cache that reads for too long', async () => {
      const { cache, engine } = composeEngine(
        loadConfig({
          environment: {},
          cwd: tmpdir(),
          home: undefined,
          config: null,
          options: {
            'database.url': database.url,
            'store.url': 'none',
            'connector.tenant': 'all',
            'cache.mode': 'auto',
            'cache.directory': 'none',
            'limits.statement_timeout_ms': '200',
          },
        }),
      )
      const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
      close.push(async () => written.mockRestore())
      close.push(() => engine.close())
      const state = await whileLocked(database, async () => cache?.ready())
      expect(state?.status).toBe('failed')
      const lines = [state?.reason ?? '', written.mock.calls.map(String).join('')]
      for (const line of lines) {
        expect(line).toContain('took longer than the limit of 200 ms. limits.statement_timeout_ms raises the limit.')
        expect(line).not.toContain('cache.mode')
      }
    })

    it('fails where there is no cache', async () => {
      const engine = await engineOver(database, { ...(await common()), wrapExecutor: slow })
      close.push(() => engine.close())
      await expect(engine.query('mrr', {})).rejects.toMatchObject({ code: 'query_timeout' })
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

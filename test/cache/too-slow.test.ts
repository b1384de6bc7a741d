import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
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

    it('fails where there is no cache', async () => {
      const engine = await engineOver(database, { ...(await common()), wrapExecutor: slow })
      close.push(() => engine.close())
      await expect(engine.query('mrr', {})).rejects.toMatchObject({ code: 'query_timeout' })
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

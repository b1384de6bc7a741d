import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { openExecutor } from '../../src/databases/open.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { type StallingProxy, startStallingProxy } from '../support/databases/proxies.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const NOW = '2024-05-20 12:00:00'

describeTargets(
  'a replica that restarts',
  (target) => {
    let writer: BillingWriter
    let proxy: StallingProxy
    let direct: Engine
    let cached: Engine
    const close: (() => Promise<void>)[] = []

    beforeAll(async () => {
      const { database, tables } = await fillDatabase(target, generatedHistory(7, 20))
      writer = databaseWriter(database, tables)
      proxy = await startStallingProxy(database.url)
      const options = {
        tenant: ['all'],
        now: new Date(`${NOW.replace(' ', 'T')}Z`),
        store: await ratesOnly(RATES_CSV),
        definitions: { allow_unpriced: true },
      }
      direct = await engineOver(database, options)
      const { dialect } = database
      const through = openExecutor({
        url: proxy.url,
        schema: undefined,
        dialects: { postgres: dialect, mysql: dialect, trino: dialect },
        poolSize: 4,
      })
      cached = (await cachedEngineOver(database, { ...options, wrapExecutor: () => through })).engine
      close.push(
        () => direct.close(),
        () => cached.close(),
        () => writer.close(),
        () => proxy.close(),
      )
    })
    afterAll(async () => {
      for (const one of close) await one()
    })

    const answers = async (engine: Engine) => [
      (await engine.query('mrr', {})).data,
      (await engine.query('mrr', { query_type: 'breakdown', start: '2024-01-01', end: '2024-05-20' })).data,
    ]
    const changeAccount = async () => {
      const writing = await writer.begin(NOW)
      for (const event of writer.rows('subscription_events').slice(0, 3))
        await writing.update('subscription_events', event, { is_active: event['is_active'] !== true })
      await writing.commit()
    }

    it('is asked again when it is back, and nothing is answered from what was before', async () => {
      const before = await answers(cached)
      expect(before).toEqual(await answers(direct))
      proxy.cut()
      await changeAccount()
      await expect(answers(cached)).rejects.toSatisfy(
        (error) => error instanceof AppError && error.code === 'connector_unavailable',
      )
      proxy.flow()
      const after = await answers(cached)
      expect(after).toEqual(await answers(direct))
      expect(after).not.toEqual(before)
    })

    it('may go away in the middle of questions', async () => {
      const asked = Array.from({ length: 8 }, () => answers(cached).catch((error: unknown) => error))
      proxy.cut()
      for (const answer of await Promise.all(asked)) {
        if (answer instanceof Error) expect(answer).toMatchObject({ code: 'connector_unavailable' })
        else expect(answer).toEqual(await answers(direct))
      }
      proxy.flow()
      await changeAccount()
      expect(await answers(cached)).toEqual(await answers(direct))
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

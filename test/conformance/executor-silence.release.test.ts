import { expect, it } from 'vitest'
import { startStallingProxy } from '../support/databases/proxies.ts'
import { describeTargets } from '../support/databases/targets.ts'

const QUICK = { text: "select 'a' as n", values: [], label: 'quick' }

describeTargets(
  'a server that falls silent',
  (target) => {
    it('is given up some time after the limit, and the next snapshot opens another connection', async () => {
      const database = await target.createDatabase()
      const proxy = await startStallingProxy(database.url)
      const executor = database.executor({ url: proxy.url, statementTimeoutMs: 100, poolSize: 1 })
      const work = executor.withSnapshot(async (snapshot) => {
        await snapshot.query(QUICK)
        proxy.stall()
        return snapshot.query(QUICK)
      })
      await expect(work).rejects.toMatchObject({ code: 'query_timeout', context: { limit_ms: 100 } })
      proxy.flow()
      expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
      await executor.close()
      await proxy.close()
    })

    it('while its connection rested in the pool: unavailable, and the next snapshot opens another', async () => {
      const database = await target.createDatabase()
      const proxy = await startStallingProxy(database.url)
      const executor = database.executor({ url: proxy.url, connectTimeoutMs: 200, poolSize: 1 })
      const ask = () => executor.withSnapshot((snapshot) => snapshot.query(QUICK))
      await ask()
      proxy.stall()
      await expect(ask()).rejects.toMatchObject({ code: 'connector_unavailable' })
      proxy.flow()
      expect(await ask()).toEqual([{ n: 'a' }])
      await executor.close()
      await proxy.close()
    })

    it('does not answer while connecting: unavailable', async () => {
      const database = await target.createDatabase()
      const proxy = await startStallingProxy(database.url)
      proxy.stall()
      const executor = database.executor({ url: proxy.url, connectTimeoutMs: 200 })
      await expect(executor.withSnapshot((snapshot) => snapshot.query(QUICK))).rejects.toMatchObject({
        code: 'connector_unavailable',
      })
      await executor.close()
      await proxy.close()
    })
  },
  // PGlite is no server.
  { only: ['postgres', 'mariadb', 'mysql'] },
)

import { beforeAll, expect, it } from 'vitest'
import type { Executor, ReplicaState } from '../../src/ports/executor.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { executorInState } from '../support/databases/executor-with-state.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { cacheOver, engineOver } from '../support/product/recorded-engine.ts'

const LATE: ReplicaState = {
  role: 'replica',
  lag_seconds: 400,
  data_through: '2026-11-20 23:50:00',
  doubt: null,
  version: 'X 1',
  schema: 'billing',
}

describeTargets(
  'the lag of the replica, as answers from the cache report it',
  (target) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await sharedReal(target)
    })

    const engineWith = async (asked: string[], wrapExecutor: (executor: Executor) => Executor = (executor) => executor) =>
      engineOver(database, {
        tenant: ['alpha'],
        settings: { onStatement: (text) => asked.push(text) },
        wrapExecutor,
        cache: (executor, connector, definitions, clock) => cacheOver(executor, connector, { clock, definitions }),
      })

    it('is asked on the connection of the refresh, before its snapshot begins', async () => {
      const asked: string[] = []
      const engine = await engineWith(asked)
      await engine.query('mrr')
      asked.length = 0
      await engine.query('mrr', { at: '2026-10-31' })
      const begins = asked.flatMap((text, index) =>
        /^(begin\b.*repeatable read|start transaction)\b/i.test(text) ? [index] : [],
      )
      expect(begins).toHaveLength(1)
      expect(asked.findIndex((text) => /pg_is_in_recovery|slaves? status/i.test(text))).toBeLessThan(begins[0] ?? 0)
      expect(engine.statistics().cache).toMatchObject({ answered: 2, declined: {} })
      await engine.close()
    })

    it('is a warning where it lags, and says how far the answer reaches', async () => {
      const engine = await engineWith([], (executor) => executorInState(executor, LATE))
      const { meta } = await engine.query('mrr')
      expect(meta).toMatchObject({ data_through: '2026-11-20T23:50:00.000Z', warnings: [{ code: 'replica_lagging' }] })
      expect(engine.statistics().cache).toMatchObject({ answered: 1 })
      await engine.close()
    })
  },
  { only: ['postgres', 'mariadb'] },
)

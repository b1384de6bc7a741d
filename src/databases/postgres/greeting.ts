import type pg from 'pg'
import { once } from '../../core/async.ts'
import type { Row } from '../../ports/rows.ts'
import { withDeadline } from '../deadline.ts'
import type { Limits } from '../options.ts'
import { refuseOldServer } from '../server-version.ts'

const TEXTS = ['begin transaction read only', 'show server_version', 'rollback']

/**
 * Asks each new connection of a pool for its server's version. ConfigurationError where that is too old, before it hears of settings that
 * it may not know.
 */
export function createGreeting({ connectTimeoutMs, tap }: Limits): (client: pg.PoolClient) => Promise<pg.PoolClient> {
  const greeted = new WeakSet<pg.PoolClient>()
  return async (client) => {
    if (greeted.has(client)) return client
    const destroy = once(() => client.release(true))
    try {
      for (const text of TEXTS) tap(text)
      // Several statements in one text answer as a list, which the driver's types do not know.
      const answers: unknown = await withDeadline(connectTimeoutMs, destroy, () => client.query(TEXTS.join('; ')))
      const [, version] = answers as readonly pg.QueryResult<Row>[]
      refuseOldServer('PostgreSQL', String(version?.rows[0]?.['server_version']))
    } catch (error) {
      destroy()
      throw error
    }
    greeted.add(client)
    return client
  }
}

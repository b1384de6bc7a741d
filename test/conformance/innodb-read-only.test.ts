import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mysql as dialect } from '../../src/compiler/dialects/mysql.ts'
import { createMysqlExecutor } from '../../src/databases/mysql/mysql.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { startMariadb } from '../support/databases/servers/start-mariadb.ts'
import { askReplica } from '../support/product/replica-answers.ts'

const programs = programsOf('mariadb')
const REASON = 'InnoDB is read-only and the server does not report how far it is behind'

// As a reader of Aurora says it: writes are taken, InnoDB refuses them, and there is no source.
describe.skipIf(programs === undefined)('a server whose InnoDB is read-only', () => {
  let server: { readonly url: string; close(): Promise<void> }
  let executor: Executor

  beforeAll(async () => {
    if (programs === undefined) return
    server = await startMariadb(programs, ['--innodb-read-only', '--skip-read-only'])
    executor = createMysqlExecutor({ url: server.url, dialect, poolSize: 2 })
  })
  afterAll(async () => {
    await executor?.close()
    await server?.close()
  })

  it('is no primary, and how far it is behind is not known', async () => {
    const [row] = await executor.withSnapshot((snapshot) =>
      snapshot.query({ text: 'select @@read_only as server, @@innodb_read_only as tables', values: [], label: 'test' }),
    )
    expect(row).toEqual({ server: '0', tables: '1' })
    expect(await executor.state()).toMatchObject({
      role: 'replica',
      lag_seconds: null,
      data_through: null,
      doubt: REASON,
      schema: 'mysql',
    })
  })

  it('answers with a warning, or not where the policy refuses', async () => {
    expect(await askReplica(executor)).toMatchObject({
      status: 200,
      warnings: 'replica_lagging',
      readyz: 503,
      reason: REASON,
      check: `warning behind by an unknown time (${REASON}), limit 300 s`,
    })
    expect(await askReplica(executor, { lag_policy: 'refuse' })).toMatchObject({ status: 503, code: 'replica_lagging' })
  })
})

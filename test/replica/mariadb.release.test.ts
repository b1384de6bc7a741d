import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { eventually } from '../support/databases/servers/start-server.ts'
import { askReplica } from '../support/product/replica-answers.ts'
import { type MariadbPair, startMariadbPair } from './mariadb-replica.ts'

const programs = programsOf('mariadb')
const REFUSE = { lag_policy: 'refuse' } as const
const AT_ONCE = { max_lag_seconds: 0 } as const
const MISSING = 'the role may not read the state of replication, REPLICA MONITOR is missing'

describe.skipIf(programs === undefined)('a MariaDB replica', () => {
  let pair: MariadbPair
  let executor: Executor

  beforeAll(async () => {
    if (programs === undefined) return
    pair = await startMariadbPair(programs)
    executor = pair.reader('replica', 'watching_reader')
    await write()
    await pair.caughtUp()
  })
  afterEach(async () => {
    pair.line.flow()
    await pair.onReplica('start slave')
  })
  afterAll(() => pair?.close())

  /** Commits on the primary; milliseconds of an instant before that commit. */
  const write = async () => {
    await pair.onPrimary('insert into billing.entry (written_at) values (utc_timestamp(6))')
    const [row] = await pair.onPrimary('select max(written_at) as at from billing.entry')
    return Date.parse(`${String(row?.['at']).replace(' ', 'T')}Z`)
  }
  const replicaSays = (column: string, value: unknown) =>
    eventually(async () => {
      const [row] = await pair.onReplica('show slave status')
      if (row?.[column] !== value) throw new Error(`${column} never becomes ${value}, it is ${row?.[column]}`)
    })
  const fresh = async (policy = {}) => {
    const answers = await askReplica(executor, policy)
    expect(answers).toMatchObject({ status: 200, warnings: null, readyz: 200, reason: undefined, check: /^ok 0 s behind/ })
    return answers
  }
  const unknown = async (reason: string | RegExp, asked = executor) => {
    const says = typeof reason === 'string' ? reason : expect.stringMatching(reason)
    const answers = await askReplica(asked)
    expect(answers).toMatchObject({ status: 200, warnings: 'replica_lagging', readyz: 503, reason: says, through: null })
    expect(answers.check).toMatch(/^warning behind by an unknown time \(.+\), limit 300 s$/)
    const refused = await askReplica(asked, REFUSE)
    expect(refused).toMatchObject({ status: 503, code: 'replica_lagging', lag_seconds: null, limit_seconds: 300, readyz: 503 })
    expect(refused.detail).toContain(`behind by an unknown time (${answers.reason}); the limit is 300 s`)
  }

  it('that has applied everything and listens is not behind', async () => {
    const { through } = await fresh({ ...AT_ONCE, ...REFUSE })
    expect(through).toBeLessThanOrEqual(Date.now())
  })

  it('does not know what its primary writes while the line is silent', async () => {
    pair.line.stall()
    try {
      const written = await write()
      expect((await askReplica(executor)).through).toBeLessThanOrEqual(written)
    } finally {
      // Data sent into the silence is lost: nothing may follow on these connections.
      pair.line.cut()
    }
    pair.line.flow()
    await pair.caughtUp()
    await fresh()
  })

  it('is behind by an unknown time while its SQL thread is stopped', async () => {
    await pair.onReplica('stop slave sql_thread')
    await unknown('the SQL thread is stopped')
    await write()
    await unknown('the SQL thread is stopped')
    await pair.onReplica('start slave sql_thread')
    await pair.caughtUp()
    await fresh()
  })

  it('or its IO thread', async () => {
    await pair.onReplica('stop slave io_thread')
    await unknown('the IO thread is not connected')
    await pair.onReplica('start slave io_thread')
    await pair.caughtUp()
    await fresh()
  })

  it('or its primary is out of reach', async () => {
    pair.line.cut()
    await replicaSays('Slave_IO_Running', 'Connecting')
    await write()
    await unknown(/^the IO thread is not connected( \(error \d+\))?$/)
    pair.line.flow()
    await pair.caughtUp()
    await fresh()
  })

  it('or an event cannot be applied, whose values stay secret', async () => {
    await pair.onReplica("insert into billing.entry values (1000, '2001-02-03')")
    await pair.onPrimary("insert into billing.entry values (1000, '2001-02-03')")
    await replicaSays('Slave_SQL_Running', 'No')
    await unknown('the SQL thread is stopped (error 1062)')
    await pair.onReplica('delete from billing.entry where id = 1000')
    await pair.onReplica('start slave')
    await pair.caughtUp()
    await fresh()
  })

  it('claims nothing that is not there while changes come in late', async () => {
    await pair.onReplica('stop slave')
    await pair.onReplica('change master to master_delay = 2')
    await pair.onReplica('start slave')
    await write()
    const lagging = await eventually(async () => {
      const answers = await askReplica(executor, { ...AT_ONCE, ...REFUSE })
      if (typeof answers.lag_seconds !== 'number') throw new Error('the replica never tells how far it is behind')
      return answers
    })
    expect(lagging).toMatchObject({ status: 503, code: 'replica_lagging', limit_seconds: 0, readyz: 503 })
    expect(lagging.detail).toMatch(/^The replica is [1-9]\d* s behind; the limit is 0 s\.$/)
    for (let round = 0; round < 4; round++) {
      await write()
      const { through } = await askReplica(executor)
      const until = `select count(*) as entries from billing.entry where written_at <= from_unixtime(${through} / 1000)`
      expect(await pair.onReplica(until)).toEqual(await pair.onPrimary(until))
    }
    await pair.onReplica('stop slave')
    await pair.onReplica('change master to master_delay = 0')
    await pair.onReplica('start slave')
    await pair.caughtUp()
    await fresh()
  })

  it('is as far behind as the last of its sources', async () => {
    await pair.onReplica("change master 'other' to master_host = '127.0.0.1', master_port = 1, master_user = 'root'")
    await unknown('the SQL thread is stopped')
    await pair.onReplica("reset slave 'other' all")
    await fresh()
  })

  describe('and a role that may not ask for the state of replication', () => {
    it('tells the role of a replica by its threads, or by its taking no writes', async () => {
      const plain = pair.reader('replica', 'plain_reader')
      await unknown(MISSING, plain)
      await pair.onReplica('stop slave')
      await pair.onReplica('set global read_only = 1')
      await unknown(MISSING, plain)
      await pair.onReplica('set global read_only = 0')
      await pair.onReplica('start slave')
      await pair.caughtUp()
    })

    it('serves what may be a primary, and refuses it where nobody may lag', async () => {
      const plain = pair.reader('primary', 'plain_reader')
      const served = await askReplica(plain)
      expect(served).toMatchObject({ status: 200, warnings: null, readyz: 200, check: `warning unknown (${MISSING})` })
      const refused = await askReplica(plain, REFUSE)
      expect(refused).toMatchObject({ status: 503, code: 'replica_lagging', lag_seconds: null, readyz: 503 })
      const watching = await askReplica(pair.reader('primary', 'watching_reader'), REFUSE)
      expect(watching).toMatchObject({ status: 200, warnings: null, readyz: 200, check: 'ok none: this server is not a replica' })
    })
  })
})

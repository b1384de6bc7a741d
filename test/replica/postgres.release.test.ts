import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { eventually } from '../support/databases/servers/start-server.ts'
import { askReplica, type ReplicaAnswers } from '../support/product/replica-answers.ts'
import { POSTGRES_READERS, type PostgresPair, startPostgresPair } from './postgres-standby.ts'

const programs = programsOf('postgres')
const REFUSE = { lag_policy: 'refuse' } as const
const AT_ONCE = { max_lag_seconds: 0 } as const

describe.skipIf(programs === undefined)('a PostgreSQL standby', () => {
  let pair: PostgresPair
  const readers: [role: string, executor: Executor][] = []

  beforeAll(async () => {
    if (programs === undefined) return
    pair = await startPostgresPair(programs)
    for (const role of POSTGRES_READERS) readers.push([role, pair.reader(role)])
    await write()
    await pair.caughtUp()
  })
  afterEach(async () => {
    pair.line.flow()
    await pair.onStandby('select pg_wal_replay_resume()')
  })
  afterAll(() => pair?.close())

  /** Commits on the primary; milliseconds of an instant before that commit. */
  const write = async () => {
    const [row] = await pair.onPrimary('insert into entry default values returning extract(epoch from written_at) * 1000 as at')
    return Number(row?.['at'])
  }
  const standbySays = (condition: string) =>
    eventually(async () => {
      const [row] = await pair.onStandby(`select ${condition} as holds`)
      if (row?.['holds'] !== true) throw new Error(`the standby never says ${condition}`)
    })
  const each = async (expected: (answers: ReplicaAnswers, role: string) => void, policy = {}) => {
    for (const [role, executor] of readers) expected(await askReplica(executor, policy), role)
  }
  const fresh = (answers: ReplicaAnswers) => {
    expect(answers).toMatchObject({ status: 200, warnings: null, readyz: 200, reason: undefined, check: /^ok 0 s behind/ })
  }
  const unknown = async (reason: string, before: number) => {
    await each((answers) => {
      expect(answers).toMatchObject({ status: 200, warnings: 'replica_lagging', readyz: 503, reason })
      expect(answers.check).toBe(`warning behind by an unknown time (${reason}), limit 300 s`)
      expect(answers.through).toBeLessThanOrEqual(before)
    })
    await each((answers) => {
      expect(answers).toMatchObject({ status: 503, code: 'replica_lagging', lag_seconds: null, limit_seconds: 300, readyz: 503 })
      expect(answers.detail).toBe(`The replica is behind by an unknown time (${reason}); the limit is 300 s.`)
    }, REFUSE)
  }

  it('that has replayed everything and listens is not behind, however old the last transaction', async () => {
    await standbySays("clock_timestamp() - pg_last_xact_replay_timestamp() > interval '1 s'")
    await each(fresh, { ...AT_ONCE, ...REFUSE })
    await each((answers, role) => {
      expect(answers.through).toBeLessThanOrEqual(Date.now())
      expect(answers.through, role).not.toBeNull()
    })
  })

  it('does not know what its primary writes while the line is silent', async () => {
    pair.line.stall()
    try {
      const written = await write()
      await each(({ through }) => expect(through).toBeLessThanOrEqual(written))
    } finally {
      // Data sent into the silence is lost: nothing may follow on these connections.
      pair.line.cut()
    }
    pair.line.flow()
    await pair.caughtUp()
    await each(fresh)
  })

  it('reaches to its last transaction once the receiver is cut off', async () => {
    pair.line.cut()
    await standbySays('not exists (select from pg_stat_wal_receiver)')
    const written = await write()
    await each(({ status, warnings, readyz, through }) => {
      expect([status, warnings, readyz]).toEqual([200, null, 200])
      expect(through).toBeLessThanOrEqual(written)
    })
    await standbySays("clock_timestamp() - pg_last_xact_replay_timestamp() > interval '1 s'")
    const late = { status: 503, code: 'replica_lagging', lag_seconds: expect.any(Number), readyz: 503 }
    await each(
      (answers) => {
        expect(answers).toMatchObject({ ...late, reason: 'no receiver streams', limit_seconds: 0 })
        expect(answers.detail).toMatch(/^The replica is \d+ s behind \(no receiver streams\); the limit is 0 s\.$/)
      },
      { ...AT_ONCE, ...REFUSE },
    )
    pair.line.flow()
    await pair.caughtUp()
    await each(fresh)
  })

  it('is as far behind as its last transaction while replay is paused and something waits', async () => {
    await pair.onStandby('select pg_wal_replay_pause()')
    const written = await write()
    await standbySays('pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()')
    await standbySays("clock_timestamp() - pg_last_xact_replay_timestamp() > interval '1 s'")
    await each((answers) => {
      expect(answers).toMatchObject({ status: 200, warnings: 'replica_lagging', readyz: 503, reason: 'replay is paused' })
      expect(answers.check).toMatch(/^warning \d+ s behind \(replay is paused\), limit 0 s$/)
      expect(answers.through).toBeLessThanOrEqual(written)
    }, AT_ONCE)
    await pair.onStandby('select pg_wal_replay_resume()')
    await pair.caughtUp()
    await each(fresh)
  })

  it('claims nothing that is not there while changes come in late', async () => {
    await pair.onStandby("alter system set recovery_min_apply_delay = '800ms'")
    await pair.onStandby('select pg_reload_conf()')
    for (let round = 0; round < 5; round++) {
      await write()
      for (const [, executor] of readers) {
        const { through } = await askReplica(executor)
        const until = `select count(*) as entries from entry where extract(epoch from written_at) * 1000 <= ${through}`
        expect(await pair.onStandby(until)).toEqual(await pair.onPrimary(until))
      }
    }
    await pair.onStandby('alter system reset recovery_min_apply_delay')
    await pair.onStandby('select pg_reload_conf()')
    await pair.caughtUp()
  })

  it('cancels what conflicts with its primary at once, and the error names the remedies', async () => {
    const [, executor] = readers[0] ?? []
    let attempts = 0
    const work = executor?.withSnapshot(async (snapshot) => {
      attempts += 1
      const ask = (text: string) => snapshot.query({ text, values: [], label: 'test' })
      await ask('select count(*) as n from entry')
      // The snapshot still sees these rows, and the primary removes what is left of them.
      await pair.onPrimary('update entry set written_at = clock_timestamp()')
      await pair.onPrimary('vacuum entry')
      await write()
      return ask('select count(*) as n, pg_sleep(20) is null as slept from entry')
    })
    await expect(work).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringMatching(/twice.*hot_standby_feedback = on.*max_standby_streaming_delay/),
    })
    expect(attempts).toBe(2)
    await pair.caughtUp()
    await each(fresh)
  })

  describe('that has replayed no transaction since it started', () => {
    const AND_NOTHING = 'and no commit has been replayed since the server started'

    beforeAll(async () => {
      await pair.onPrimary('checkpoint')
      await pair.caughtUp()
      await pair.onStandby('checkpoint')
      await pair.stopStandby()
      pair.line.cut()
      await pair.startStandby()
      await standbySays('pg_last_xact_replay_timestamp() is null')
    })

    it('is behind by an unknown time without a receiver', async () => {
      await unknown(`no receiver streams, ${AND_NOTHING}`, Date.now())
    })

    it('is not behind when it listens and nothing waits', async () => {
      pair.line.flow()
      await pair.caughtUp()
      await each(fresh, { ...AT_ONCE, ...REFUSE })
      await standbySays('pg_last_xact_replay_timestamp() is null')
    })

    it('is behind by an unknown time when something waits', async () => {
      await pair.onStandby('select pg_wal_replay_pause()')
      const written = await write()
      await standbySays('pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()')
      await unknown(`replay is paused, ${AND_NOTHING}`, written)
      await pair.onStandby('select pg_wal_replay_resume()')
      await pair.caughtUp()
      await each(fresh)
    })
  })
})

import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { askReplica } from '../support/product/replica-answers.ts'
import { type AuroraInstance, actAsAurora, OWN, WRITER } from './act-as-aurora.ts'

const READER = '8f1f2f5c-6a5c-4f2e-9b44-3f0f1c2d9d11'
const UNTOLD = 'the server does not report how far it is behind'

describeTargets(
  'Aurora PostgreSQL',
  (target) => {
    const role = `pl_reader_${randomBytes(4).toString('hex')}`
    let database: TestDatabase
    let url = ''
    const open: Executor[] = []

    beforeAll(async () => {
      database = await target.createDatabase()
      await database.adminQuery(`create role ${role} login password 'ro'`)
      const address = new URL(database.url)
      address.username = role
      address.password = 'ro'
      url = address.href
    })
    afterEach(async () => {
      await Promise.all(open.splice(0).map((executor) => executor.close()))
    })
    afterAll(async () => {
      await database.adminQuery(`drop owned by ${role}`)
      await database.adminQuery(`drop role ${role}`)
    })

    /** An executor of a plain role on an instance that says of itself what is given. */
    const instance = async (says: AuroraInstance, onStatement: (text: string) => void = () => {}): Promise<Executor> => {
      await actAsAurora(database, says)
      const executor = database.executor({ url, onStatement })
      open.push(executor)
      return executor
    }
    const unknown = async (executor: Executor, reason: string) => {
      expect(await executor.state()).toMatchObject({ role: 'replica', lag_seconds: null, data_through: null, doubt: reason })
      expect(await askReplica(executor)).toMatchObject({
        status: 200,
        warnings: 'replica_lagging',
        through: null,
        readyz: 503,
        reason,
        check: `warning behind by an unknown time (${reason}), limit 300 s`,
      })
      expect(await askReplica(executor, { lag_policy: 'refuse' })).toMatchObject({ status: 503, code: 'replica_lagging' })
    }

    it('a writer is a primary, also to a role that finds a function of public before that of the server', async () => {
      await database.adminQuery(`create function public.pg_last_wal_receive_lsn() returns pg_lsn language plpgsql as $$
        begin raise exception 'Function pg_last_xlog_receive_location() is currently not supported for Aurora' using errcode = '0A000'; end $$`)
      await database.adminQuery(`alter role ${role} set search_path = public, pg_catalog`)
      const executor = database.executor({ url })
      open.push(executor)
      expect(await executor.state()).toMatchObject({ role: 'primary', lag_seconds: null, doubt: null, schema: 'public' })
      expect(await askReplica(executor)).toMatchObject({
        status: 200,
        warnings: null,
        readyz: 200,
        check: 'ok none: this server is not a replica',
      })
      await database.adminQuery(`alter role ${role} reset search_path`)
      await database.adminQuery('drop function public.pg_last_wal_receive_lsn()')
    })

    it('an instance that becomes a reader, and a writer again, tells its lag each time', async () => {
      const texts: string[] = []
      const writer = { isReader: false, isNamed: false, status: [[OWN, WRITER, null, null]] } as const
      const reader = {
        isReader: true,
        isNamed: false,
        status: [
          [OWN, READER, 7_000, 0],
          ['other', WRITER, null, 0],
        ],
      } as const
      const executor = await instance(writer, (text) => texts.push(text))
      for (let time = 0; time < 3; time += 1) expect(await executor.state()).toMatchObject({ role: 'primary' })
      await actAsAurora(database, reader)
      texts.length = 0
      for (let time = 0; time < 2; time += 1) {
        expect(await executor.state()).toMatchObject({ role: 'replica', doubt: null, lag_seconds: expect.closeTo(7, -1) })
      }
      // The snapshot that had begun before the lag was known has ended.
      const begun = texts.filter((text) => text.startsWith('begin transaction isolation'))
      expect(begun).toHaveLength(3)
      await actAsAurora(database, writer)
      for (let time = 0; time < 2; time += 1) expect(await executor.state()).toMatchObject({ role: 'primary' })
    })

    it.each([true, false])('a writer is a primary where its setting is there (%s)', async (isNamed) => {
      for (const status of [undefined, [[OWN, WRITER, null, null] as const]]) {
        const executor = await instance({ isReader: false, isNamed, ...(status === undefined ? {} : { status }) })
        expect(await executor.state()).toMatchObject({
          role: 'primary',
          doubt: null,
          version: expect.stringMatching(isNamed ? /^PostgreSQL \S+ \(Aurora\)$/ : /^PostgreSQL \S+$/),
        })
      }
    })

    it.each([true, false])(
      'a reader that shows no state of the cluster is behind by an unknown time (setting: %s)',
      async (isNamed) => {
        await unknown(await instance({ isReader: true, isNamed }), UNTOLD)
      },
    )

    it('is not asked for a log that it does not have', async () => {
      const asked: string[] = []
      const executor = await instance({ isReader: true, isNamed: true, status: [[OWN, READER, 20, null]] }, (text) =>
        asked.push(text),
      )
      await askReplica(executor)
      expect(asked.filter((text) => /pg_last_|pg_stat_wal|pg_is_wal|pg_control/.test(text))).toEqual([])
      expect(asked.filter((text) => text.includes('aurora_replica_status')).length).toBeGreaterThan(0)
    })

    it.each([true, false])('a reader tells its lag (setting: %s)', async (isNamed) => {
      const status = (lag: number | null, age: number | null) =>
        [
          ['instance-0', WRITER, null, 0.1],
          [OWN, READER, lag, age],
          ['instance-2', 'another', 900_000, 0.1],
        ] as const
      const fresh = await instance({ isReader: true, isNamed, status: status(20.4, null) })
      const before = Date.now()
      const answers = await askReplica(fresh)
      expect(answers).toMatchObject({ status: 200, warnings: null, readyz: 200, check: 'ok 0 s behind, limit 300 s' })
      expect(answers.through).toBeGreaterThan(before - 2_000)
      expect(answers.through).toBeLessThanOrEqual(Date.now())

      const late = await instance({ isReader: true, isNamed, status: status(400_500, null) })
      expect(await late.state()).toMatchObject({ role: 'replica', lag_seconds: 400, doubt: null })
      expect(await askReplica(late)).toMatchObject({ status: 200, warnings: 'replica_lagging', readyz: 503 })

      // An old report says nothing of later changes.
      const stale = await instance({ isReader: true, isNamed, status: status(20, 600) })
      expect(await stale.state()).toMatchObject({ lag_seconds: 600 })

      await unknown(await instance({ isReader: true, isNamed, status: status(null, null) }), UNTOLD)
    })

    it('a reader whose cluster shows no writer, or not itself, is behind by an unknown time', async () => {
      const isNamed = true
      await unknown(await instance({ isReader: true, isNamed, status: [[OWN, READER, 20, null]] }), 'the cluster shows no writer')
      await unknown(await instance({ isReader: true, isNamed, status: [['instance-0', WRITER, null, 0]] }), UNTOLD)
    })

    it('one that says that it takes writes, and that its cluster lists as a reader, is a reader', async () => {
      const status = [
        ['instance-0', WRITER, null, 0],
        [OWN, READER, 5_000, null],
      ] as const
      const executor = await instance({ isReader: false, isNamed: true, status })
      expect(await executor.state()).toMatchObject({ role: 'replica', lag_seconds: 5 })
    })
  },
  { only: ['postgres'] },
)

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { collect } from '../support/databases/collect-rows.ts'
import { describeTargets, type Target, type TestDatabase } from '../support/databases/targets.ts'

const SERVERS = { only: ['postgres', 'mariadb', 'mysql'] } as const

/** Billions of row pairs: runs until somebody stops it, and unlike a sleep it is stopped the same way everywhere. */
const ENDLESS = {
  text: 'select count(*) as n from item a, item b, item c where a.id + b.id + c.id > 0',
  values: [],
  label: 'endless',
}
const QUICK = { text: "select 'a' as n", values: [], label: 'quick' }

async function databaseWithItems(target: Target): Promise<TestDatabase> {
  const database = await target.createDatabase()
  await database.adminQuery('create table item (id integer)')
  const rows = Array.from({ length: 3000 }, (_, index) => `(${index})`)
  await database.adminQuery(`insert into item values ${rows.join(', ')}`)
  return database
}

/** Ids of the sessions in which the endless statement (on PostgreSQL also: the fetch from its cursor) runs. */
async function running(database: TestDatabase): Promise<string[]> {
  const text =
    database.dialect.name === 'postgres'
      ? `select pid as id from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
           and (query like 'select count(*) as n from item a%' or query like 'fetch%')`
      : `select id from information_schema.processlist where db = database() and command in ('Query', 'Execute')
           and info like 'select count(*) as n from item a%'`
  return (await database.adminQuery(text)).map((row) => String(row['id']))
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}

describeTargets(
  'limits',
  (target) => {
    let database: TestDatabase

    beforeAll(async () => {
      database = await databaseWithItems(target)
    })

    it('ends a statement at its time limit and serves again', async () => {
      const executor = database.executor({ statementTimeoutMs: 200, poolSize: 1 })
      const timeout = {
        code: 'query_timeout',
        message: expect.stringContaining('limits.statement_timeout_ms'),
        context: { limit_ms: 200 },
      }
      await expect(executor.withSnapshot((snapshot) => snapshot.query(ENDLESS))).rejects.toMatchObject(timeout)
      await expect(executor.withSnapshot((snapshot) => collect(snapshot.stream(ENDLESS)))).rejects.toMatchObject(timeout)
      await until(async () => (await running(database)).length === 0)
      expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
    })

    it('lets a sort or temporary table take the configured memory', async () => {
      const executor = database.executor({ sessionMemoryBytes: 2 ** 28 })
      const setting =
        database.dialect.name === 'postgres'
          ? { text: "select current_setting('work_mem') as n", values: [], label: 'setting' }
          : { text: 'select @@max_heap_table_size as n', values: [], label: 'setting' }
      const expected = database.dialect.name === 'postgres' ? '256MB' : String(2 ** 28)
      expect(await executor.withSnapshot((snapshot) => snapshot.query(setting))).toEqual([{ n: expected }])
    })

    it.each(['query', 'stream'] as const)('an abort stops a %s on the server', async (method) => {
      const executor = database.executor({ poolSize: 1 })
      const abort = new AbortController()
      const reason = new Error('the client went away')
      const work = executor.withSnapshot(
        async (snapshot) => (method === 'query' ? snapshot.query(ENDLESS) : collect(snapshot.stream(ENDLESS))),
        { signal: abort.signal },
      )
      const outcome = expect(work).rejects.toBe(reason)
      await until(async () => (await running(database)).length === 1)
      abort.abort(reason)
      await outcome
      await until(async () => (await running(database)).length === 0)
      expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
    })

    it('an abort between statements and one before the start end the snapshot too', async () => {
      const executor = database.executor({ poolSize: 1 })
      const abort = new AbortController()
      const work = executor.withSnapshot(
        async (snapshot) => {
          abort.abort(new Error('gone'))
          return snapshot.query(QUICK)
        },
        { signal: abort.signal },
      )
      await expect(work).rejects.toThrow('gone')
      await expect(executor.withSnapshot((snapshot) => snapshot.query(QUICK), { signal: abort.signal })).rejects.toThrow('gone')
    })

    it('a statement that an administrator stops is no timeout', async () => {
      const executor = database.executor({ poolSize: 1 })
      const work = executor.withSnapshot((snapshot) => snapshot.query(ENDLESS))
      const outcome = expect(work).rejects.toMatchObject({
        code: 'connector_unavailable',
        message: expect.stringContaining('administrator'),
      })
      let isStopped = false
      const settled = work
        .catch(() => {})
        .then(() => {
          isStopped = true
        })
      // A server forgets a cancellation of a statement that is listed but has not quite begun, so the test repeats it.
      await until(async () => {
        for (const id of await running(database)) {
          const stop = target.dialect.name === 'postgres' ? `select pg_cancel_backend(${id})` : `kill query ${id}`
          await database.adminQuery(stop).catch(() => undefined)
        }
        return isStopped
      })
      await settled
      await outcome
    })

    it('a lost connection is unavailable, the next snapshot opens another', async () => {
      const executor = database.executor({ poolSize: 1 })
      const id = target.dialect.name === 'postgres' ? 'pg_backend_pid()' : 'connection_id()'
      const work = executor.withSnapshot(async (snapshot) => {
        const [row] = await snapshot.query({ text: `select ${id} as id`, values: [], label: 'test' })
        const victim = String(row?.['id'])
        await database.adminQuery(
          target.dialect.name === 'postgres' ? `select pg_terminate_backend(${victim})` : `kill ${victim}`,
        )
        return snapshot.query(QUICK)
      })
      await expect(work).rejects.toMatchObject({ code: 'connector_unavailable' })
      expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
    })

    it('opens no more connections than the pool has, queues some and refuses the rest', async () => {
      const executor = database.executor({ poolSize: 2, queueLimit: 1, queueMs: 60_000 })
      const release: (() => void)[] = []
      const held = () => executor.withSnapshot(() => new Promise<void>((resolve) => release.push(resolve)))
      const first = [held(), held()]
      await until(async () => release.length === 2)
      const third = held()
      await expect(held()).rejects.toMatchObject({ code: 'overloaded', context: { retry_after: expect.any(Number) } })
      expect(executor.load()).toEqual({ running: 2, waiting: 1, size: 2, queue_size: 1 })
      expect(release).toHaveLength(2)
      release[0]?.()
      await until(async () => release.length === 3)
      for (const let_go of release) let_go()
      await Promise.all([...first, third])
    })

    it('a snapshot waits no longer than its limit and takes no connection when its time is over', async () => {
      const executor = database.executor({ poolSize: 1, queueMs: 20 })
      const turns: string[] = []
      await executor.withSnapshot(
        async () => {
          const late = executor.withSnapshot(async () => {}, { onTurn: () => turns.push('late') })
          await expect(late).rejects.toMatchObject({ code: 'overloaded', context: { retry_after: expect.any(Number) } })
        },
        { onTurn: () => turns.push('first') },
      )
      expect(turns).toEqual(['first'])
      expect(executor.load()).toMatchObject({ running: 0, waiting: 0 })
    })

    it('names neither host, user nor password when nobody answers', async () => {
      const url = new URL(database.url)
      url.password = 's3cret'
      url.port = '1'
      const executor = database.executor({ url: url.href })
      const error: unknown = await executor.withSnapshot((snapshot) => snapshot.query(QUICK)).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'connector_unavailable', message: expect.stringContaining('ECONNREFUSED') })
      expect(String(error)).not.toMatch(/s3cret|127\.0\.0\.1|root|postgres/)
    })

    it('refuses when it is closed', async () => {
      const executor = database.executor({})
      await executor.withSnapshot((snapshot) => snapshot.query(QUICK))
      await executor.close()
      await expect(executor.withSnapshot((snapshot) => snapshot.query(QUICK))).rejects.toMatchObject({
        code: 'connector_unavailable',
      })
    })
  },
  SERVERS,
)

describeTargets(
  'replay conflict',
  (target) => {
    const STUMBLE = { text: 'select stumble()', values: [], label: 'stumble' }
    let database: TestDatabase

    beforeAll(async () => {
      database = await target.createDatabase()
      // The report of a standby that cancels a statement to apply its primary's changes.
      await database.adminQuery(`create function stumble() returns integer language plpgsql as $$
        begin raise exception 'canceling statement due to conflict with recovery' using errcode = '40001'; end $$`)
    })

    it('runs the whole work once more', async () => {
      let attempts = 0
      const rows = await database.executor().withSnapshot(async (snapshot) => {
        attempts += 1
        await snapshot.query(QUICK)
        return snapshot.query(attempts === 1 ? STUMBLE : QUICK)
      })
      expect(rows).toEqual([{ n: 'a' }])
      expect(attempts).toBe(2)
    })

    it('gives up after the second time, even when the work hides the error', async () => {
      let attempts = 0
      const work = database.executor().withSnapshot(async (snapshot) => {
        attempts += 1
        await snapshot.query(STUMBLE).catch(() => {
          throw new Error('hidden')
        })
      })
      await expect(work).rejects.toMatchObject({ code: 'connector_unavailable', message: expect.stringContaining('twice') })
      expect(attempts).toBe(2)
    })
  },
  // PGlite has no primary whose changes could get in the way, MySQL no such conflict.
  { only: ['postgres'] },
)

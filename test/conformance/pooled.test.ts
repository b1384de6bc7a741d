import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { type Pgbouncer, type PoolMode, startPgbouncer } from '../support/databases/servers/pgbouncer.ts'
import { missingPostgres, OTHER_POSTGRES, startPostgres } from '../support/databases/servers/postgres-versions.ts'
import { postgresTarget } from '../support/databases/target-postgres.ts'
import type { Settings, TestDatabase } from '../support/databases/test-database.ts'

const [, NEWER] = OTHER_POSTGRES
const programs = programsOf('pgbouncer')
const server = inject('targetPlaces').find(({ name }) => name === 'postgres')

/** Billions of row pairs: runs until somebody stops it. */
const ENDLESS = {
  text: 'select count(*) as n from item a, item b, item c where a.id + b.id + c.id > 0',
  values: [],
  label: 'endless',
}
const ITEMS = { text: 'select id from item where id < $1', values: [10], label: 'items' }
const QUICK = { text: "select 'a' as n", values: [], label: 'quick' }

/** Settings that the product makes and that are another client's own business. */
const SETTINGS = [
  'default_transaction_read_only',
  'transaction_read_only',
  'transaction_isolation',
  'statement_timeout',
  'lock_timeout',
  'timezone',
  'datestyle',
  'work_mem',
  'jit',
  'enable_nestloop',
  'enable_mergejoin',
  'search_path',
]
const READ_SETTINGS = `select ${SETTINGS.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`

describe.skipIf(programs === undefined || server === undefined).each(['transaction', 'session'] as const)(
  'behind PgBouncer that pools by %s',
  (mode: PoolMode) => {
    let database: TestDatabase
    let pooler: Pgbouncer
    const executors: Executor[] = []

    beforeAll(async () => {
      if (programs === undefined || server === undefined) return
      database = await postgresTarget(server.url).createDatabase()
      await database.adminQuery('create table item (id integer)')
      await database.adminQuery('insert into item select * from generate_series(0, 2999)')
      pooler = await startPgbouncer(programs, { server: server.url, mode, size: 2 })
    })
    afterEach(async () => {
      await Promise.all(executors.splice(0).map((executor) => executor.close()))
    })
    afterAll(async () => {
      await pooler?.close()
      await database?.drop()
    })

    const pooled = (settings: Settings = {}, url = pooler.before(database.url)): Executor => {
      const executor = database.executor({ url, poolSize: 2, ...settings })
      executors.push(executor)
      return executor
    }
    const withClient = async <T>(work: (client: pg.Client) => Promise<T>, url = pooler.before(database.url)): Promise<T> => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        return await work(client)
      } finally {
        await client.end()
      }
    }
    const running = async (): Promise<number> => {
      const text = `select count(*)::integer as n from pg_stat_activity where datname = current_database() and state = 'active'
        and pid <> pg_backend_pid() and (query like 'select count(*) as n from item a%' or query like 'fetch%')`
      return Number((await database.adminQuery(text))[0]?.['n'])
    }
    const until = async (condition: () => Promise<boolean>) => {
      while (!(await condition())) await sleep(20)
    }

    it('answers queries, streams, state and privileges', async () => {
      const executor = pooled()
      const [rows, streamed] = await executor.withSnapshot(async (snapshot) => [
        await snapshot.query(ITEMS),
        await collect(snapshot.stream({ ...ITEMS, values: [2_000] })),
      ])
      expect(rows).toHaveLength(10)
      expect(streamed).toHaveLength(2_000)
      expect(await executor.state()).toMatchObject({ role: 'primary', doubt: null, schema: 'public' })
      expect(await executor.writePrivileges()).toContain('superuser')
    })

    it('reads only, from the first statement on', async () => {
      // The state of the server is read before the snapshot. Here its answer says whether it could have written.
      await database.adminQuery('create schema watch')
      await database.adminQuery(`create function watch.pg_is_in_recovery() returns boolean language sql stable
        as $$ select current_setting('transaction_read_only') <> 'on' $$`)
      const name = new URL(database.url).pathname.slice(1)
      await database.adminQuery(`alter database ${name} set search_path = watch, pg_catalog, public`)
      await pooler.console(`reconnect ${name}`)
      try {
        const executor = pooled({ schema: 'public' })
        expect(await executor.state()).toMatchObject({ role: 'primary' })
        await expect(
          executor.withSnapshot((snapshot) =>
            snapshot.query({ text: 'insert into item values (9)', values: [], label: 'write' }),
          ),
        ).rejects.toMatchObject({ name: 'InternalError', cause: { code: '25006' } })
      } finally {
        await database.adminQuery(`alter database ${name} reset search_path`)
        await database.adminQuery('drop schema watch cascade')
        await pooler.console(`reconnect ${name}`)
      }
    })

    it('leaves nothing behind for the next client of a connection', async () => {
      const before = await withClient(async (client) => (await client.query(READ_SETTINGS)).rows)
      const executor = pooled({ schema: 'public', statementTimeoutMs: 7_654 })
      await executor.state()
      await Promise.all([1, 2, 3, 4].map(() => executor.withSnapshot((snapshot) => snapshot.query(ITEMS))))
      await expect(executor.withSnapshot((snapshot) => snapshot.query({ ...QUICK, text: 'select nothing' }))).rejects.toThrow()
      // In session mode the pooler itself resets what a client leaves.
      if (mode === 'session') await executor.close()
      for (const _ of [1, 2, 3, 4]) {
        await withClient(async (client) => {
          expect((await client.query(READ_SETTINGS)).rows).toEqual(before)
          expect((await client.query('select count(*)::integer as n from pg_prepared_statements')).rows).toEqual([{ n: 0 }])
          expect((await client.query('select count(*)::integer as n from pg_cursors')).rows).toEqual([{ n: 0 }])
          await client.query('create table written (id integer)')
          await client.query('drop table written')
        })
      }
    })

    it('ends a statement at its time limit and serves again', async () => {
      const executor = pooled({ statementTimeoutMs: 200, poolSize: 1 })
      const timeout = { code: 'query_timeout', context: { limit_ms: 200 } }
      await expect(executor.withSnapshot((snapshot) => snapshot.query(ENDLESS))).rejects.toMatchObject(timeout)
      await expect(executor.withSnapshot((snapshot) => collect(snapshot.stream(ENDLESS)))).rejects.toMatchObject(timeout)
      await until(async () => (await running()) === 0)
      expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
    })

    const abandon = async (executor: Executor, method: 'query' | 'stream'): Promise<void> => {
      const abort = new AbortController()
      const reason = new Error('the client went away')
      const work = executor.withSnapshot(
        async (snapshot) => (method === 'query' ? snapshot.query(ENDLESS) : collect(snapshot.stream(ENDLESS))),
        { signal: abort.signal },
      )
      const outcome = expect(work).rejects.toBe(reason)
      await until(async () => (await running()) > 0)
      abort.abort(reason)
      await outcome
    }

    it.each(['query', 'stream'] as const)('an abort stops a %s on the server', async (method) => {
      const executor = pooled({ poolSize: 1 })
      await abandon(executor, method)
      await until(async () => (await running()) === 0)
      expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
    })

    it('an abort stops a statement also where the pooler takes no request to cancel', async () => {
      const deaf = await startDeafProxy(pooler.before(database.url))
      try {
        const executor = pooled({ poolSize: 1 }, deaf.url)
        await abandon(executor, 'query')
        await until(async () => (await running()) === 0)
        expect(deaf.refused()).toBe(1)
        expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
      } finally {
        await executors.at(-1)?.close()
        await deaf.close()
      }
    })

    it('an abort hits nobody else who uses the connections', async () => {
      if (mode === 'session') return
      const impatient = pooled({ poolSize: 2 })
      let isOver = false
      let done = 0
      const innocent = async () => {
        await withClient(async (client) => {
          while (!isOver) {
            await client.query('select pg_sleep(0.002)')
            done += 1
          }
        })
      }
      const others = [innocent(), innocent()]
      for (let turn = 0; turn < 60; turn++) {
        const abort = new AbortController()
        const work = impatient
          .withSnapshot((snapshot) => snapshot.query({ text: 'select pg_sleep(0.005) as n', values: [], label: 'short' }), {
            signal: abort.signal,
          })
          .catch(() => undefined)
        await sleep(turn % 12)
        abort.abort(new Error('gone'))
        await work
      }
      isOver = true
      await Promise.all(others)
      expect(done).toBeGreaterThan(0)
    })

    it('serves more snapshots at a time than the pooler has connections', async () => {
      if (mode === 'session') return
      const clients = [pooled({ poolSize: 4 }), pooled({ poolSize: 4 }), pooled({ poolSize: 4 })]
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, turn) =>
          clients[turn % clients.length]?.withSnapshot(async (snapshot) => {
            const isolation = { ...QUICK, text: "select current_setting('transaction_isolation') as n" }
            return [await snapshot.query(isolation), (await collect(snapshot.stream({ ...ITEMS, values: [turn] }))).length]
          }),
        ),
      )
      expect(answers).toEqual(Array.from({ length: 60 }, (_, turn) => [[{ n: 'repeatable read' }], turn]))
    })

    it('says what a parameter of the address is that the pooler refuses', async () => {
      const url = new URL(pooler.before(database.url))
      url.searchParams.set('options', '-c work_mem=1MB')
      await expect(pooled({}, url.href).state()).rejects.toMatchObject({
        code: 'connector_unavailable',
        operatorDetail: expect.stringContaining('a pooler before it, refuses a startup parameter'),
      })
    })
  },
)

/** Connections of a pooler to two servers by turns, as behind a balancer of load. */
const others = missingPostgres([NEWER]).length === 0
describe.skipIf(programs === undefined || server === undefined || !others)('behind PgBouncer before several servers', () => {
  it('is refused by name as soon as the servers differ', async () => {
    if (programs === undefined || server === undefined) return
    const second = await startPostgres(NEWER)
    const balancer = await startBalancer([server.url, second.url])
    const own = new URL(second.url)
    own.host = balancer.host
    const pooler = await startPgbouncer(programs, {
      server: own.href,
      mode: 'transaction',
      size: 2,
      settings: 'min_pool_size = 2\nserver_round_robin = 1',
    })
    const executor = createPostgresExecutor({ url: pooler.before(own.href), dialect: postgres, poolSize: 1 })
    try {
      // The pooler opens its second connection when it sees that one is wanted.
      const busy = createPostgresExecutor({ url: pooler.before(own.href), dialect: postgres, poolSize: 2 })
      const both = [1, 2].map(() =>
        busy.withSnapshot((snapshot) => snapshot.query({ text: 'select pg_sleep(0.5) as n', values: [], label: 'long' })),
      )
      await Promise.all(both)
      await busy.close()
      await expect(executor.state()).rejects.toMatchObject({
        code: 'connector_unavailable',
        message: expect.stringContaining('leads to another server'),
      })
    } finally {
      await executor.close()
      await pooler.close()
      await balancer.close()
      await second.close()
    }
  })
})

async function startBalancer(urls: readonly string[]): Promise<{ readonly host: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let turn = 0
  const balancer = createServer((inward) => {
    const { hostname, port } = new URL(urls[turn++ % urls.length] ?? '')
    const outward = connect({ host: hostname, port: Number(port || 5432) })
    for (const socket of [inward, outward]) sockets.add(socket)
    inward.on('error', () => outward.destroy()).on('close', () => outward.destroy())
    outward.on('error', () => inward.destroy()).on('close', () => inward.destroy())
    inward.pipe(outward)
    outward.pipe(inward)
  })
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  const address = balancer.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  return {
    host: `127.0.0.1:${address.port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => balancer.close(() => resolve()))
    },
  }
}

/** A way to a server that drops requests to cancel, as some poolers do. */
async function startDeafProxy(url: string): Promise<{ readonly url: string; refused(): number; close(): Promise<void> }> {
  const CANCEL_REQUEST = 80_877_102
  const target = new URL(url)
  const behind = { host: target.hostname, port: Number(target.port) }
  const sockets = new Set<Socket>()
  let refused = 0
  const proxy = createServer((inward) => {
    sockets.add(inward)
    inward.on('error', () => inward.destroy())
    inward.once('data', (first) => {
      if (first.readInt32BE(4) === CANCEL_REQUEST) {
        refused += 1
        inward.destroy()
        return
      }
      const outward = connect(behind)
      sockets.add(outward)
      outward.on('error', () => inward.destroy()).on('close', () => inward.destroy())
      inward.on('close', () => outward.destroy())
      outward.write(first)
      inward.pipe(outward)
      outward.pipe(inward)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  target.host = `127.0.0.1:${address.port}`
  return {
    url: target.href,
    refused: () => refused,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => proxy.close(() => resolve()))
    },
  }
}

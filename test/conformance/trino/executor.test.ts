import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ExecutorOptions } from '../../../src/databases/options.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Snapshot } from '../../../src/ports/snapshot.ts'
import { collect } from '../../support/databases/collect-rows.ts'
import { startStallingProxy } from '../../support/databases/proxies.ts'
import { describeTrino } from '../../support/databases/servers/shared-trino.ts'
import { createTrinoSchema, type TrinoSchema } from '../../support/databases/trino-copy.ts'

const QUICK = { text: "select 'a' as n", values: [], label: 'quick' }
/** Billions of row pairs: runs until somebody stops it. */
const ENDLESS = {
  text: `select count(*) as n from unnest(sequence(1, 9000)) as a (x), unnest(sequence(1, 9000)) as b (x), unnest(sequence(1, 9000)) as c (x)
    where a.x + b.x + c.x > 0`,
  values: [],
  label: 'mrr.endless killbill/trino',
}

describeTrino('the executor', (server) => {
  let place: TrinoSchema
  let executor: Executor
  const opened: Executor[] = []
  const open = (options: Partial<ExecutorOptions> = {}) => {
    const one = place.executor(options)
    opened.push(one)
    return one
  }
  const ask = (snapshot: Snapshot, text: string, values: readonly (string | number | null)[] = []) =>
    snapshot.query({ text, values, label: 'test' })
  const running = async () =>
    (
      await place.run(
        "select query_id from system.runtime.queries where state = 'RUNNING' and query like '%sequence(1, 9000)%' and query not like '%query_id%'",
      )
    ).map((row) => String(row['query_id']))
  const until = async (condition: () => Promise<boolean>) => {
    while (!(await condition())) await sleep(100)
  }

  beforeAll(async () => {
    place = await createTrinoSchema(await server())
    executor = open()
    await place.run(
      'create table item (id integer, big bigint, amount decimal(38, 9), at timestamp(6), zoned timestamp(6) with time zone, day date, name varchar, is_on boolean, raw varbinary, ratio double)',
    )
    await place.run(`insert into item values (42, 9007199254740993, decimal '12345678901234567890.123456789', timestamp '2026-03-29 01:30:00.120000',
      timestamp '2026-03-29 03:30:00.500000 Europe/Berlin', date '2026-02-28', 'Zoë', true, X'DEADBEEF', 0.1e0), (null, null, null, null, null, null, null, null, null, null)`)
  })
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()))
  })

  it('cells come back as stored, by query and by stream', async () => {
    const statement = { text: 'select * from item order by id', values: [], label: 'test' }
    const rows = await executor.withSnapshot((snapshot) => snapshot.query(statement))
    expect(rows[0]).toEqual({
      id: 42,
      big: '9007199254740993',
      amount: '12345678901234567890.123456789',
      at: '2026-03-29 01:30:00.12',
      zoned: '2026-03-29 01:30:00.5',
      day: '2026-02-28',
      name: 'Zoë',
      is_on: true,
      raw: '\\xdeadbeef',
      ratio: 0.1,
    })
    expect(new Set(Object.values(rows[1] ?? { a: 1 }))).toEqual(new Set([null]))
    expect(await executor.withSnapshot((snapshot) => collect(snapshot.stream(statement)))).toEqual(rows)
  })

  it('runs in UTC, in the schema of the address, and tells what it is', async () => {
    const rows = await executor.withSnapshot((snapshot) =>
      ask(
        snapshot,
        "select current_timezone() as zone, current_schema as place, cast(timestamp '2026-01-01 00:00:00' as timestamp(6) with time zone) as at",
      ),
    )
    expect(rows).toEqual([{ zone: 'UTC', place: place.schema, at: '2026-01-01 00:00:00' }])
    expect(await executor.state()).toEqual({
      role: 'unknown',
      lag_seconds: null,
      data_through: null,
      doubt: null,
      version: 'Trino 476',
      schema: `lake.${place.schema}`,
    })
    expect(executor.variant).toBe('trino')
  })

  it('a user who could write is told apart', async () => {
    for (const tables of [undefined, ['item', 'absent'], ['absent']])
      expect(await executor.writePrivileges(tables)).toEqual(['DELETE on table item', 'INSERT on table item'])
    expect(await place.run('select count(*) as n from item')).toEqual([{ n: '2' }])
  })

  it('streams many parts, no faster than they are read', async () => {
    const pairs =
      "select a.x * 1000 + b.x as n, concat('row ', cast(a.x as varchar)) as name from unnest(sequence(0, 199)) as a (x), unnest(sequence(0, 999)) as b (x)"
    const seen = await executor.withSnapshot(async (snapshot) => {
      let [count, sum] = [0, 0]
      for await (const row of snapshot.stream({ text: pairs, values: [], label: 'pairs' })) {
        count += 1
        sum += Number(row['n'])
      }
      return { count, sum }
    })
    expect(seen).toEqual({ count: 200_000, sum: (199_999 * 200_000) / 2 })
  })

  it('ends a statement at its time limit and serves again', async () => {
    const hasty = open({ statementTimeoutMs: 2_000, poolSize: 1 })
    const timeout = { code: 'query_timeout', context: { limit_ms: 2_000 } }
    await expect(hasty.withSnapshot((snapshot) => snapshot.query(ENDLESS))).rejects.toMatchObject(timeout)
    await until(async () => (await running()).length === 0)
    expect(await executor.withSnapshot((snapshot) => snapshot.query(QUICK))).toEqual([{ n: 'a' }])
  })

  it.each(['query', 'stream'] as const)('an abort stops a %s on the server', async (method) => {
    const abort = new AbortController()
    const reason = new Error('the client went away')
    const work = executor.withSnapshot(
      async (snapshot) => (method === 'query' ? snapshot.query(ENDLESS) : collect(snapshot.stream(ENDLESS))),
      { signal: abort.signal },
    )
    const outcome = expect(work).rejects.toBe(reason)
    await until(async () => (await running()).length === 1)
    abort.abort(reason)
    await outcome
    await until(async () => (await running()).length === 0)
    const [row] = await place.run(
      "select error_code from system.runtime.queries where query like 'select count(*) as n from unnest(sequence(1, 9000))%' order by created desc limit 1",
    )
    expect(row).toEqual({ error_code: 'USER_CANCELED' })
  })

  it('a statement that an administrator stops is no timeout', async () => {
    const work = executor.withSnapshot((snapshot) => snapshot.query(ENDLESS))
    const outcome = expect(work).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining('administrator'),
    })
    await until(async () => (await running()).length === 1)
    const [id] = await running()
    await place.run(`call system.runtime.kill_query(query_id => '${id}', message => 'test')`)
    await outcome
  })

  it('an administrator finds metric, query and limits', async () => {
    await executor.withSnapshot((snapshot) =>
      snapshot.query({ ...QUICK, text: "select 'tagged' as n", label: 'mrr.current killbill/trino' }),
    )
    const [row] = await place.run(
      `select source, "user" as name from system.runtime.queries where query = 'select ''tagged'' as n'`,
    )
    expect(row).toEqual({ source: 'plumbline', name: 'reader' })
  })

  it('limits of Trino are named', async () => {
    const refused = (text: string, values: readonly string[] = []) =>
      executor.withSnapshot((snapshot) => ask(snapshot, text, values)).catch((error: unknown) => error)
    expect(await refused(`select ${'1 + '.repeat(300_000)} 1 as n`)).toMatchObject({
      code: 'result_too_large',
      message: expect.stringContaining('query.max-length'),
    })
    expect(await refused('select sum(x) as n from (values 9223372036854775807, 1) as t (x)')).toMatchObject({
      code: 'result_too_large',
    })
    expect(await refused('select id from missing')).toMatchObject({
      code: 'unsupported_by_connector',
      context: { missing: ['missing'] },
    })
    expect(await refused('select nothing_there from item')).toMatchObject({ context: { missing: ['nothing_there'] } })
    expect(await refused('select from')).toMatchObject({
      name: 'InternalError',
      message: expect.stringContaining('SYNTAX_ERROR'),
    })
  })

  it('a wrong catalog is named for the operator', async () => {
    const elsewhere = open({ url: place.url.replace('/lake/', '/nowhere/') })
    const error = await elsewhere
      .withSnapshot((snapshot) => ask(snapshot, 'select id from item'))
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'connector_unavailable', operatorDetail: expect.stringContaining('no such catalog') })
  })

  it('a connection that goes silent is unavailable, and the next one serves', async () => {
    const proxy = await startStallingProxy(place.url)
    const stalled = open({ url: proxy.url, connectTimeoutMs: 500, trino: { nextUriOrigin: (await server()).origin } })
    const question = () => stalled.withSnapshot((snapshot) => snapshot.query(QUICK))
    expect(await question()).toEqual([{ n: 'a' }])
    proxy.stall()
    await sleep(1_100)
    await expect(question()).rejects.toMatchObject({ code: 'connector_unavailable' })
    proxy.flow()
    expect(await question()).toEqual([{ n: 'a' }])
    await stalled.close()
    await proxy.close()
  })
})

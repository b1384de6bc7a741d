import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { asCaller } from '../../src/core/caller.ts'
import { createTrinoClient } from '../../src/databases/trino/client.ts'
import { createQueryCounts } from '../../src/databases/trino/query-counts.ts'
import { createTransport, type Transport } from '../../src/databases/trino/transport.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { ASK, type AskedDouble, askDouble, COLUMNS } from '../support/databases/servers/asked-double.ts'
import {
  failure,
  json,
  part,
  type Script,
  silence,
  startTrinoDouble,
  type TrinoDouble,
} from '../support/databases/servers/trino-double.ts'

/** The process waits five seconds longer than the server, so this ends a query after a tenth of a second. */
const SOON = { statementTimeoutMs: -4_900 }

let double: TrinoDouble
let executor: Executor
let { open, ask, refusal, close } = {} as AskedDouble

beforeAll(async () => {
  const asked = await askDouble()
  ;({ double, executor, open, ask, refusal, close } = asked)
})
afterEach(() => double.play({}))
afterAll(() => close())
const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(5)
}

describe('the statement protocol', () => {
  it('collects the rows of all parts and asks for each part once', async () => {
    const rows = (...data: number[][]) => ({ columns: COLUMNS, data })
    double.play({ gets: [part({}, '/v1/2'), part(rows([1], [2]), '/v1/3'), part(rows([3]), null)] })
    expect(await ask()).toEqual([{ n: '1' }, { n: '2' }, { n: '3' }])
    expect(double.seen.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
      'GET /v1/info',
      'POST /v1/statement',
      'GET /v1/statement/executing/q1/s/1',
      'GET /v1/2',
      'GET /v1/3',
    ])
  })

  it('says who asks, where, within which limits and for what', async () => {
    await asCaller('someone', () => ask(open({ statementTimeoutMs: 1_500, trino: { scanLimitGb: 7 } })), 'request-1')
    const post = double.seen.find(({ method }) => method === 'POST')
    expect(post?.body).toBe('select n from t')
    expect(post?.headers).toMatchObject({
      'x-trino-user': 'reader',
      'x-trino-source': 'plumbline',
      'x-trino-catalog': 'lake',
      'x-trino-schema': 'billing',
      'x-trino-time-zone': 'UTC',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'x-trino-client-tags': 'mrr,current',
      'x-trino-trace-token': 'request-1',
      'x-trino-session':
        'query_max_run_time=1500ms,query_max_scan_physical_bytes=7GB,query_max_stage_count=1000,required_workers_count=1,required_workers_max_wait_time=10s',
    })
    expect(post?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])('lets Trino repeat failed tasks only if it should: %s', async (isFaultTolerant, isAsked) => {
    await ask(open({ trino: { isFaultTolerant } }))
    const session = double.seen.find(({ method }) => method === 'POST')?.headers['x-trino-session']
    expect(String(session).includes('retry_policy=TASK')).toBe(isAsked)
  })

  const send = (text: string) => executor.withSnapshot((snapshot) => snapshot.query({ text, values: [], label: 'test' }))

  it.each([
    'insert into t values (1)',
    'delete from t',
    '-- select\ndrop table t',
    '-- a\rdrop table t\nselect 1',
    '/* a */ delete from t /* b */ select 1',
    '/**/ delete from t /* b */ with',
    'explain analyze insert into t select 1',
  ])('does not send %j', async (text) => {
    await expect(send(text)).rejects.toMatchObject({ name: 'InternalError' })
    expect(double.methods()).toEqual([])
  })

  it.each(['/* a */ select 1', '/* a * / ** */ -- b\n/**/\r\n with t as (select 1) select * from t', '-- a\r\nselect 1'])(
    'sends %j',
    async (text) => {
      await send(text)
      expect(double.seen.find(({ method }) => method === 'POST')?.body).toBe(text)
    },
  )

  it('counts how queries end, and which are sent again', async () => {
    const counts = createQueryCounts()
    const counted = open({ trino: { counts } })
    const column = { columns: COLUMNS, data: [[1]] }
    double.play({ gets: [failure('PAGE_TRANSPORT_TIMEOUT', 'a worker is lost', 'INTERNAL_ERROR'), part(column, null)] })
    await ask(counted)
    await refusal({ gets: [failure('TABLE_NOT_FOUND')] }, counted)
    await refusal({ post: (response) => response.destroy() }, counted)
    expect(counts.figures()).toEqual({
      queries: { ok: 1, PAGE_TRANSPORT_TIMEOUT: 1, TABLE_NOT_FOUND: 1, ECONNRESET: 2 },
      retries: { PAGE_TRANSPORT_TIMEOUT: 1, ECONNRESET: 1 },
    })
  })

  it('quotes the schema for a client of the server', async () => {
    const one = open({ url: double.url.replace('/lake/billing', '/la%22ke/billing') })
    const client = await one.withSnapshot(async (snapshot) => snapshot.client)
    expect(client?.before[0]).toBe('use "la""ke"."billing"')
  })

  it('sends values as literals', async () => {
    const statement = { text: 'select ? as a, ? as b', values: ["O'Hara", 5], label: 'test' }
    await executor.withSnapshot((snapshot) => snapshot.query(statement))
    expect(double.seen.find(({ method }) => method === 'POST')?.body).toBe("select 'O''Hara' as a, 5 as b")
  })

  it.each([429, 502, 503, 504])('asks again after %s', async (status) => {
    let refused = 0
    double.play({
      post: (response, request, origin) => {
        refused += 1
        return refused < 3 ? json('', status)(response, request, origin) : part({})(response, request, origin)
      },
      gets: [json('', status, { 'retry-after': '0' }), part({ columns: COLUMNS, data: [[1]] }, null)],
    })
    expect(await ask()).toEqual([{ n: '1' }])
    expect(double.methods()).toEqual(['POST', 'POST', 'POST', 'GET', 'GET'])
  })

  it('gives up a server that wants more patience than it has', async () => {
    expect(await refusal({ post: json('', 429, { 'retry-after': '60' }) })).toMatchObject({
      code: 'overloaded',
      context: { retry_after: 60 },
    })
    expect(await refusal({ post: json('', 503, { 'retry-after': '60' }) })).toMatchObject({ code: 'connector_unavailable' })
    expect(double.methods()).toEqual(['POST'])
  })
})

describe('a query that ends early', () => {
  const RUNNING: Script = { gets: [part({ columns: COLUMNS, data: [[1]] }, '/v1/further')] }

  it('is stopped when its caller leaves while it runs', async () => {
    double.play({ gets: [silence] })
    const abort = new AbortController()
    const reason = new Error('the client went away')
    const work = executor.withSnapshot((snapshot) => snapshot.query(ASK), { signal: abort.signal })
    const outcome = expect(work).rejects.toBe(reason)
    await until(() => double.methods().includes('GET'))
    abort.abort(reason)
    await outcome
    expect(double.methods()).toEqual(['POST', 'GET', 'DELETE'])
    expect(double.seen.at(-1)?.path).toBe('/v1/statement/executing/q1/s/1')
  })

  it('is stopped when its caller leaves before the server has named it', async () => {
    double.play({
      post: (response, request, origin) => void setTimeout(() => part({})(response, request, origin), 50),
    })
    const abort = new AbortController()
    const work = executor.withSnapshot((snapshot) => snapshot.query(ASK), { signal: abort.signal })
    const outcome = expect(work).rejects.toThrow('gone')
    await until(() => double.methods().includes('POST'))
    abort.abort(new Error('gone'))
    await outcome
    expect(double.methods()).toEqual(['POST', 'DELETE'])
  })

  it('is stopped at the time limit, also if the server answers without end', async () => {
    // Requests that come late must not be counted among those of the next case.
    const own = await startTrinoDouble()
    own.play(RUNNING)
    const error = await ask(open({ ...SOON, url: own.url })).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'query_timeout', message: expect.stringContaining('limits.statement_timeout_ms raises') })
    await until(() => own.methods().includes('DELETE'))
    const asked = own.methods().length
    await sleep(50)
    expect(own.methods()).toHaveLength(asked)
    await own.close()
  })

  it('is stopped when a reader of a stream leaves', async () => {
    double.play(RUNNING)
    await executor.withSnapshot(async (snapshot) => {
      for await (const _ of snapshot.stream(ASK)) break
    })
    expect(double.methods()).toEqual(['POST', 'GET', 'DELETE'])
  })

  it('is not stopped when it has ended', async () => {
    await ask()
    await refusal({ post: failure('SYNTAX_ERROR') })
    expect(double.methods()).toEqual(['POST'])
  })

  it('streams no further than it is read', async () => {
    double.play({ gets: [part({ columns: COLUMNS, data: [[1], [2]] }, '/v1/2'), part({ columns: COLUMNS, data: [[3]] }, null)] })
    const rows = await executor.withSnapshot((snapshot) => collect(snapshot.stream(ASK)))
    expect(rows).toEqual([{ n: '1' }, { n: '2' }, { n: '3' }])
  })
})

describe('a hostile server', () => {
  it('cannot draw a login to another origin', async () => {
    const stranger = await startTrinoDouble()
    const secret = open({ url: double.url.replace('reader@', 'reader:hush@') })
    try {
      for (const next of [`${stranger.origin}/v1/next`, 'https://elsewhere.example/v1', 'file:///etc/passwd', 'no address'])
        expect(await refusal({ post: part({}, next) }, secret)).toMatchObject({ code: 'connector_unavailable' })
      // A path that begins with a host, as an address without its protocol does.
      const other = stranger.origin.slice('http:'.length)
      for (const next of [other, other.replaceAll('/', '\\'), `${other}/v1/next`])
        for (const script of [{ post: part({}, `${double.origin}${next}`) }, { gets: [part({}, `${double.origin}${next}`)] }])
          expect(await refusal(script, secret)).toMatchObject({ code: 'connector_unavailable', cause: { code: 'NOT_TRINO' } })
      for (const status of [301, 302, 303, 307, 308]) {
        const away = json('', status, { location: `${stranger.origin}/v1/statement` })
        expect(await refusal({ post: away }, secret)).toMatchObject({
          code: 'connector_unavailable',
          operatorDetail: expect.stringContaining('the server redirects'),
        })
        expect(await refusal({ gets: [away] }, secret)).toMatchObject({ code: 'connector_unavailable' })
      }
      expect(stranger.seen).toEqual([])
    } finally {
      await stranger.close()
    }
  })

  it('has the query of an answer that is refused stopped, at our own origin', async () => {
    const path = '/v1/statement/executing/q1/s/1'
    const refused = [part({}, `https://elsewhere.example${path}`), part({ columns: COLUMNS, data: ['a'] }, path)]
    for (const post of refused) {
      expect(await refusal({ post })).toMatchObject({ code: 'connector_unavailable' })
      expect(double.seen.slice(-2).map((seen) => `${seen.method} ${seen.path}`)).toEqual(['POST /v1/statement', `DELETE ${path}`])
    }
    for (const next of ['no address', `${double.origin}//evil.example/v1`, 'file:///v1/elsewhere']) {
      expect(await refusal({ gets: [part({}, next)] })).toMatchObject({ code: 'connector_unavailable' })
      expect(double.methods()).toEqual(['POST', 'GET', 'DELETE'])
      expect(double.seen.at(-1)?.path).toBe(path)
    }
  })

  it('may name the origin that the configuration names, and is asked at its own', async () => {
    const one = open({ trino: { nextUriOrigin: 'http://coordinator.internal:8080' } })
    double.play({ post: part({}, 'http://coordinator.internal:8080/v1/statement/queued/q1/s/1') })
    expect(await ask(one)).toEqual([{ n: 'a' }])
    expect(double.seen.at(-1)?.path).toBe('/v1/statement/queued/q1/s/1?targetResultSize=1MB')
    expect(await refusal({ post: part({}, 'http://other.internal:8080/v1') }, one)).toMatchObject({
      operatorDetail: expect.stringContaining('lake.next_uri_origin'),
    })
  })

  it('cannot fill the memory with one row', async () => {
    let sent = 0
    const endless: NonNullable<Script['post']> = (response) => {
      const piece = 'x'.repeat(1024 * 1024)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"id":"q1","columns":[{"name":"n","type":"varchar"}],"data":[["')
      const more = () => {
        if (sent >= 3_000 || response.destroyed) return
        sent += 1
        response.write(piece, more)
      }
      more()
    }
    const before = process.memoryUsage().rss
    expect(await refusal({ gets: [endless] })).toMatchObject({ code: 'result_too_large' })
    expect(sent).toBeLessThan(200)
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(500)
  })

  it.each([
    ['a body that ends too soon', json('{"id":"q1","data":[["a"')],
    ['no JSON', json('<html>')],
    ['a list', json('[]')],
    ['rows that are no lists', part({ columns: COLUMNS, data: ['a'] }, null)],
    ['rows without columns', part({ data: [[1]] }, null)],
    ['rows that lack a cell', part({ columns: [...COLUMNS, { name: 'm', type: 'bigint' }], data: [[1]] }, null)],
    ['rows with a cell too many', part({ columns: COLUMNS, data: [[1, 2]] }, null)],
    ['columns without a name', part({ columns: [{ type: 'bigint' }], data: [[1]] }, null)],
    ['rows that lie elsewhere', part({ columns: COLUMNS, data: { segments: [] } }, null)],
    ['brackets without end', json('['.repeat(1_000_000))],
    ['numbers and brackets without end', json(`{"n":${'1'.repeat(20)},"a":${'['.repeat(1_000_000)}`)],
    ['a name twice', json('{"n":1234567890123456,"n":2}')],
  ])('answers %s: unavailable', async (_name, reply) => {
    expect(await refusal({ gets: [reply] })).toMatchObject({ code: 'connector_unavailable', cause: { code: 'NOT_TRINO' } })
  })

  it('that cuts a body is asked once more, and then unavailable', async () => {
    const cut: NonNullable<Script['post']> = (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"id":', () => response.destroy())
    }
    double.play({ gets: [cut, part({ columns: COLUMNS, data: [[1]] }, null)] })
    expect(await ask()).toEqual([{ n: '1' }])
    expect(await refusal({ gets: [cut] })).toMatchObject({ code: 'connector_unavailable' })
    expect(double.methods().filter((method) => method === 'POST')).toHaveLength(2)
  })

  it('that closes the connection of each query is asked twice', async () => {
    expect(await refusal({ post: (response) => response.destroy() })).toMatchObject({ code: 'connector_unavailable' })
    expect(double.methods()).toEqual(['POST', 'POST'])
  })

  it('that drips its bytes is left at the time limit', async () => {
    const drip: NonNullable<Script['post']> = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
    }
    const own = await startTrinoDouble()
    const one = open({ ...SOON, url: own.url })
    for (const script of [{ gets: [drip] }, { post: drip }]) {
      own.play(script)
      await expect(ask(one)).rejects.toMatchObject({ code: 'query_timeout' })
    }
    await own.close()
  })

  it('that is silent from the start is unavailable', async () => {
    const one = open({ connectTimeoutMs: 50 })
    expect(await refusal({ info: silence }, one)).toMatchObject({ code: 'connector_unavailable' })
    expect(double.methods()).toEqual([])
  })

  it('that refuses the login in the middle of an answer ends it', async () => {
    const some = part({ columns: COLUMNS, data: [[1]] }, '/v1/2')
    const error = await refusal({ gets: [some, json('Unauthorized: hush', 401)] })
    expect(error).toMatchObject({ code: 'connector_unavailable', operatorDetail: expect.stringContaining('wrong user') })
    expect(String(error)).not.toContain('hush')
  })

  it('that has forgotten its query gets it again', async () => {
    double.play({ gets: [json('', 404), part({ columns: COLUMNS, data: [[1]] }, null)] })
    expect(await ask()).toEqual([{ n: '1' }])
    expect(double.methods().filter((method) => method === 'POST')).toHaveLength(2)
  })
})

describe('a login that is slow to read', () => {
  const ORIGIN = 'http://127.0.0.1:1'
  const asked: string[] = []
  /** A transport that answers nothing, and ends when its caller leaves. */
  const transport: Transport = {
    ask: ({ method, signal }) => {
      asked.push(method)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    stop: async () => void asked.push('DELETE'),
    close: () => {},
  }
  const clientWith = (login: Promise<Readonly<Record<string, string>>>) =>
    createTrinoClient({ transport, origin: ORIGIN, nextUriOrigin: undefined, login: () => login })
  beforeEach(() => {
    asked.length = 0
    vi.useFakeTimers()
  })
  afterEach(() => void vi.useRealTimers())

  it('sends nothing if its caller has left by then', async () => {
    let logIn: (headers: Readonly<Record<string, string>>) => void = () => {}
    const login = new Promise<Readonly<Record<string, string>>>((resolve) => {
      logIn = resolve
    })
    const query = clientWith(login).query('select 1', {})
    const outcome = expect(query.parts().next()).rejects.toMatchObject({ name: 'AbortError' })
    const stopped = query.stop()
    logIn({})
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all([outcome, stopped])
    expect(asked).toEqual([])
  })

  it('is given up', async () => {
    const client = clientWith(new Promise(() => {}))
    const query = client.query('select 1', {})
    const outcomes = [query.parts().next(), client.version(AbortSignal.timeout(60_000))].map((work) =>
      expect(work).rejects.toMatchObject({ code: 'TOKEN_FILE' }),
    )
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all(outcomes)
    await query.stop()
    expect(asked).toEqual([])
  })

  it('does not hold a caller who leaves the query for ever', async () => {
    const query = clientWith(Promise.resolve({})).query('select 1', {})
    const outcome = expect(query.parts().next()).rejects.toMatchObject({ name: 'AbortError' })
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual(['POST'])
    const stopped = query.stop()
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all([outcome, stopped])
  })
})

it('no request leaves for another origin', async () => {
  const options = { origin: double.origin, tls: undefined, connectTimeoutMs: 1_000, idleConnections: 1 }
  const transport = createTransport(options)
  const stranger = await startTrinoDouble()
  const url = new URL('/v1/info', stranger.origin)
  const request = { method: 'GET', url, headers: {}, signal: new AbortController().signal } as const
  await expect(transport.ask(request)).rejects.toMatchObject({ code: 'OTHER_ORIGIN' })
  await transport.stop(url, {})
  expect(stranger.seen).toEqual([])
  transport.close()
  await stranger.close()
})

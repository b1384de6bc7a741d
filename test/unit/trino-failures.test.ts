import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createStateLog, logFailure, queryIdIn } from '../../src/facades/http/failure.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { ASK, type AskedDouble, askDouble, COLUMNS } from '../support/databases/servers/asked-double.ts'
import { failure, json, part, type TrinoDouble } from '../support/databases/servers/trino-double.ts'

let double: TrinoDouble
let executor: Executor
let { open, ask, refusal, close } = {} as AskedDouble

beforeAll(async () => {
  const asked = await askDouble()
  ;({ double, executor, open, ask, refusal, close } = asked)
})
afterEach(() => double.play({}))
afterAll(() => close())

describe('errors of Trino', () => {
  it.each([
    ['EXCEEDED_TIME_LIMIT', 'query_timeout'],
    ['QUERY_QUEUE_FULL', 'overloaded'],
    ['CLUSTER_OUT_OF_MEMORY', 'overloaded'],
    ['EXCEEDED_GLOBAL_MEMORY_LIMIT', 'overloaded'],
    ['QUERY_REJECTED', 'overloaded'],
    ['OUT_OF_SPILL_SPACE', 'overloaded'],
    ['EXCEEDED_SPILL_LIMIT', 'result_too_large'],
    ['EXCEEDED_TASK_DESCRIPTOR_STORAGE_CAPACITY', 'result_too_large'],
    ['PAGE_TOO_LARGE', 'result_too_large'],
    ['CATALOG_UNAVAILABLE', 'connector_unavailable'],
    ['CONFIGURATION_UNAVAILABLE', 'connector_unavailable'],
    ['EXCEEDED_SCAN_LIMIT', 'result_too_large'],
    ['EXCEEDED_LOCAL_MEMORY_LIMIT', 'result_too_large'],
    ['QUERY_TEXT_TOO_LARGE', 'result_too_large'],
    ['QUERY_HAS_TOO_MANY_STAGES', 'result_too_large'],
    ['NUMERIC_VALUE_OUT_OF_RANGE', 'result_too_large'],
    ['USER_CANCELED', 'connector_unavailable'],
    ['ADMINISTRATIVELY_KILLED', 'connector_unavailable'],
    ['CATALOG_NOT_FOUND', 'connector_unavailable'],
    ['GENERIC_INSUFFICIENT_RESOURCES', 'connector_unavailable'],
  ])('%s is %s', async (name, code) => {
    expect(await refusal({ gets: [failure(name)] })).toMatchObject({ code })
    expect(double.methods()).toEqual(['POST', 'GET'])
  })

  it.each([
    "Cannot cast '9223372036854775808' to BIGINT",
    "Cannot cast '-12345678901234567890123.45' to BIGINT",
    "Cannot cast '2147483647.50' to INTEGER",
    "Cannot cast BIGINT '9223372036854775807' to DECIMAL(38, 20)",
    "Cannot cast DECIMAL(38, 0) '99999999999999999999' to DECIMAL(20, 2)",
    "Cannot cast DOUBLE '1.0E30' to DECIMAL(18, 2)",
    "Cannot cast VARCHAR '123456789' to DECIMAL(4, 2). Value too large.",
    'Unable to cast 1.0E30 to bigint',
    'Unable to cast double 1.0E60 to decimal(38,12)',
    "Cannot cast '2147483648' to INT",
  ])('a number beyond its type is result_too_large: %s', async (message) => {
    expect(await refusal({ gets: [failure('INVALID_CAST_ARGUMENT', message)] })).toMatchObject({ code: 'result_too_large' })
  })

  it.each([
    ["Cannot cast 'abc' to BIGINT", 'InternalError'],
    ["Cannot cast '1.5' to BIGINT", 'InternalError'],
    ["Cannot cast VARCHAR 'abc' to DECIMAL(38, 12). Value is not a number.", 'InternalError'],
    ["Cannot cast DOUBLE 'NaN' to DECIMAL(18, 2)", 'AppError'],
    ['Cannot cast double NaN to integer', 'AppError'],
  ])('another value that cannot be cast is none: %s', async (message, name) => {
    const error = await refusal({ gets: [failure('INVALID_CAST_ARGUMENT', message)] })
    expect(error).toMatchObject({ name })
    expect(error).not.toMatchObject({ code: 'result_too_large' })
  })

  it.each(['QUERY_HAS_TOO_MANY_STAGES', 'EXCEEDED_SCAN_LIMIT'])('%s says whose limit it is', async (name) => {
    const isOwn = name === 'QUERY_HAS_TOO_MANY_STAGES'
    const { message } = (await refusal({ gets: [failure(name)] })) as Error
    expect(message).toMatch(
      isOwn ? /a limit that Plumbline sets .*more than 1000 stages/ : /a limit of Trino .*or raise the limit/,
    )
    if (isOwn) expect(message).not.toMatch(/raise|cluster/)
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', `SECRET TEXT`, 'A'.repeat(65), 5])(
    'takes no name of an error from the server that is none: %j',
    async (errorName) => {
      const error = { errorName, errorType: 'USER_ERROR', message: 'no', errorCode: 1 }
      expect(await refusal({ post: part({ error }, null) })).toMatchObject({
        name: 'InternalError',
        message: expect.stringContaining('(UNKNOWN)'),
      })
    },
  )

  it('is logged with the id of its query, whatever its code', async () => {
    const logged: (Readonly<Record<string, unknown>> | undefined)[] = []
    const logState = createStateLog((level, _message, fields) => logged.push({ level, ...fields }))
    for (const name of ['QUERY_QUEUE_FULL', 'CATALOG_NOT_FOUND']) logState(await refusal({ gets: [failure(name)] }))
    expect(logged).toEqual([
      { level: 'warn', code: 'overloaded', query_id: 'q1' },
      { level: 'error', code: 'connector_unavailable', query_id: 'q1' },
    ])
    for (const name of ['EXCEEDED_SCAN_LIMIT', 'NUMERIC_VALUE_OUT_OF_RANGE', 'EXCEEDED_TIME_LIMIT', 'USER_CANCELED'])
      expect(queryIdIn(await refusal({ gets: [failure(name)] })), name).toBe('q1')
    logged.length = 0
    logFailure((_level, _message, fields) => logged.push(fields), await refusal({ gets: [failure('TYPE_MISMATCH')] }), 'r1', 'q')
    expect(logged[0]).toMatchObject({ causes: [{}, { code: 'TYPE_MISMATCH', facts: { queryId: 'q1' } }] })
    const strange = json({ id: 'q1\nhush', error: { errorName: 'EXCEEDED_SCAN_LIMIT', message: 'no' } })
    expect(await refusal({ gets: [strange] })).toMatchObject({ cause: { message: 'no' } })
  })

  it.each([
    ['TABLE_NOT_FOUND', "line 1:15: Table 'lake.billing.accounts' does not exist", ['accounts']],
    ['SCHEMA_NOT_FOUND', "line 1:15: Schema 'billing' does not exist", ['billing']],
    ['COLUMN_NOT_FOUND', "line 1:8: Column 'a.cba_balance' cannot be resolved", ['cba_balance']],
    ['PERMISSION_DENIED', 'Access Denied: Cannot select from columns [a] in table or view lake.billing.accounts', ['accounts']],
  ])('%s names what is missing', async (name, message, missing) => {
    expect(await refusal({ gets: [failure(name, message)] })).toMatchObject({
      code: 'unsupported_by_connector',
      message: expect.stringContaining(String(missing[0])),
      context: { missing },
    })
  })

  it.each([
    ['PERMISSION_DENIED', 'Access Denied: Cannot set system session property query_max_run_time'],
    ['INVALID_SESSION_PROPERTY', "Session property 'query_max_run_time' does not exist"],
  ])('a session property that Trino does not take is named, and no table: %s', async (name, message) => {
    const denied = failure(name, message)
    expect(await refusal({ post: denied })).toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining('query_max_run_time'),
    })
  })

  it.each([
    'PAGE_TRANSPORT_TIMEOUT',
    'PAGE_TRANSPORT_ERROR',
    'REMOTE_TASK_ERROR',
    'REMOTE_TASK_FAILED',
    'REMOTE_TASK_MISMATCH',
    'REMOTE_BUFFER_CLOSE_FAILED',
    'REMOTE_HOST_GONE',
    'TOO_MANY_REQUESTS_FAILED',
    'NO_NODES_AVAILABLE',
    'SERVER_STARTING_UP',
    'SERVER_SHUTTING_DOWN',
  ])('%s sends the query again once', async (name) => {
    double.play({ gets: [failure(name), part({ columns: COLUMNS, data: [[1]] }, null)] })
    expect(await ask()).toEqual([{ n: '1' }])
    expect(await refusal({ gets: [failure(name)] })).toMatchObject({ code: 'connector_unavailable' })
    expect(double.methods()).toEqual(['POST', 'GET', 'POST', 'GET'])
  })

  it('a stream that has begun is not sent again', async () => {
    double.play({ gets: [part({ columns: COLUMNS, data: [[1]] }, '/v1/2'), failure('PAGE_TRANSPORT_ERROR')] })
    const work = executor.withSnapshot((snapshot) => collect(snapshot.stream(ASK)))
    await expect(work).rejects.toMatchObject({ code: 'connector_unavailable' })
    expect(double.methods().filter((method) => method === 'POST')).toHaveLength(1)
  })

  it('a system behind Trino that fails is unavailable, a fault of the statement is not', async () => {
    expect(await refusal({ gets: [failure('JDBC_ERROR', 'gone', 'EXTERNAL')] })).toMatchObject({ code: 'connector_unavailable' })
    const error = await refusal({ gets: [failure('TYPE_MISMATCH', 'line 1:1: no')] })
    expect(error).toMatchObject({ name: 'InternalError', message: expect.stringContaining('TYPE_MISMATCH') })
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('query q1') } })
  })
})

describe('who asks', () => {
  it('a password goes as a login, and in no message', async () => {
    const one = open({ url: double.url.replace('reader@', 'reader:hu%2Fsh@') })
    const error = await refusal({ post: json('', 401) }, one)
    expect(double.seen.at(-1)?.headers['authorization']).toBe(`Basic ${Buffer.from('reader:hu/sh').toString('base64')}`)
    expect(JSON.stringify([error, String(error)])).not.toMatch(/hu\/sh|hu%2Fsh|aHUvc2g/)
  })

  it('a token is read again for each query', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pl-token-'))
    const tokenFile = join(directory, 'token')
    try {
      const one = open({ url: double.url.replace('reader@', ''), trino: { tokenFile } })
      const tokens: unknown[] = []
      for (const token of ['first.to-ken_1', 'second.token']) {
        await writeFile(tokenFile, `${token}\n`)
        double.play({})
        await ask(one)
        tokens.push(...double.seen.filter(({ path }) => path !== '/v1/info').map(({ headers }) => headers['authorization']))
        expect(double.seen[0]?.headers).not.toHaveProperty('x-trino-user')
      }
      expect(tokens).toEqual(['Bearer first.to-ken_1', 'Bearer first.to-ken_1', 'Bearer second.token', 'Bearer second.token'])
      for (const wrong of ['', 'two\nlines', 'a\r\nx-trino-user: root']) {
        await writeFile(tokenFile, wrong)
        expect(await ask(one).catch((reason: unknown) => reason)).toMatchObject({
          code: 'connector_unavailable',
          operatorDetail: expect.stringContaining('token file'),
        })
      }
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it.each([
    [
      'trino://reader@lake.example.com:8080/lake/billing?sslmode=disable',
      { tokenFile: '/run/token' },
      'would send the token in clear text',
    ],
    ['trino://reader:hush@localhost/lake/billing', { tokenFile: '/run/token' }, 'use one of them'],
    ['trino://reader:hush@lake.example.com/lake/billing?sslmode=disable', {}, 'would send the password in clear text'],
  ])('%s is refused', (url, trino, reason) => {
    expect(() => open({ url, trino })).toThrow(reason)
    expect(() => open({ url, trino })).not.toThrow('hush')
  })
})

describe('the state of the server', () => {
  it('is its version and schema', async () => {
    double.play({})
    expect(await executor.state()).toMatchObject({ version: 'Trino 476', schema: 'lake.billing', role: 'unknown', doubt: null })
  })

  it('is unavailable while it starts', async () => {
    const one = open()
    expect(await refusal({ info: json({ nodeVersion: { version: '476' }, starting: true }) }, one)).toMatchObject({
      code: 'connector_unavailable',
      operatorDetail: expect.stringContaining('the server is starting'),
    })
  })

  it('is overloaded if it says so before a query', async () => {
    const info = json('', 429, { 'retry-after': '60' })
    const expected = { code: 'overloaded', context: { retry_after: 60 } }
    expect(await refusal({ info }, open())).toMatchObject(expected)
    await expect(open().state()).rejects.toMatchObject(expected)
  })

  it('has no version if a proxy hides it', async () => {
    double.play({ info: json('', 404) })
    expect(await open().state()).toMatchObject({ version: 'Trino' })
  })

  const VALID = part({ columns: [{ name: 'valid', type: 'boolean' }], data: [[true]] }, null)
  const tables = (...names: string[]) =>
    part({ columns: [{ name: 'table_name', type: 'varchar' }], data: names.map((name) => [name]) }, null)
  const denied = (text: string) => failure('PERMISSION_DENIED', `Access Denied: ${text} lake.billing.t`)
  const asked = () => double.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)

  it.each([
    ['denied', denied('Cannot delete from table'), denied('Cannot insert into table'), []],
    ['allowed', VALID, VALID, ['DELETE on table a', 'INSERT on table a']],
    ['denied in part', denied('Cannot delete from table'), VALID, ['INSERT on table a']],
    [
      'impossible',
      failure('NOT_SUPPORTED', 'This connector does not support it'),
      denied('Cannot select from columns [x] in table or view'),
      ['DELETE on table a, as far as the access control decides', 'INSERT on table a, as far as the access control decides'],
    ],
  ])('writes that are %s tell the rights', async (_name, deletion, insertion, expected) => {
    double.play({ gets: [tables('a'), deletion, insertion] })
    expect(await executor.writePrivileges()).toEqual(expected)
    expect(asked().slice(1)).toEqual([
      'explain (type validate) delete from "a" where false',
      'explain (type validate) insert into "a" select * from "a" where false',
    ])
  })

  it('asks about the tables of the engine, and else about the first', async () => {
    double.play({ gets: [tables('accounts', 'invoices', 'a'), VALID, denied('Cannot delete from table'), VALID, VALID] })
    expect(await executor.writePrivileges(['invoices', 'accounts', 'gone'])).toEqual([
      'DELETE on table accounts',
      'INSERT on tables accounts, invoices',
    ])
    expect(asked()[0]).toContain("in ('invoices', 'accounts', 'gone')")
    expect(asked().join()).not.toContain('"a"')
    double.play({ gets: [tables('a"b'), VALID] })
    expect(await executor.writePrivileges(['accounts'])).toHaveLength(2)
    expect(asked()[1]).toBe('explain (type validate) delete from "a""b" where false')
  })

  it('is in doubt about a schema without tables', async () => {
    double.play({ gets: [tables()] })
    expect(await executor.writePrivileges(['accounts'])).toEqual([expect.stringContaining('possibly')])
  })

  it('has no rights if the server fails', async () => {
    double.play({ gets: [tables('a'), failure('QUERY_QUEUE_FULL')] })
    await expect(executor.writePrivileges()).rejects.toMatchObject({ code: 'overloaded' })
  })
})

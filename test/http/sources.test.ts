import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { importExpenses } from '../../src/workspace/expenses/import/csv.ts'
import { embeddedPlace, ownedIn, type StorePlace } from '../support/databases/store-places.ts'
import type { ToySettings } from '../support/product/toy-platform/toy-platform.ts'
import { startToyServer, type ToyServer } from '../support/product/toy-platform/toy-server.ts'
import { openToySources, queryFile, TOY_WORKSPACE, type ToySources, until } from '../support/product/toy-platform/toy-sources.ts'
import { serviceOver } from './recording-engine.ts'

let toy: ToyServer
let place: StorePlace
let opened: ToySources[]

beforeAll(async () => {
  toy = await startToyServer()
})
afterAll(() => toy.close())
beforeEach(async () => {
  place = await embeddedPlace()
  opened = []
})
afterEach(async () => {
  for (const each of opened) await each.close()
  await place.remove()
})

const HEADER_ONLY = 'id,date,vendor,account,account_type,amount,currency\n'
const REDIRECT = 'https://books.example.com/api/connectors/toy/oauth/callback'

function serve(settings: Partial<ToySettings> = {}, secretKey?: string) {
  const made = openToySources(secretKey === undefined ? place : { ...place, secretKey }, {
    url: toy.url,
    secret: toy.secret,
    redirectUri: REDIRECT,
    ...settings,
  })
  opened.push(made)
  const behaviour: Partial<Engine> = { sources: made.sources }
  const { app, logged } = serviceOver(behaviour)
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await app.request(`/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...sent,
    })
    const text = await response.text()
    if (response.status === 500) throw new Error(logged.join('\n'))
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const deliver = (path: string, payload: unknown, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(payload)
    return ask('POST', path, text, { 'x-webhook-signature': toy.sign(text), ...headers })
  }
  return { ...made, ask, deliver }
}

type Service = ReturnType<typeof serve>

/** The steps of a browser: it begins, goes to the platform and comes back. */
async function connect({ ask }: Service, accept?: string) {
  const begun = await ask('GET', 'connectors/toy/oauth/start', undefined, { accept: 'application/json' })
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const consent = await fetch(begun.body.authorize_url, { redirect: 'manual' })
  const back = new URL(consent.headers.get('location') ?? '')
  const path = `connectors/toy/oauth/callback${back.search}`
  return { path, cookie, answer: await ask('GET', path, undefined, { cookie, ...(accept === undefined ? {} : { accept }) }) }
}

const bill = (id: string, company = '7') => ({ company, entity: 'Bill', id, operation: 'update' })

describe('connecting', () => {
  it('sends the browser away and takes it back once, then shows the source without secrets', async () => {
    const service = serve()
    const start = await service.ask('GET', 'connectors/toy/oauth/start')
    expect(start.status).toBe(302)
    expect(start.headers.get('location')).toContain(`${toy.url}/authorize?state=`)
    expect(start.headers.get('set-cookie')).toMatch(/plumbline_consent=[\w-]{43}; .*HttpOnly; Secure; SameSite=Lax/)
    const { path, cookie, answer } = await connect(service)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/?toy_connected=1'])
    expect(await service.ask('GET', path, undefined, { cookie })).toMatchObject({ status: 400, body: { code: 'invalid_value' } })
    const { body } = await service.ask('GET', 'sources')
    expect(body).toEqual([
      expect.objectContaining({ id: 'tenant', type: 'engine', name: 'acme', kind: 'database', status: 'connected' }),
      {
        id: 'toy-7',
        type: 'toy',
        name: 'Toy (7)',
        kind: 'accounting',
        status: 'connected',
        config: { company: '7' },
        created_at: expect.stringMatching(/Z$/),
        last_synced_at: null,
        last_run: null,
        waiting: 0,
        dead_letters: 0,
        unsupported: [],
      },
    ])
    const stored = JSON.stringify(queryFile(place, 'select * from source'))
    expect(stored).not.toMatch(/a-[0-9a-f]{8}|r-[0-9a-f]{8}/)
  })

  it('answers in JSON where that is asked for', async () => {
    const { answer } = await connect(serve(), 'application/json')
    expect(answer).toMatchObject({ status: 200, body: { id: 'toy-7', status: 'connected' } })
  })

  it('refuses a browser that did not begin, and a state that nobody was given', async () => {
    const service = serve()
    const begun = await service.ask('GET', 'connectors/toy/oauth/start', undefined, { accept: 'application/json' })
    const state = new URL(begun.body.authorize_url).searchParams.get('state')
    const other = `plumbline_consent=${randomBytes(32).toString('base64url')}`
    for (const [query, cookie] of [
      [`state=${state}&code=x`, other],
      ['state=none&code=x', other],
      ['code=x', other],
      [`state=${state}&state=${state}&code=x`, other],
      [`state=${state}&code=x&code=y`, other],
    ]) {
      const answer = await service.ask('GET', `connectors/toy/oauth/callback?${query}`, undefined, { cookie: cookie ?? '' })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_value' } })
    }
  })

  it('says what is missing', async () => {
    const answer = await serve({ isConfigured: false }).ask('GET', 'connectors/toy/oauth/start')
    expect(answer).toMatchObject({ status: 422, body: { code: 'unsupported_by_connector', missing: ['toy.client_id'] } })
    expect(await serve().ask('GET', 'connectors/nothing/oauth/start')).toMatchObject({ status: 404 })
  })

  it('adds a source that waits for consent, once', async () => {
    const { ask } = serve()
    const body = { type: 'toy', name: 'Ours', config: { company: '9' } }
    const added = await ask('POST', 'sources', body)
    expect(added).toMatchObject({ status: 201, body: { id: 'toy-9', name: 'Ours', status: 'needs_reconnect' } })
    expect(await ask('POST', 'sources', body)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await ask('POST', 'sources', { type: 'engine' })).toMatchObject({
      status: 422,
      body: { code: 'unsupported_by_connector' },
    })
    expect(await ask('POST', 'sources', { type: 'tyo' })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', issues: [{ where: 'body.type', did_you_mean: ['toy'] }] },
    })
    expect(await ask('POST', 'sources', { name: 3 })).toMatchObject({ status: 422, body: { issues: [{}, {}] } })
    expect(await ask('POST', 'sources/toy-9/backfill', {})).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('adds one of a company that only the consent names, under the name that it was given', async () => {
    const service = serve()
    expect(await service.ask('POST', 'sources', { type: 'toy' })).toMatchObject({
      status: 201,
      body: { id: 'toy-pending', name: 'toy', status: 'needs_reconnect' },
    })
    expect(await service.ask('POST', 'sources', { type: 'toy' })).toMatchObject({ status: 409 })
    expect(await service.ask('POST', 'sources/toy-pending/backfill', {})).toMatchObject({ status: 409 })
    await connect(service)
    const stored = async () =>
      (await service.ask('GET', 'sources')).body.filter(({ kind }: { kind: string }) => kind === 'accounting')
    expect(await stored()).toMatchObject([{ id: 'toy-7', name: 'Toy (7)', status: 'connected' }])
    await service.ask('POST', 'sources', { type: 'toy', name: 'Ours' })
    await connect(service)
    expect(await stored()).toMatchObject([{ id: 'toy-7' }, { id: 'toy-pending', name: 'Ours' }])
  })

  it('ends a connection, keeps the books, and can begin it again under the same name', async () => {
    const service = serve()
    toy.put({ entity: 'Bill', id: 'kept', amount: 100 })
    await connect(service)
    await service.ask('POST', 'sources/toy-7/backfill', {})
    await until(async () => (await service.ask('GET', 'sources')).body[1].last_run?.status === 'succeeded')
    const ended = await service.ask('DELETE', 'sources/toy-7')
    expect(ended.body).toEqual({ status: 'disconnected', source_id: 'toy-7', revoked: true })
    expect(toy.asked.get('revoke')).toBe(1)
    expect(queryFile(place, 'select secrets, status from source')).toEqual([{ secrets: null, status: 'disconnected' }])
    expect(queryFile(place, `select external_id from bill where external_id = 'kept'`)).toHaveLength(1)
    expect((await service.deliver('webhooks/toy', { events: [bill('1')] })).body).toEqual({
      status: 'ok',
      accepted: 0,
      ignored: 1,
    })
    await connect(service)
    expect((await service.ask('GET', 'sources')).body[1]).toMatchObject({ id: 'toy-7', status: 'connected' })
    expect(await service.ask('DELETE', 'sources/tenant')).toMatchObject({ status: 422 })
    expect(await service.ask('DELETE', 'sources/none')).toMatchObject({ status: 404 })
  })
})

describe('books of files', () => {
  it('have nothing to read, and no connection that could be ended', async () => {
    const { ask, store } = serve()
    const { expenses } = ownedIn(store, TOY_WORKSPACE)
    await importExpenses(HEADER_ONLY, { source: 'bank' }, { store: expenses, at: '2026-01-01T00:00:00.000Z' }, 1_000)
    const backfilled = await ask('POST', 'sources/csv-bank/backfill', {})
    expect(backfilled).toMatchObject({ status: 200, body: { status: 'nothing_to_backfill', source_id: 'csv-bank' } })
    expect(await ask('DELETE', 'sources/csv-bank')).toMatchObject({ status: 422, body: { code: 'unsupported_by_connector' } })
    expect((await ask('GET', 'sources')).body[0]).toMatchObject({ id: 'csv-bank', kind: 'file', status: 'connected' })
  })
})

describe('backfill', () => {
  it('reads everything in pages, counts it, and reads what changed meanwhile', async () => {
    const service = serve()
    for (let number = 0; number < 25; number++) toy.put({ entity: 'Bill', id: `b${number}`, amount: 100 })
    await connect(service)
    const begun = await service.ask('POST', 'sources/toy-7/backfill', {})
    expect(begun).toMatchObject({ status: 202, body: { status: 'started', source_id: 'toy-7' } })
    await until(async () => (await service.ask('GET', 'sources')).body[1].last_run?.status === 'succeeded')
    const [, source] = (await service.ask('GET', 'sources')).body
    expect(source.last_run).toMatchObject({ id: begun.body.run_id, kind: 'backfill', error: null })
    expect(source.last_run.counts).toMatchObject({ bill: toy.records().length, vendor: 0, purchase: 0 })
    expect(source.last_synced_at).toBe(source.last_run.started_at)
    expect(toy.asked.get('changes')).toBeGreaterThan(0)
    expect(queryFile(place, 'select count(*) as n from bill')).toEqual([{ n: toy.records().length }])
    expect(service.failures).toEqual([])
  })

  it('has nothing to do for a database, and refuses what is wrong', async () => {
    const { ask } = serve()
    expect(await ask('POST', 'sources/tenant/backfill', {})).toMatchObject({
      status: 200,
      body: { status: 'nothing_to_backfill', source_id: 'tenant', detail: expect.any(String) },
    })
    expect(await ask('POST', 'sources/none/backfill', {})).toMatchObject({ status: 404 })
    expect(await ask('POST', 'sources/tenant/backfill', { since: 'soon' })).toMatchObject({
      status: 422,
      body: { issues: [{ where: 'body.since' }] },
    })
  })

  it('is refused while another one runs, whatever it asks for', async () => {
    const service = serve()
    await connect(service)
    const answers: ServerResponse[] = []
    toy.intercept('pages', (_, response) => answers.push(response) > 0)
    const first = await service.ask('POST', 'sources/toy-7/backfill', { since: '2024-01-01' })
    expect(first).toMatchObject({ status: 202 })
    await until(async () => answers.length === 1)
    for (const body of [{ since: '2024-01-01' }, { since: '2025-01-01' }, {}])
      expect(await service.ask('POST', 'sources/toy-7/backfill', body)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await service.ask('GET', 'sources')).body[1].last_run).toMatchObject({ id: first.body.run_id, status: 'running' })
    toy.intercept('pages', undefined)
    for (const answer of answers) answer.writeHead(503).end()
    await until(async () => (await service.ask('GET', 'sources')).body[1].last_run?.status === 'failed')
    expect(await service.ask('POST', 'sources/toy-7/backfill', {})).toMatchObject({ status: 202 })
  })

  it('keeps why it failed, and goes on from there the next time', async () => {
    const service = serve()
    for (let number = 0; number < 25; number++) toy.put({ entity: 'Bill', id: `f${number}`, amount: 100 })
    await connect(service)
    toy.intercept('pages', (request, response) => {
      if (request.url?.endsWith('from=0')) return false
      response.writeHead(503).end()
      return true
    })
    const first = await service.ask('POST', 'sources/toy-7/backfill', {})
    await until(async () => (await service.ask('GET', 'sources')).body[1].last_run?.status === 'failed')
    const [, failed] = (await service.ask('GET', 'sources')).body
    expect(failed.last_run).toMatchObject({ error: 'connector_unavailable: The toy answers 503.', counts: { bill: 10 } })
    expect(failed.last_synced_at).toBeNull()
    const before = toy.asked.get('pages') ?? 0
    toy.intercept('pages', undefined)
    const second = await service.ask('POST', 'sources/toy-7/backfill', {})
    expect(second.body.run_id).toBe(first.body.run_id)
    await until(async () => (await service.ask('GET', 'sources')).body[1].last_run?.status === 'succeeded')
    expect((toy.asked.get('pages') ?? 0) - before).toBe(Math.ceil(toy.records().length / 10) - 1)
    expect(queryFile(place, 'select count(*) as n from bill')).toEqual([{ n: toy.records().length }])
  })
})

describe('webhooks', () => {
  it('are enforced where a secret is configured: wrong, missing or of another body is refused', async () => {
    const service = serve()
    await connect(service)
    const payload = { events: [bill('1')] }
    expect(await service.ask('POST', 'webhooks/toy', payload)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    for (const signature of ['', 'zz', toy.sign('{}'), toy.sign(JSON.stringify(payload)).slice(1)]) {
      expect(await service.deliver('webhooks/toy', payload, { 'x-webhook-signature': signature })).toMatchObject({ status: 401 })
    }
    expect(await service.deliver('webhooks/toy', payload)).toMatchObject({ status: 200, body: { accepted: 1 } })
  })

  it('without a secret are refused unless that was chosen, and with HTTP Basic need it', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const closed = serve({ secret: undefined })
    expect(await closed.ask('POST', 'webhooks/toy', {})).toMatchObject({ status: 401 })
    const open = serve({ secret: undefined, allowsUnsigned: true })
    expect(await open.ask('POST', 'webhooks/toy', {})).toMatchObject({ status: 200 })
    const named = serve({ secret: undefined, basic: ['hook', 'pass:word'], allowsUnsigned: true })
    expect(await named.ask('POST', 'webhooks/toy', {})).toMatchObject({ status: 401 })
    expect(await named.ask('POST', 'webhooks/toy', {}, basic('hook:other'))).toMatchObject({ status: 401 })
    expect(await named.ask('POST', 'webhooks/toy', {}, basic('hook:pass:word'))).toMatchObject({ status: 200 })
    const both = serve({ basic: ['hook', 'password'] })
    expect(await both.ask('POST', 'webhooks/toy', {}, basic('hook:password'))).toMatchObject({ status: 401 })
    expect(await both.deliver('webhooks/toy', {}, basic('hook:password'))).toMatchObject({ status: 200 })
  })

  it('are taken by source, by platform, and from any host, origin and type, as a server sends them', async () => {
    const service = serve()
    await connect(service)
    const { company: _, ...anonymous } = bill('2')
    expect((await service.deliver('webhooks/toy-7', { events: [anonymous] })).body).toMatchObject({ accepted: 1, ignored: 0 })
    const foreign = {
      host: 'hooks.example.net',
      origin: 'https://toy.example.com',
      'content-type': 'application/cloudevents+json',
    }
    expect((await service.deliver('webhooks/toy', { events: [anonymous] }, foreign)).body).toMatchObject({ accepted: 1 })
    expect(await service.ask('POST', 'sources', { type: 'toy' }, foreign)).toMatchObject({ status: 403 })
    await service.ask('POST', 'sources', { type: 'toy', config: { company: '8' } })
    expect(await service.deliver('webhooks/toy', { events: [anonymous] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', issues: [{ where: 'query.source_id' }] },
    })
    expect((await service.deliver('webhooks/toy?source_id=toy-8', { events: [anonymous] })).body).toMatchObject({ accepted: 1 })
    const named = { events: [{ ...anonymous, id: '3', company: '7' }] }
    expect((await service.deliver('webhooks/toy?source_id=toy-8', named)).body).toMatchObject({ accepted: 1 })
    expect(queryFile(place, 'select source_id, entity_id from inbox order by source_id, entity_id')).toEqual([
      { source_id: 'toy-7', entity_id: '2' },
      { source_id: 'toy-8', entity_id: '2' },
      { source_id: 'toy-8', entity_id: '3' },
    ])
  })

  it('that lead to nothing are valid and ignored', async () => {
    const service = serve()
    await connect(service)
    const ignored = [bill('1', 'unknown'), { ...bill('1'), entity: 'Invoice' }, { ...bill('x'.repeat(300)) }]
    expect((await service.deliver('webhooks/toy', { events: ignored })).body).toEqual({ status: 'ok', accepted: 0, ignored: 3 })
    expect((await service.deliver('webhooks/toy', {})).body).toEqual({ status: 'ok', accepted: 0, ignored: 0 })
    expect((await service.ask('POST', 'webhooks/tenant', { a: 1 })).body).toMatchObject({ accepted: 0 })
    expect((await service.ask('POST', 'webhooks/engine', {})).body).toMatchObject({ accepted: 0 })
    expect(await service.ask('POST', 'webhooks/none', {})).toMatchObject({ status: 404 })
    const broken = '{"events":'
    expect(await service.ask('POST', 'webhooks/toy', broken, { 'x-webhook-signature': toy.sign(broken) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    })
    expect(await service.deliver('webhooks/toy', { filler: 'x'.repeat(1_100_000) })).toMatchObject({ status: 413 })
  })

  it('are worked off: written once however often they come, deleted ones too', async () => {
    const service = serve()
    await connect(service)
    service.sources.start()
    toy.put({ entity: 'Bill', id: 'w', amount: 700 })
    for (let time = 0; time < 3; time++) await service.deliver('webhooks/toy', { events: [bill('w'), bill('gone')] })
    await until(async () => (await service.ask('GET', 'sources')).body[1].waiting === 0)
    const read = () => queryFile(place, `select is_deleted, total_cents from bill where external_id = 'w'`)
    expect(read()).toEqual([{ is_deleted: 0, total_cents: 700 }])
    toy.put({ entity: 'Bill', id: 'w', isGone: true })
    await service.deliver('webhooks/toy', { events: [bill('w')] })
    await until(() => read()[0]?.['is_deleted'] === 1)
    expect(service.failures).toEqual([])
  })
})

describe('failures', () => {
  it('waits, becomes a dead letter, is listed, tried again and dropped', async () => {
    const service = serve()
    await connect(service)
    await service.deliver('webhooks/toy', { events: [bill('1'), bill('2'), bill('3')] })
    const { inbox } = service.store.inWorkspace?.({ name: 'test', source_ids: [] }) ?? {}
    const now = new Date().toISOString()
    for (const entry of (await inbox?.take(['toy'], now, now, 10)) ?? [])
      await inbox?.finish(entry, { kind: 'dead', error: 'e' }, now)
    const page = await service.ask('GET', 'sources/toy-7/dead-letters?limit=2&offset=1')
    expect(page.body).toMatchObject({ total: 3, limit: 2, offset: 1, rows: [{ entity: 'Bill', attempts: 1, error: 'e' }, {}] })
    const [first, second] = page.body.rows
    expect(await service.ask('GET', 'sources/toy-7/dead-letters?limit=0&nonsense=1')).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', issues: [{}, {}] },
    })
    expect((await service.ask('DELETE', `sources/toy-7/dead-letters/${first.id}`)).body).toEqual({ status: 'deleted' })
    expect(await service.ask('DELETE', `sources/toy-7/dead-letters/${first.id}`)).toMatchObject({ status: 404 })
    const retried = await service.ask('POST', 'sources/toy-7/dead-letters/retry', { ids: [second.id] })
    expect(retried.body).toEqual({ status: 'waiting', retried: 1 })
    expect((await service.ask('POST', 'sources/toy-7/dead-letters/retry', { ids: [] })).status).toBe(422)
    expect((await service.ask('POST', 'sources/toy-7/dead-letters/retry', {})).body).toMatchObject({ retried: 1 })
    expect((await service.ask('GET', 'sources')).body[1]).toMatchObject({ waiting: 2, dead_letters: 0 })
    expect(await service.ask('GET', 'sources/none/dead-letters')).toMatchObject({ status: 404 })
  })

  it('is not tried again before its time, and says why', async () => {
    const service = serve()
    await connect(service)
    service.sources.start()
    toy.intercept('records', (_request, response) => {
      response.writeHead(500).end()
      return true
    })
    await service.deliver('webhooks/toy', { events: [bill('1')] })
    await until(() => queryFile(place, 'select 1 from inbox where attempts = 1').length === 1)
    toy.intercept('records', undefined)
    const [entry] = queryFile(place, 'select error, next_attempt_at, received_at from inbox')
    expect(entry?.['error']).toBe('connector_unavailable: The toy answers 500.')
    const waits = Date.parse(`${entry?.['next_attempt_at']}Z`) - Date.parse(`${entry?.['received_at']}Z`)
    expect(waits).toBeGreaterThanOrEqual(60_000)
  })

  it('for want of consent stops the source, loses nothing, and goes on after it', async () => {
    const service = serve()
    await connect(service)
    service.sources.start()
    toy.put({ entity: 'Bill', id: 'late', amount: 5 })
    toy.expire(true)
    await service.deliver('webhooks/toy', { events: [bill('late')] })
    await until(async () => (await service.ask('GET', 'sources')).body[1].status === 'needs_reconnect')
    expect(await service.sources.attention()).toMatchObject({ needs_reconnect: ['toy-7'], dead_letters: 0 })
    await service.deliver('webhooks/toy', { events: [bill('late2')] })
    expect((await service.ask('GET', 'sources')).body[1].waiting).toBeGreaterThan(0)
    await connect(service)
    await until(async () => (await service.ask('GET', 'sources')).body[1].waiting === 0)
    expect(queryFile(place, `select total_cents from bill where external_id = 'late'`)).toEqual([{ total_cents: 5 }])
  })
})

describe('the key of the store', () => {
  it('when it is another one asks for a new consent and loses nothing', async () => {
    const key = () => randomBytes(32).toString('base64')
    const first = serve({}, key())
    await connect(first)
    const second = serve({}, key())
    await second.ask('POST', 'sources/toy-7/backfill', {})
    await until(async () => (await second.ask('GET', 'sources')).body[1].status === 'needs_reconnect')
    expect((await second.ask('GET', 'sources')).body[1].last_run).toMatchObject({
      status: 'failed',
      error: expect.stringMatching('another key'),
    })
    await connect(second)
    expect((await second.ask('GET', 'sources')).body[1]).toMatchObject({ status: 'connected' })
  })
})

describe('tokens', () => {
  it('are renewed by one of all who find them expired', async () => {
    const service = serve()
    const beside = serve()
    await connect(service)
    const ids = Array.from({ length: 12 }, (_, index) => `t${index}`)
    for (const id of ids) toy.put({ entity: 'Bill', id, amount: 1 })
    service.sources.start()
    beside.sources.start()
    const before = toy.renewals()
    toy.expire()
    await service.deliver('webhooks/toy', { events: ids.map((id) => bill(id)) })
    await until(async () => (await service.ask('GET', 'sources')).body[1].waiting === 0)
    expect(toy.renewals() - before).toBe(1)
    expect((await service.ask('GET', 'sources')).body[1]).toMatchObject({ status: 'connected', dead_letters: 0 })
    expect(queryFile(place, `select count(*) as n from bill where external_id like 't%'`)).toEqual([{ n: 12 }])
  })
})

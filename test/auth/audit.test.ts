import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/facades/http/server.ts'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

const GERMANY = { root: { op: 'and', conditions: [{ field: 'customer_country', op: '=', value: 'DE' }] } }

let service: GuardedService
let admin: { readonly secret: string; readonly id: string }
let requests = 0

beforeAll(async () => {
  service = await openGuardedService()
  admin = await service.makeKey(['admin'], { name: 'operator' })
})
afterAll(() => service.close())

/** Asks as the admin, and says what was recorded of it. */
async function deedsOf(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const request_id = `request-${requests++}`
  const isForm = body instanceof FormData
  const response = await service.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${admin.secret}`,
      'x-request-id': request_id,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  await service.engine.auth.flush()
  const { rows } = await service.engine.auth.audit({ limit: '1000' })
  const own = rows.filter((row) => row.request_id === request_id)
  return { text, status: response.status, own, deeds: own.map(({ action, target, outcome }) => [action, target, outcome]) }
}

async function audit(query: string, credential = admin.secret) {
  const response = await service.app.request(`/api/audit${query}`, { headers: { authorization: `Bearer ${credential}` } })
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
  return { status: response.status, body: (await response.json()) as any }
}

describe('recorded actions', () => {
  it('says who did what with which request', async () => {
    const { own, text } = await deedsOf('POST', '/api/segments', { name: 'Germany', definition: GERMANY })
    expect(JSON.parse(text)).toMatchObject({ created_by: `key:${admin.id}` })
    expect(own).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        actor_id: `key:${admin.id}`,
        actor_kind: 'api_key',
        actor_name: 'operator',
        action: 'segment.create',
        path: 'POST /api/segments',
        target: JSON.parse(text).id,
        remote_address: null,
        request_id: own[0]?.request_id,
        outcome: 'ok',
        status: 201,
        count: 1,
      },
    ])
  })

  it.each([
    ['customers', '/api/customers?limit=1', 'personal.read', null],
    ['one customer', '/api/customers/alpha-acc-0001', 'personal.read', 'alpha-acc-0001'],
    ['subscriptions', '/api/subscriptions?limit=1', 'personal.read', null],
    ['invoices', '/api/invoices?limit=1', 'personal.read', null],
    ['values of attributes', '/api/customer-attributes', 'personal.read', null],
    ['examples of values', '/api/segments/fields', 'personal.read', null],
    ['a metric by customer', '/api/metrics/mrr?dimensions=customer_id', 'personal.read', null],
    ['reasons with names', '/api/metrics/mrr/why?range=last-month', 'personal.read', null],
    ['reasons as values of a filter', '/api/metrics/churn/fields/cancel_reason/values', 'personal.read', 'churn/cancel_reason'],
    ['what one customer owes', '/api/billing-health?customer_id=alpha-acc-0001', 'personal.read', null],
    ['what customers found by a search owe', '/api/billing-health?search=alpha', 'personal.read', null],
    ['what customers of a name owe', '/api/billing-health?filter=customer_name=alpha', 'personal.read', null],
    ['what the members of a segment owe', '/api/billing-health?segment=Partners', 'personal.read', null],
    ['the checks, which name customers', '/api/checks', 'personal.read', null],
    ['the log itself', '/api/audit', 'audit.read', null],
    ['figures as CSV', '/api/metrics/mrr?format=csv', 'export', null],
    ['customers as CSV', '/api/customers?format=csv', 'export', null],
    ['figures as a workbook', '/api/metrics/mrr?format=xlsx', 'export', null],
  ])('reading %s', async (_, path, action, target) => {
    expect(await deedsOf('GET', path)).toMatchObject({ status: 200, deeds: [[action, target, 'ok']] })
  })

  it('asking whether a value exists, in a definition of a segment', async () => {
    expect((await deedsOf('POST', '/api/segments/validate', GERMANY)).deeds).toMatchObject([['personal.read', null, 'ok']])
  })

  it('asking for customers in a body', async () => {
    const question = { spec: { dimensions: ['customer_name'] } }
    expect((await deedsOf('POST', '/api/metrics/mrr', question)).deeds).toEqual([['personal.read', 'mrr', 'ok']])
    expect((await deedsOf('POST', '/api/metrics/mrr?format=csv', question)).deeds).toEqual([['export', 'mrr', 'ok']])
  })

  it.each([
    '/api/metrics/mrr',
    '/api/metrics/summary',
    '/api/metrics',
    '/api/metrics/mrr/fields/plan_id/values',
    '/api/billing-health',
    '/api/billing-health?filter=class=not_billed',
    '/api/billing-health?filter=customer_country=DE',
    '/api/segments',
    '/api/sources',
    '/auth/me',
    '/metrics',
  ])('nothing of figures and settings: %s', async (path) => {
    expect(await deedsOf('GET', path)).toMatchObject({ status: 200, deeds: [] })
  })

  it('nothing of a reading that was refused, all of a change that was', async () => {
    expect(await deedsOf('GET', '/api/customers?nonsense=1')).toMatchObject({ status: 400, deeds: [] })
    expect(await deedsOf('GET', '/api/customers/nobody')).toMatchObject({ status: 404, deeds: [] })
    expect((await deedsOf('DELETE', '/api/segments/none')).deeds).toEqual([['segment.delete', 'none', 'refused']])
    expect((await deedsOf('POST', '/api/segments', {})).deeds).toEqual([['segment.create', null, 'refused']])
    const foreign = await deedsOf('POST', '/api/segments', {}, { origin: 'https://evil.example' })
    expect(foreign.deeds).toEqual([['segment.create', null, 'refused']])
  })

  it('imports and values', async () => {
    const file = new FormData()
    file.set('file', new Blob(['external,rank\nalpha-acc-0001,gold\n']), 'a.csv')
    expect((await deedsOf('POST', '/api/attributes/import', file)).deeds).toEqual([['attribute.import', null, 'ok']])
    const rates = new FormData()
    rates.set('file', new Blob(['date,from,to,rate\n2026-01-01,CHF,USD,1.2\n']), 'rates.csv')
    expect((await deedsOf('POST', '/api/fx/rates/import', rates)).deeds).toEqual([['fx_rate.import', null, 'ok']])
    // Refused for its body, so that no test asks the bank.
    expect((await deedsOf('POST', '/api/fx/fetch/ecb', { to: 'x' })).deeds).toEqual([['fx_rate.fetch', null, 'refused']])
    const set = await deedsOf('POST', '/api/customers/alpha-acc-0001/attributes', { attributes: { rank: 'silver' } })
    expect(set.deeds).toEqual([['attribute_value.set', 'alpha-acc-0001', 'ok']])
    const gone = await deedsOf('DELETE', '/api/customers/alpha-acc-0001/attributes/rank')
    expect(gone.deeds).toEqual([['attribute_value.delete', 'alpha-acc-0001/rank', 'ok']])
  })

  it('keys, and attempts without one or beyond its scope', async () => {
    const made = await deedsOf('POST', '/api/keys', { name: 'reader' })
    const { id, key } = JSON.parse(made.text)
    expect(made.deeds).toEqual([['key.create', id, 'ok']])
    const { body: beyond } = await audit('', key)
    expect(beyond).toMatchObject({ code: 'forbidden', required_scope: 'admin' })
    expect((await deedsOf('DELETE', `/api/keys/${id}`)).deeds).toEqual([['key.revoke', id, 'ok']])
    expect((await audit('', key)).status).toBe(401)
    await service.engine.auth.flush()
    const { body } = await audit('?action=scope.refused&action=credential.refused')
    expect(
      body.rows.map(({ action, actor_id, target, path }: Record<string, unknown>) => [action, actor_id, target, path]),
    ).toEqual([
      ['credential.refused', 'unknown', 'revoked', 'GET /api/audit'],
      ['scope.refused', `key:${id}`, 'admin', 'GET /api/audit'],
    ])
  })

  it('never a secret or a body', async () => {
    const { body } = await audit('?limit=1000')
    const all = JSON.stringify(body)
    for (const secret of [admin.secret, admin.secret.slice(0, 20), 'silver', 'customer_country'])
      expect(all).not.toContain(`${secret}`)
    expect(service.logged.join('\n')).not.toContain(admin.secret.slice(3))
  })
})

describe('GET /api/audit', () => {
  it('is paged, and narrowed by who, what, outcome and day', async () => {
    const { body: all } = await audit('?limit=1000')
    const [today] = new Date().toISOString().split('T')
    expect(all.rows.map(({ at }: { at: string }) => at)).toEqual(
      [...all.rows.map(({ at }: { at: string }) => at)].sort().reverse(),
    )
    const { body: page } = await audit('?limit=2&offset=1')
    expect([page.limit, page.offset, page.rows.length]).toEqual([2, 1, 2])
    const count = async (query: string) => (await audit(query)).body.rows.length
    const changes = all.rows.filter(({ action }: { action: string }) => action.startsWith('segment.')).length
    expect(await count('?limit=1000&action=segment.create&action=segment.delete')).toBe(changes)
    expect(await count(`?actor_id=key:${admin.id}&outcome=refused`)).toBe(4)
    expect(await count('?actor_id=nobody')).toBe(0)
    expect(await count(`?start=${today}&end=9999-12-31&limit=1000`)).toBeGreaterThan(10)
    expect(await count('?end=2026-01-01')).toBe(0)
    expect(await count('?range=last-month')).toBe(0)
  })

  it.each([
    ['?limit=0', 'query.limit'],
    ['?limit=x', 'query.limit'],
    ['?offset=-1', 'query.offset'],
    ['?outcome=maybe', 'query.outcome'],
    ['?start=yesterday', 'query.start'],
    ['?who=me', 'query.who'],
    ['?start=2026-02-01&end=2026-01-01', 'query.start'],
  ])('says what is wrong with %s', async (query, where) => {
    const { status, body } = await audit(query)
    expect([status, body.issues[0].where]).toEqual([400, where])
  })
})

it('is known by the address at the other end of the connection, whatever a header says', async () => {
  const server = await startServer(service.app, { host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${admin.secret}`, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'from-afar' }
  try {
    await (await fetch(`${server.url}/api/customers?limit=1`, { headers })).text()
  } finally {
    await server.stop()
  }
  await service.engine.auth.flush()
  const { rows } = await service.engine.auth.audit()
  expect(rows.find(({ request_id }) => request_id === 'from-afar')?.remote_address).toBe('127.0.0.1')
})

it('a key is marked as used, once a minute, while the answer does not wait for it', async () => {
  const { secret, id } = await service.makeKey(['read'])
  const lastUse = async () => (await service.engine.auth.keys.list()).find((key) => key.id === id)?.last_used_at
  const use = () => service.app.request('/auth/me', { headers: { authorization: `Bearer ${secret}` } })
  await use()
  await service.engine.auth.flush()
  const first = await lastUse()
  expect(Date.now() - Date.parse(first ?? '')).toBeLessThan(60_000)
  await new Promise((wake) => setTimeout(wake, 20))
  for (let uses = 0; uses < 5; uses++) await use()
  await service.engine.auth.flush()
  expect(await lastUse()).toBe(first)
})

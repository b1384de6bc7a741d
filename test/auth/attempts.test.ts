import { rm, writeFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../src/core/auth.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import {
  FRIEND,
  type GuardedOperation,
  type GuardedService,
  guardedOperations,
  openGuardedService,
  requestFor,
} from '../support/product/guarded-service.ts'
import { type IssuerKey, makeIssuerKey } from '../support/product/toy-issuer.ts'

const PAST = '2026-01-01T00:00:00.000Z'
const MINUTE = 60

let service: GuardedService
let operations: readonly GuardedOperation[]
let guarded: readonly GuardedOperation[]
let keys: Readonly<Record<Scope, string>>

beforeAll(async () => {
  service = await openGuardedService()
  operations = await guardedOperations(service)
  guarded = operations.filter(({ needs }) => needs !== 'public')
  const made = await Promise.all(SCOPES.map(async (scope) => [scope, (await service.makeKey([scope])).secret] as const))
  keys = Object.fromEntries(made) as typeof keys
})
afterAll(() => service.close())

/** The parts that an attempt adds to a correct request. */
interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

interface Found {
  readonly status: number
  readonly reason: unknown
  readonly challenge: string | null
}

const bearer = (credential: string): Sent => ({ headers: { authorization: `Bearer ${credential}` } })

async function attempt(operation: GuardedOperation, { headers = {}, query = '' }: Sent): Promise<Found> {
  const { url, init } = requestFor(operation)
  const response = await service.app.request(`${url}${query}`, { ...init, headers: { ...init.headers, ...headers } })
  const text = await response.text()
  const body = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : {}
  return { status: response.status, reason: body.reason, challenge: response.headers.get('www-authenticate') }
}

/** The answers of all guarded operations to an attempt: each different answer with the number of operations. */
async function answersTo(sent: Sent, asked: readonly GuardedOperation[] = guarded): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const operation of asked) {
    const { status, reason } = await attempt(operation, sent)
    const answer = `${status} ${reason}`
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

const seconds = (from: number) => Math.floor(Date.now() / 1_000) + from
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Attempts with a credential that is none. */
const REFUSED: readonly (readonly [attempt: string, answer: string, sent: () => Sent | Promise<Sent>])[] = [
  ['no credential', '401 missing', () => ({})],
  ['an empty one', '401 malformed', () => bearer('')],
  ['Basic', '401 malformed', () => ({ headers: { authorization: `Basic ${btoa(`ann:${keys.admin}`)}` } })],
  ['a key without a scheme', '401 malformed', () => ({ headers: { authorization: keys.admin } })],
  ['two credentials', '401 malformed', () => ({ headers: { authorization: `Bearer ${keys.admin} ${keys.admin}` } })],
  ['a key in the address', '401 missing', () => ({ query: `?access_token=${keys.admin}&api_key=${keys.admin}` })],
  ['a key in cookies', '401 missing', () => ({ headers: { cookie: `authorization=Bearer ${keys.admin}; token=${keys.admin}` } })],
  ['a key in other headers', '401 missing', () => ({ headers: { 'x-api-key': keys.admin, 'proxy-authorization': keys.admin } })],
  ['a key that never was', '401 unknown_key', () => bearer(`pl_${'A'.repeat(43)}`)],
  ['a key cut off', '401 malformed', () => bearer(keys.admin.slice(0, -1))],
  ['a key and more', '401 malformed', () => bearer(`${keys.admin}A`)],
  ['a key in other letters', '401 unknown_key', () => bearer(`pl_${otherCase(keys.admin.slice(3))}`)],
  ['the digest of a key', '401 malformed', async () => bearer(`pl_${'0'.repeat(64)}`)],
  ['a revoked key', '401 revoked', async () => bearer((await service.makeKey(['admin'], { revoked_at: PAST })).secret)],
  ['an expired key', '401 expired', async () => bearer((await service.makeKey(['admin'], { expires_at: PAST })).secret)],
  [
    'a key of another workspace',
    '401 unknown_key',
    async () => bearer((await service.makeKey(['admin'], { workspace: 'other' })).secret),
  ],
  ['no JWT', '401 malformed', () => bearer('not.a.token')],
  ['alg none', '401 wrong_signature', async () => bearer(await unsigned('none'))],
  ['alg None', '401 wrong_signature', async () => bearer(await unsigned('None'))],
  ['no alg', '401 wrong_signature', async () => bearer(await unsigned(undefined))],
  ['HS256 with the public key as its secret', '401 wrong_signature', async () => bearer(await confused())],
  ['HS256 with an empty secret', '401 wrong_signature', async () => bearer(await shared(new Uint8Array(32)))],
  ['a key of somebody else under the same kid', '401 wrong_signature', async () => bearer(await foreign({ kid: 'first' }))],
  ['a key that the issuer does not show', '401 wrong_signature', async () => bearer(await foreign({ kid: 'other' }))],
  ['a key in the header', '401 wrong_signature', async () => bearer(await foreign({ kid: 'first' }, true))],
  [
    'a key at an address in the header',
    '401 wrong_signature',
    async () => bearer(await foreign({ kid: 'x', jku: 'https://evil.example/keys' })),
  ],
  [
    'another subject after signing',
    '401 wrong_signature',
    async () => bearer(await changed({ sub: 'root', plumbline_scope: 'admin' })),
  ],
  ['the signature left out', '401 wrong_signature', async () => bearer(`${(await token()).split('.').slice(0, 2).join('.')}.`)],
  ['another issuer', '401 wrong_issuer', async () => bearer(await token({ iss: 'https://id.example.com' }))],
  ['the issuer with a slash', '401 wrong_issuer', async () => bearer(await token({ iss: `${service.issuer.url}/` }))],
  ['another audience', '401 wrong_audience', async () => bearer(await token({ aud: 'https://other.example.com' }))],
  ['the client as audience', '401 wrong_audience', async () => bearer(await token({ aud: 'plumbline-page' }))],
  ['no audience', '401 wrong_audience', async () => bearer(await token({ aud: undefined }))],
  ['an expired token', '401 expired', async () => bearer(await token({ exp: seconds(-2 * MINUTE) }))],
  ['a token without an end', '401 invalid_token', async () => bearer(await token({ exp: undefined }))],
  ['a token of tomorrow', '401 not_yet_valid', async () => bearer(await token({ nbf: seconds(10 * MINUTE) }))],
  ['a token of nobody', '401 invalid_token', async () => bearer(await token({ sub: undefined }))],
  ['a token of an empty name', '401 invalid_token', async () => bearer(await token({ sub: '' }))],
  ['a logout token', '401 invalid_token', async () => bearer(await token({}, { typ: 'logout+jwt' }))],
  [
    'a logout token of another type',
    '401 invalid_token',
    async () => bearer(await token({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })),
  ],
  ['a token of a number', '401 invalid_token', async () => bearer(await token({ sub: 42 }))],
  ['a token of a list', '401 invalid_token', async () => bearer(await token({ sub: ['bob'] }))],
  ['critical extensions', '401 invalid_token', async () => bearer(await critical())],
]

function token(claims = {}, header = {}): Promise<string> {
  return service.issuer.token({ plumbline_scope: 'admin', ...claims }, header)
}

async function unsigned(alg: string | undefined): Promise<string> {
  const [, payload = ''] = (await token()).split('.')
  return `${base64({ alg, typ: 'at+jwt' })}.${payload}.`
}

async function shared(secret: Uint8Array): Promise<string> {
  const claims = JSON.parse(Buffer.from((await token()).split('.')[1] ?? '', 'base64url').toString())
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first', typ: 'at+jwt' }).sign(secret)
}

function confused(): Promise<string> {
  return shared(new TextEncoder().encode(service.issuer.key.pem))
}

/** A key that the issuer has never seen. */
let foreignKey: Promise<IssuerKey> | undefined

async function foreign(header: Readonly<Record<string, unknown>>, showsKey = false): Promise<string> {
  foreignKey ??= makeIssuerKey('first')
  const key = await foreignKey
  return service.issuer.token({ plumbline_scope: 'admin' }, { ...header, ...(showsKey ? { jwk: key.shown } : {}) }, key)
}

async function changed(claims: Readonly<Record<string, unknown>>): Promise<string> {
  const [head = '', payload = '', signature = ''] = (await token()).split('.')
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return [head, base64({ ...before, ...claims }), signature].join('.')
}

async function critical(): Promise<string> {
  const [, payload = '', signature = ''] = (await token()).split('.')
  return [base64({ alg: 'RS256', kid: 'first', crit: ['x'], x: 1 }), payload, signature].join('.')
}

function otherCase(text: string): string {
  return [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('')
}

/** Attempts of somebody who is known, and may do only so much. */
const LIMITED: readonly (readonly [attempt: string, scope: Scope | undefined, sent: () => Promise<Sent>])[] = [
  ...SCOPES.map((scope) => [`a key with ${scope}`, scope, async () => bearer(keys[scope])] as const),
  ...SCOPES.map(
    (scope) => [`a token with ${scope}`, scope, async () => bearer(await token({ plumbline_scope: scope }))] as const,
  ),
  ['a token with several', 'write', async () => bearer(await token({ plumbline_scope: ['read', 'write'] }))],
  ['a token with words', 'write', async () => bearer(await token({ plumbline_scope: 'openid write' }))],
  ['a token without the claim', 'read', async () => bearer(await token({ plumbline_scope: undefined }))],
  [
    'a token with unknown scopes',
    undefined,
    async () => bearer(await token({ plumbline_scope: ['ADMIN', 'root', '*', 7, null] })),
  ],
  ['a token with no scopes', undefined, async () => bearer(await token({ plumbline_scope: [] }))],
  ['a token with an object', undefined, async () => bearer(await token({ plumbline_scope: { admin: true } }))],
]

/** Each with its place in the list behind it. */
function numbered<T extends readonly unknown[]>(cases: readonly T[]): (readonly [...T, number])[] {
  return cases.map((each, index) => [...each, index])
}

describe('every operation of /openapi.json', () => {
  it('says what it needs', () => {
    const open = operations.filter(({ needs }) => needs === 'public').map(({ method, path }) => `${method} ${path}`)
    expect(open.sort()).toEqual([
      'GET /',
      'GET /api/connectors/{type}/oauth/callback',
      'GET /api/shared',
      'GET /assets/{file}',
      'GET /auth/config',
      'GET /docs',
      'GET /docs/assets/{file}',
      'GET /feed/{file}',
      'GET /healthz',
      'GET /openapi.json',
      'GET /readyz',
      'GET /redoc',
      'GET /shared',
      'POST /api/webhooks/{address}',
    ])
    expect(guarded.length).toBeGreaterThan(50)
  })

  it.each(numbered(REFUSED))('refuses %s: %s', async (_, answer, sent, number) => {
    const made = await sent()
    // Without any credential every operation is tried, with a wrong one every third in turn: each meets a dozen of them in a run.
    const asked = number === 0 ? guarded : guarded.filter((_operation, index) => isInTurn(index + number, 3))
    expect(await answersTo(made, asked)).toEqual({ [answer]: asked.length })
    const challenge = answer === '401 missing' ? 'Bearer' : 'Bearer error="invalid_token"'
    const [first] = guarded
    expect(first && (await attempt(first, made)).challenge).toBe(challenge)
  })

  it.each(numbered(LIMITED))('lets %s do what %s allows and nothing more', async (_, scope, sent, number) => {
    const made = await sent()
    const rank = (needs: GuardedOperation['needs']) => SCOPES.indexOf(needs as Scope)
    const most = scope === undefined ? -1 : SCOPES.indexOf(scope)
    // Keys are tried on every operation, tokens on every third in turn.
    const asked = number < SCOPES.length ? guarded : guarded.filter((_operation, index) => isInTurn(index + number, 3))
    for (const operation of asked) {
      // Wrong in another way too, so that nothing is computed.
      const { status, reason, challenge } = await attempt(operation, { ...made, query: '?nonsense=1' })
      const name = `${operation.method} ${operation.path}`
      if (rank(operation.needs) > most) {
        expect([name, status, reason]).toEqual([name, 403, 'missing_scope'])
        expect(challenge).toBe(`Bearer error="insufficient_scope", scope="${operation.needs}"`)
      } else {
        expect([401, 403], name).not.toContain(status)
        expect(status, name).toBeLessThan(500)
      }
    }
  })

  it('tells those who have no credential neither what exists below /api nor what is wrong with a request', async () => {
    const paths = ['/api', '/api/nothing', '/api/metrics/nothing', '/api/metrics/mrr?at=never', '/api/audit/']
    for (const path of paths) expect((await service.app.request(path)).status, path).toBe(401)
    for (const method of ['PATCH', 'DELETE', 'OPTIONS'])
      expect((await service.app.request('/api/metrics/mrr', { method })).status, method).toBe(401)
    const headers = { authorization: `Bearer ${keys.read}` }
    expect((await service.app.request('/api/nothing', { headers })).status).toBe(404)
    expect((await service.app.request('/api/metrics/mrr', { method: 'DELETE', headers })).status).toBe(405)
  })

  it('is guarded under each spelling of its path', async () => {
    for (const path of [
      '/api/customers/',
      '/api/metrics/usage-revenue',
      '/api/metrics/usage_revenue/',
      '/api//customers',
      '//api/customers',
    ])
      expect([401, 404], path).toContain((await service.app.request(path)).status)
    expect((await service.app.request('/api/metrics/churn/revenue-events', { method: 'HEAD' })).status).toBe(401)
  })

  it('is guarded behind a path too, and not there outside of it', async () => {
    const limits = { body_bytes: 1_000 }
    const around = { engine: service.engine, version: '0', corsOrigins: [], limits, log: () => {} }
    const behind = createApp({ ...around, basePath: '/plumbline' })
    for (const operation of guarded) {
      const { url, init } = requestFor(operation)
      expect((await behind.request(`/plumbline${url}`, init)).status, url).toBe(401)
      expect((await behind.request(url, init)).status, url).toBe(url === '/metrics' ? 401 : 404)
    }
    const headers = { authorization: `Bearer ${keys.read}` }
    expect((await behind.request('/plumbline/api/metrics', { headers })).status).toBe(200)
    expect((await behind.request('/plumbline/api/nothing')).status).toBe(401)
  })

  it('reads no body before it knows who sends it', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(200_000) })
    const response = await service.app.request('/api/keys', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(401)
  })

  it('refuses a parameter that it does not know, by its name', async () => {
    // A platform may put something of its own behind these two.
    const others = ['/api/webhooks/{address}', '/api/connectors/{type}/oauth/callback']
    const api = operations.filter(({ path }) => /^\/(api|auth)\//.test(path) && !others.includes(path))
    expect(api.length).toBeGreaterThan(60)
    for (const operation of api) {
      const { url, init } = requestFor(operation)
      const sent = { ...init, headers: { ...init.headers, ...bearer(keys.admin).headers } }
      const { issues } = JSON.parse(await (await service.app.request(`${url}?nonsense=1`, sent)).text())
      const refused = { code: 'invalid_value', where: 'query.nonsense' }
      expect(issues, `${operation.method} ${operation.path}`).toContainEqual(expect.objectContaining(refused))
    }
  })

  it('keeps exchange rates, which all workspaces share, from who may only write in its own', async () => {
    const send = async (key: string) => {
      const body = new FormData()
      body.set('file', new Blob(['date,from,to,rate\n2026-01-01,XAU,USD,2000\n']), 'rates.csv')
      const init = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body }
      return (await service.app.request('/api/fx/rates/import', init)).json()
    }
    expect(await send(keys.write)).toMatchObject({ code: 'forbidden', required_scope: 'admin' })
    expect(await send(keys.admin)).toMatchObject({ rows_upserted: 1 })
  })

  it('makes no key of a field that it does not know', async () => {
    const response = await service.app.request('/api/keys', {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'short', expires: '2999-01-31', scope: 'read:aggregate' }),
    })
    expect(response.status).toBe(422)
    const { issues } = JSON.parse(await response.text())
    expect(issues.map(({ where }: { readonly where: string }) => where)).toEqual(['body.expires', 'body.scope'])
  })
})

describe('state that a user keeps', () => {
  it('is nobody else’s, an admin’s neither', async () => {
    const ask = async (credential: string, method: string, path: string, body?: unknown) => {
      const response = await service.app.request(path, {
        method,
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    const ann = await token({ sub: 'ann', plumbline_scope: 'write' })
    const { body: made } = await ask(ann, 'POST', '/api/dashboards', { name: 'Mine' })
    const path = `/api/dashboards/${made.id}`
    expect((await ask(await token({ sub: 'ann', plumbline_scope: 'read' }), 'GET', path)).body.name).toBe('Mine')
    for (const other of [keys.admin, keys.write, await token({ sub: 'anna' }), await token({ sub: 'oidc:ann' })]) {
      expect((await ask(other, 'GET', path)).status).toBe(404)
      expect((await ask(other, 'PUT', path, { name: 'Ours' })).status).toBe(404)
      expect((await ask(other, 'DELETE', path)).status).toBe(404)
      expect((await ask(other, 'GET', '/api/dashboards')).body).toEqual([])
    }
    expect((await ask(ann, 'DELETE', path)).status).toBe(200)
  })
})

describe('pages of other origins', () => {
  const writes = () => guarded.filter(({ method }) => method !== 'GET')
  const EVIL = 'https://evil.example'

  it('write nothing, with a stolen credential neither', async () => {
    for (const headers of [{ origin: EVIL }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const sent = { headers: { ...headers, authorization: `Bearer ${keys.admin}` } }
      expect(await answersTo(sent, writes())).toEqual({ '403 foreign_origin': writes().length })
      expect(await answersTo({ headers }, writes())).toEqual({ '401 missing': writes().length })
    }
  })

  it('are told by their browser to send no credential, unless the configuration names them', async () => {
    const preflight = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
      const { headers: answered } = await service.app.request('/api/customers', { method: 'OPTIONS', headers })
      return ['origin', 'headers', 'credentials'].map((name) => answered.get(`access-control-allow-${name}`))
    }
    expect(await preflight(EVIL)).toEqual([null, null, null])
    expect(await preflight(FRIEND)).toEqual([FRIEND, 'authorization', null])
    const read = async (origin: string) => {
      const response = await service.app.request('/api/metrics', { headers: { origin, authorization: `Bearer ${keys.read}` } })
      return response.headers.get('access-control-allow-origin')
    }
    expect([await read(EVIL), await read(FRIEND)]).toEqual([null, FRIEND])
  })

  it('find no cookie that signs anybody in', async () => {
    const others = guarded.filter(({ operationId, path }) => operationId !== 'start_consent' && !path.startsWith('/api/metrics/'))
    for (const operation of others.filter((_, index) => isInTurn(index, 5))) {
      const { url, init } = requestFor(operation)
      const headers = { ...init.headers, authorization: `Bearer ${keys.admin}` }
      const { headers: answered } = await service.app.request(url, { ...init, headers })
      expect(answered.get('set-cookie'), url).toBeNull()
    }
  })
})

describe('consents', () => {
  const admin = () => ({ authorization: `Bearer ${keys.admin}`, accept: 'application/json' })

  async function begin() {
    const started = await service.app.request('/api/connectors/toy/oauth/start', { headers: admin() })
    const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const { authorize_url } = (await started.json()) as { authorize_url: string }
    const sent = await fetch(authorize_url, { redirect: 'manual' })
    return { cookie, search: new URL(sent.headers.get('location') ?? '').search }
  }
  const end = (search: string, headers: Record<string, string>) =>
    service.app.request(`/api/connectors/toy/oauth/callback${search}`, { headers })

  it('end once, in the browser that began, at an address of this service', async () => {
    const { cookie, search } = await begin()
    expect((await end(search, {})).status).toBe(400)
    const again = await begin()
    expect((await end(again.search, { cookie })).status).toBe(400)
    const last = await begin()
    const ended = await end(`${last.search}&redirect_uri=https://evil.example&next=//evil.example`, {
      cookie: last.cookie,
      'x-forwarded-host': 'evil.example',
    })
    expect([ended.status, ended.headers.get('location')]).toEqual([302, '/?toy_connected=1'])
    expect((await end(last.search, { cookie: last.cookie })).status).toBe(400)
  })

  it.each(['//evil.example', '/\\evil.example', 'https:evil.example', '%2f%2fevil.example'])(
    'of no platform lead nowhere: %s',
    async (type) => {
      const response = await service.app.request(`/api/connectors/${encodeURIComponent(type)}/oauth/callback?state=x&code=y`)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.headers.get('location')).toBeNull()
    },
  )
})

describe('nobody can tell', () => {
  let other: GuardedService
  beforeAll(async () => {
    other = await openGuardedService()
  })
  afterAll(() => other.close())

  it('while the issuer is away: tokens are 503, keys go on', async () => {
    const { secret } = await other.makeKey(['admin'])
    const sent = await other.issuer.token({ plumbline_scope: 'admin' })
    await other.issuer.close()
    const ask = (credential: string) => other.app.request('/api/metrics', { headers: { authorization: `Bearer ${credential}` } })
    const refused = await ask(sent)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.text()).not.toContain('127.0.0.1')
    expect((await ask(secret)).status).toBe(200)
  })

  it('while the store is away: keys are 503, never let in', async () => {
    const { secret } = await other.makeKey(['admin'])
    // Each request reads the store again, which takes a while.
    const some = guarded.filter((_, index) => isInTurn(index, 7))
    expect(some.length).toBeGreaterThan(1)
    await breakStore(other)
    for (const operation of some) {
      const { url, init } = requestFor(operation)
      const headers = { ...init.headers, authorization: `Bearer ${secret}` }
      const response = await other.app.request(url, { ...init, headers })
      expect([response.status, response.headers.get('retry-after')], url).toEqual([503, '5'])
      // The caller is not known yet.
      expect(await response.text()).not.toMatch(/store\.db|select|sqlite/i)
    }
    expect((await other.app.request('/healthz')).status).toBe(200)
  })
})

/** Makes the file of the store one that is none. */
async function breakStore({ store, storeFile }: GuardedService): Promise<void> {
  await store.close()
  for (const ending of ['-wal', '-shm']) await rm(`${storeFile}${ending}`, { force: true })
  await writeFile(storeFile, 'no database at all'.repeat(1_000))
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthResource } from '../../src/auth/resource.ts'
import { AUTH_OFF, type AuthSettings, type Principal } from '../../src/core/auth.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { embeddedPlace, type StorePlace, WORKSPACE } from '../support/databases/store-places.ts'
import { AUDIENCE, makeIssuerKey, startToyIssuer, type ToyIssuer } from '../support/product/toy-issuer.ts'

const DISCOVERY = '/.well-known/openid-configuration'
const REQUEST = { path: 'GET /auth/me', remote_address: '192.0.2.1', request_id: 'r' }

let issuer: ToyIssuer
let place: StorePlace
let closing: (() => Promise<void>)[]

beforeEach(async () => {
  issuer = await startToyIssuer()
  place = await embeddedPlace()
  closing = [() => issuer.close(), () => place.remove()]
})
afterEach(async () => {
  for (const close of [...closing].reverse()) await close()
})

function open(settings: Partial<AuthSettings> = {}, options: { rotationMs?: number; retryAfterMs?: number } = {}) {
  const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  const usual = { ...AUTH_OFF, enabled: true, oidc_issuer: issuer.url, oidc_audience: AUDIENCE, oidc_client_id: 'page' }
  const failures: unknown[] = []
  const auth = createAuthResource(
    { settings: { ...usual, ...settings }, store, workspace: async () => WORKSPACE, onFailure: (error) => failures.push(error) },
    options,
  )
  closing.push(async () => {
    await auth.close()
    await store.close()
    expect(failures).toEqual([])
  })
  const signIn = (token: string) => auth.signIn(token, REQUEST)
  /** The principal of the token, or the reason why it is refused. */
  const outcome = (token: string): Promise<Principal | string> =>
    signIn(token).catch((error) => `${error.code} ${error.context?.reason ?? ''}`.trim())
  return { auth, signIn, outcome }
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds

describe('whom a token stands for', () => {
  it('is its subject, with what the issuer says of it', async () => {
    const { signIn } = open()
    const picture = 'https://id.example.com/ann.png'
    const token = await issuer.token({ email: 'ann@example.com', name: 'Ann', picture, plumbline_scope: 'write' })
    expect(await signIn(token)).toEqual({
      id: 'oidc:ann',
      kind: 'oidc',
      scopes: ['read:aggregate', 'read', 'write'],
      email: 'ann@example.com',
      name: 'Ann',
      avatar_url: picture,
    })
  })

  it.each([
    ['a name of another kind', { name: 7, email: null, picture: 'javascript:alert(1)' }],
    ['a picture without TLS', { picture: 'http://id.example.com/ann.png' }],
  ])('leaves out %s', async (_, claims) => {
    expect(await open().signIn(await issuer.token(claims))).toEqual({
      id: 'oidc:ann',
      kind: 'oidc',
      scopes: ['read:aggregate', 'read'],
    })
  })

  it('is nobody else, whatever the issuer calls it', async () => {
    const { signIn } = open()
    const ids = []
    for (const sub of ['anonymous', 'key:1', 'x'.repeat(129), 'x'.repeat(130)])
      ids.push((await signIn(await issuer.token({ sub }))).id)
    expect(ids.slice(0, 2)).toEqual(['oidc:anonymous', 'oidc:key:1'])
    for (const id of ids.slice(2)) expect(id).toMatch(/^oidc:sha256:[0-9a-f]{64}$/)
    expect(new Set(ids).size).toBe(4)
  })

  it('may do what the configured claim says, or else the default', async () => {
    const { outcome } = open({ oidc_scope_claim: 'https://example.com/scopes', oidc_default_scopes: ['read:aggregate'] })
    const scopes = async (claims: object) => ((await outcome(await issuer.token({ ...claims }))) as Principal).scopes
    expect(await scopes({ plumbline_scope: 'admin' })).toEqual(['read:aggregate'])
    expect(await scopes({ 'https://example.com/scopes': ['admin'] })).toEqual(['read:aggregate', 'read', 'write', 'admin'])
    const other = open({ oidc_scope_claim: 'constructor' })
    expect(((await other.outcome(await issuer.token())) as Principal).scopes).toEqual(['read:aggregate', 'read'])
  })
})

describe('times and audiences', () => {
  it('bears a clock that is a minute off', async () => {
    const { outcome } = open()
    expect(await outcome(await issuer.token({ exp: inSeconds(-50) }))).toMatchObject({ id: 'oidc:ann' })
    expect(await outcome(await issuer.token({ exp: inSeconds(-65) }))).toBe('unauthorized expired')
    expect(await outcome(await issuer.token({ nbf: inSeconds(50) }))).toMatchObject({ id: 'oidc:ann' })
    expect(await outcome(await issuer.token({ nbf: inSeconds(70) }))).toBe('unauthorized not_yet_valid')
  })

  it('takes ID tokens of its client where no audience is configured, and those that were made for it only', async () => {
    const { outcome } = open({ oidc_audience: undefined })
    const of = async (aud: unknown, azp?: string) => outcome(await issuer.token({ aud, azp }, { typ: 'JWT' }))
    expect(await of('page')).toMatchObject({ id: 'oidc:ann' })
    expect(await of(['other', 'page'], 'page')).toMatchObject({ id: 'oidc:ann' })
    expect(await of(['other', 'page'], 'other')).toBe('unauthorized wrong_audience')
    expect(await of(AUDIENCE)).toBe('unauthorized wrong_audience')
  })
})

describe('claims of a wrong type', () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['a number as subject', { sub: 42 }],
    ['a list as subject', { sub: ['bob'] }],
    ['an object as subject', { sub: { id: 'bob' } }],
    ['no subject', { sub: null }],
    ['an empty subject', { sub: '' }],
    ['a number among the audiences', { aud: [AUDIENCE, 42] }],
    ['a list of lists as audience', { aud: [[AUDIENCE], AUDIENCE] }],
    ['a text as its end', { exp: '9999999999' }],
    ['no end', { exp: null }],
    ['a text as its begin', { nbf: '0' }],
    ['nothing as its begin', { nbf: null }],
    ['a text as its time of issue', { iat: 'now' }],
    ['a negative time of issue', { iat: -1 }],
    ['a list as party', { azp: ['page'] }],
    ['a logout', { events }],
    ['an event of another kind', { events: {} }],
    ['no events', { events: null }],
  ])('refuses %s', async (_, claims) => {
    const { outcome } = open()
    for (const typ of ['at+jwt', 'JWT', undefined])
      expect(await outcome(await issuer.token(claims, { typ }))).toBe('unauthorized invalid_token')
  })

  it('refuses an issuer that is no text, and a header of wrong types', async () => {
    const { outcome } = open()
    expect(await outcome(await issuer.token({ iss: [issuer.url] }))).toBe('unauthorized wrong_issuer')
    expect(await outcome(await issuer.token({ aud: { name: AUDIENCE } }))).toBe('unauthorized wrong_audience')
    for (const header of [{ typ: 42 }, { typ: ['at+jwt'] }])
      expect(await outcome(await issuer.token({}, header))).toBe('unauthorized invalid_token')
    for (const kid of [42, ['first'], null]) expect(await outcome(await issuer.token({}, { kid }))).toMatch(/^unauthorized /)
  })

  it('has no end beyond all numbers', async () => {
    // JSON can write a number that no double holds.
    const [head = '', payload = ''] = (await issuer.token()).split('.')
    const text = Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"exp":\d+/, '"exp":1e999')
    const signing = new TextEncoder().encode(`${head}.${Buffer.from(text).toString('base64url')}`)
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', issuer.key.secret, signing)
    const token = `${new TextDecoder().decode(signing)}.${Buffer.from(signature).toString('base64url')}`
    expect(await open().outcome(token)).toBe('unauthorized invalid_token')
  })
})

describe('keys of the issuer', () => {
  it.each(['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'])('sign with %s', async (alg) => {
    const key = await makeIssuerKey('k', alg)
    issuer.show(key)
    expect(await open().outcome(await issuer.token({}, {}, key))).toMatchObject({ id: 'oidc:ann' })
  })

  it('rotate: a new one is found, one that was taken back is refused', async () => {
    const { outcome } = open({}, { rotationMs: 0 })
    const second = await makeIssuerKey('second')
    expect(await outcome(await issuer.token())).toMatchObject({ id: 'oidc:ann' })
    expect(await outcome(await issuer.token({}, {}, second))).toBe('unauthorized wrong_signature')
    issuer.show(issuer.key, second)
    expect(await outcome(await issuer.token({}, {}, second))).toMatchObject({ id: 'oidc:ann' })
    issuer.show(second)
    // A key that is not among them makes the service read the keys again.
    expect(await outcome(await issuer.token({}, {}, await makeIssuerKey('third')))).toBe('unauthorized wrong_signature')
    expect(await outcome(await issuer.token())).toBe('unauthorized wrong_signature')
    expect(issuer.asked.get(DISCOVERY)).toBe(1)
  })

  it('are not read again for each token that somebody makes up', async () => {
    const { outcome } = open()
    await outcome(await issuer.token())
    for (let tries = 0; tries < 20; tries++) {
      const foreign = await issuer.token({}, { kid: `made-up-${tries}` })
      expect(await outcome(foreign)).toBe('unauthorized wrong_signature')
    }
    expect(issuer.asked.get('/keys')).toBe(1)
  })

  it('are read once for all who come at the same time', async () => {
    const { outcome } = open()
    const token = await issuer.token()
    const all = await Promise.all(Array.from({ length: 50 }, () => outcome(token)))
    expect(all.every((each) => typeof each !== 'string')).toBe(true)
    expect([issuer.asked.get(DISCOVERY), issuer.asked.get('/keys')]).toEqual([1, 1])
  })

  it('are not asked for by what is not of this issuer', async () => {
    const { outcome } = open()
    expect(await outcome(await issuer.token({ iss: 'https://evil.example' }))).toBe('unauthorized wrong_issuer')
    expect(issuer.asked.size).toBe(0)
  })
})

describe('an issuer that cannot be asked', () => {
  const answerWith = (status: number, body: string, headers: Record<string, string> = {}) =>
    issuer.intercept((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
      return true
    })

  it('is asked again after a while, and not for each token before', async () => {
    const { outcome } = open({}, { retryAfterMs: 200 })
    const token = await issuer.token()
    answerWith(500, '{}')
    for (let tries = 0; tries < 10; tries++) expect(await outcome(token)).toBe('connector_unavailable')
    expect(issuer.asked.get(DISCOVERY)).toBe(1)
    issuer.intercept(undefined)
    await new Promise((wake) => setTimeout(wake, 250))
    expect(await outcome(token)).toMatchObject({ id: 'oidc:ann' })
  })

  it.each([
    ['calls itself something else', { issuer: 'https://id.example.com' }],
    ['calls itself the same with a slash', { issuer: undefined, slash: true }],
    ['names no keys', { jwks_uri: undefined }],
    ['names keys that are no address', { jwks_uri: 'keys' }],
  ])('because it %s is not believed', async (_, { slash, ...metadata }: Record<string, unknown>) => {
    issuer.claim(slash === true ? { issuer: `${issuer.url}/` } : metadata)
    expect(await open().outcome(await issuer.token())).toBe('connector_unavailable')
  })

  it.each([
    ['leads elsewhere', 302, '', { location: 'https://evil.example/' }],
    ['answers a page', 200, '<html>', { 'content-type': 'text/html' }],
    ['answers no JSON', 200, '{', {}],
  ])('because it %s is not believed', async (_, status, body, headers) => {
    answerWith(status, body, headers)
    expect(await open().outcome(await issuer.token())).toBe('connector_unavailable')
  })

  it('says nothing of addresses to those who ask', async () => {
    const { signIn } = open()
    const token = await issuer.token()
    issuer.claim({ issuer: 'https://id.example.com' })
    const error = await signIn(token).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'connector_unavailable', operatorDetail: expect.stringContaining(issuer.url) })
    expect(String((error as Error).message)).not.toMatch(/127\.0\.0\.1|example\.com/)
  })

  it('keeps nobody out whose keys are known', async () => {
    const { outcome } = open()
    const token = await issuer.token()
    expect(await outcome(token)).toMatchObject({ id: 'oidc:ann' })
    answerWith(500, '{}')
    expect(await outcome(await issuer.token({ sub: 'bob' }))).toMatchObject({ id: 'oidc:bob' })
  })
})

describe('sign-ins', () => {
  it('are recorded once for each token', async () => {
    const { auth, signIn } = open()
    const [one, other] = [await issuer.token({ jti: '1', name: 'Ann' }), await issuer.token({ jti: '2' })]
    for (const token of [one, one, other, one]) await signIn(token)
    await auth.flush()
    const { rows } = await auth.audit({ action: 'sign_in' })
    expect(rows).toHaveLength(2)
    expect(rows.at(-1)).toMatchObject({
      actor_id: 'oidc:ann',
      actor_kind: 'oidc',
      actor_name: 'Ann',
      remote_address: '192.0.2.1',
    })
  })

  it('that are refused become one event a minute for each reason and address', async () => {
    const { auth, outcome } = open()
    for (let tries = 0; tries < 50; tries++) await outcome(`pl_${'x'.repeat(43)}`)
    await outcome('nonsense')
    // Counts are written when the minute, or the service, ends.
    await auth.close()
    const { rows } = await auth.audit({ action: 'credential.refused' })
    const told = rows.map(({ target, count, outcome: end, status }) => [target, count, end, status])
    expect(told.sort()).toEqual([
      ['malformed', 1, 'refused', 401],
      ['unknown_key', 1, 'refused', 401],
      ['unknown_key', 49, 'refused', 401],
    ])
  })
})

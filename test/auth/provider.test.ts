import { allowInsecureRequests, calculatePKCECodeChallenge, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../support/product/openid-provider.ts'

const CLIENT = 'plumbline-page'
const AUDIENCE = 'https://plumbline.example.com'
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-one-of-those-43'
const REDIRECT = 'http://127.0.0.1:8000/'

let provider: OpenIdProvider
let service: GuardedService

/** A browser as far as a sign-in needs one: it follows redirections, keeps cookies and sends the forms that it is shown. */
async function signInAs(user: string): Promise<string> {
  const cookies = new Map<string, string>()
  const challenge = await calculatePKCECodeChallenge(VERIFIER)
  const query = { client_id: CLIENT, response_type: 'code', scope: 'openid email', redirect_uri: REDIRECT, state: 's' }
  const search = new URLSearchParams({ ...query, code_challenge: challenge, code_challenge_method: 'S256' })
  let next: { readonly url: string; readonly init: RequestInit } = { url: `${provider.url}/auth?${search}`, init: {} }
  for (let steps = 0; steps < 12; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next.url, { ...next.init, redirect: 'manual', headers: { ...next.init.headers, cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location?.startsWith(REDIRECT)) return new URL(location).searchParams.get('code') ?? ''
    if (location !== null) next = { url: new URL(location, next.url).href, init: {} }
    else next = formIn(await response.text(), next.url, user)
  }
  throw new Error('the sign-in did not come to an end')
}

function formIn(html: string, base: string, user: string) {
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
  const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({ prompt, login: user, password: 'any' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { url: new URL(action, base).href, init: { method: 'POST', body: body.toString(), headers } }
}

async function exchange(code: string, verifier = VERIFIER) {
  const issuer = new URL(provider.url)
  const found = await processDiscoveryResponse(issuer, await discoveryRequest(issuer, { [allowInsecureRequests]: true }))
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: CLIENT,
    redirect_uri: REDIRECT,
  })
  const response = await fetch(found.token_endpoint ?? '', { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const me = (token: string) => service.app.request('/auth/me', { headers: { authorization: `Bearer ${token}` } })

beforeAll(async () => {
  provider = await startOpenIdProvider({ client: CLIENT, audience: AUDIENCE, redirect: REDIRECT })
  service = await openGuardedService({ oidc_issuer: provider.url, oidc_audience: AUDIENCE, oidc_client_id: CLIENT })
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

it('a user who signs in at a certified provider is known here, and changes are recorded under that name', async () => {
  const config = (await (await service.app.request('/auth/config')).json()) as Record<string, string>
  expect(config).toEqual({ auth_enabled: true, oidc_issuer: provider.url, oidc_client_id: CLIENT })
  const { status, body } = await exchange(await signInAs('ann'))
  expect(status).toBe(200)
  const token = body['access_token'] ?? ''
  expect(await (await me(token)).json()).toMatchObject({
    id: 'oidc:ann',
    kind: 'oidc',
    scopes: ['read:aggregate', 'read', 'write'],
  })
  const definition = { root: { op: 'and', conditions: [{ field: 'customer_country', op: '=', value: 'DE' }] } }
  const made = await service.app.request('/api/segments', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': 'ann-1' },
    body: JSON.stringify({ name: 'Germany', definition }),
  })
  const { id } = (await made.json()) as { id: string }
  await service.engine.auth.flush()
  const { rows } = await service.engine.auth.audit({ actor_id: 'oidc:ann' })
  expect(rows.map(({ action, target, request_id }) => [action, target, request_id])).toEqual([
    ['segment.create', id, 'ann-1'],
    ['sign_in', null, expect.any(String)],
  ])
})

it('a code that was used, or is sent with another verifier, signs nobody in', async () => {
  const code = await signInAs('ann')
  expect((await exchange(code)).status).toBe(200)
  expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await exchange(await signInAs('ann'), `${VERIFIER}-not`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
})

it('its ID token, which is for the page, is none for the service', async () => {
  const { body } = await exchange(await signInAs('bob'))
  const response = await me(body['id_token'] ?? '')
  expect([response.status, ((await response.json()) as { reason: string }).reason]).toEqual([401, 'wrong_audience'])
})

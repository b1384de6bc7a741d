import { afterAll, beforeAll, expect, it } from 'vitest'
import { serviceOver } from '../http/recording-engine.ts'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

let service: GuardedService
beforeAll(async () => {
  service = await openGuardedService()
})
afterAll(() => service.close())

async function readyz(credential?: string, { app }: Pick<GuardedService, 'app'> = service) {
  const response = await app.request('/readyz', {
    headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` },
  })
  return { status: response.status, body: await response.json() }
}

it('says no more than a word to those who may not read', async () => {
  const numbers = await service.makeKey(['read:aggregate'])
  const revoked = await service.makeKey(['admin'], { revoked_at: new Date().toISOString() })
  for (const credential of [undefined, '', 'nonsense', numbers.secret, revoked.secret]) {
    expect(await readyz(credential), String(credential)).toEqual({ status: 200, body: { status: 'ok' } })
  }
})

it('says everything to those who may', async () => {
  const { secret } = await service.makeKey(['read'])
  expect(await readyz(secret)).toMatchObject({
    status: 200,
    body: { status: 'ok', checks: { replica: { ok: true }, store: { ok: true } } },
  })
})

it.each([
  ['replica', false, true],
  ['store', true, false],
])('names the %s where that is why', async (reason, replica, store) => {
  const checks = {
    replica: { ok: replica, role: 'unknown' as const, lag_seconds: null, version: '17.5', schema: 'killbill' },
    store: { ok: store },
  }
  const { app } = serviceOver({ readiness: async () => ({ status: 'unavailable', checks }), auth: service.engine.auth })
  expect(await readyz(undefined, { app } as never)).toEqual({ status: 503, body: { status: 'unavailable', reason } })
})

it('refused creations and revocations of keys are recorded, done ones once', async () => {
  const admin = await service.makeKey(['admin'])
  const deeds = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const request_id = `keys-${Math.random()}`
    const sent = {
      authorization: `Bearer ${admin.secret}`,
      'content-type': 'application/json',
      'x-request-id': request_id,
      ...headers,
    }
    await service.app.request(path, { method, headers: sent, ...(body === undefined ? {} : { body }) })
    await service.engine.auth.flush()
    const { rows } = await service.engine.auth.audit({ limit: '1000' })
    return rows
      .filter((row) => row.request_id === request_id)
      .map(({ action, target, outcome, status }) => [action, target, outcome, status])
  }
  expect(await deeds('POST', '/api/keys', '{"name":"", "scopes":["root"]}')).toEqual([['key.create', null, 'refused', 422]])
  expect(await deeds('POST', '/api/keys', '{')).toEqual([['key.create', null, 'refused', 400]])
  expect(await deeds('POST', '/api/keys', '{"name":"a"}', { origin: 'https://evil.example' })).toEqual([
    ['key.create', null, 'refused', 403],
  ])
  expect(await deeds('POST', '/api/keys', 'name=a', { 'content-type': 'text/plain' })).toEqual([
    ['key.create', null, 'refused', 415],
  ])
  expect(await deeds('DELETE', '/api/keys/nobody')).toEqual([['key.revoke', 'nobody', 'refused', 404]])
  expect(await deeds('POST', '/api/keys', '{"name":"a"}')).toEqual([['key.create', expect.any(String), 'ok', 201]])
  const { id } = await service.makeKey(['read'])
  expect(await deeds('DELETE', `/api/keys/${id}`)).toEqual([['key.revoke', id, 'ok', 200]])
})

it('so are those of the command line', async () => {
  const by = { actor: { id: 'cli', kind: 'anonymous' as const, name: null } }
  const { keys, flush, audit } = service.engine.auth
  await expect(keys.create({ name: '' }, by)).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(keys.revoke('none of these', by)).rejects.toMatchObject({ code: 'not_found' })
  await flush()
  const { rows } = await audit({ limit: '1000' })
  const own = rows
    .filter(({ actor_id }) => actor_id === 'cli')
    .map(({ action, target, outcome, status }) => [action, target, outcome, status])
  expect(own.toSorted()).toEqual([
    ['key.create', null, 'refused', null],
    ['key.revoke', 'none of these', 'refused', null],
  ])
})

import { randomUUID } from 'node:crypto'
import { createKey, digestOf, prefixOf } from '../../../src/auth/api-key.ts'
import { AUTH_OFF, type AuthSettings, type Scope } from '../../../src/core/auth.ts'
import type { StoredKey } from '../../../src/ports/auth-store.ts'
import { type Operation, operationsOf } from './api-operations.ts'
import { openSampleService } from './examples/sample-service.ts'
import { AUDIENCE, startToyIssuer, type ToyIssuer } from './toy-issuer.ts'

/** An origin whose pages may ask. */
export const FRIEND = 'https://app.example.com'
export const CLIENT_ID = 'plumbline-page'

export type GuardedService = Awaited<ReturnType<typeof openGuardedService>>

/** The service over the sample data that lets in only whom it knows, with an issuer of tokens. */
export async function openGuardedService(settings: Partial<AuthSettings> = {}) {
  const issuer: ToyIssuer = await startToyIssuer()
  const auth = {
    ...AUTH_OFF,
    enabled: true,
    oidc_issuer: issuer.url,
    oidc_audience: AUDIENCE,
    oidc_client_id: CLIENT_ID,
    ...settings,
  }
  const service = await openSampleService({ auth, corsOrigins: [FRIEND] })
  const [database] = await service.engine.sources.list()
  const workspace = `killbill:${database?.id}`
  const keysOf = (name: string) => {
    const keys = service.store.inWorkspace?.({ name, source_ids: [] }).keys
    if (keys === undefined) throw new Error('the store has no workspaces')
    return keys
  }
  const makeKey = async (scopes: readonly Scope[], rest: Partial<StoredKey> & { readonly workspace?: string } = {}) => {
    const { workspace: owner = workspace, ...others } = rest
    const secret = createKey()
    const made = { id: randomUUID(), name: scopes.join(), key_prefix: prefixOf(secret), scopes, created_by: 'test' }
    const dates = { created_at: new Date().toISOString(), last_used_at: null, expires_at: null, revoked_at: null }
    await keysOf(owner).create({ ...made, ...dates, ...others }, digestOf(secret), 1_000)
    return { secret, id: made.id }
  }
  const close = async () => {
    await service.close()
    await issuer.close()
  }
  return { ...service, issuer, workspace, keysOf, makeKey, close }
}

/** An operation with the scope that the document says it needs. */
export interface GuardedOperation extends Operation {
  readonly operationId: string
  readonly needs: Scope | 'public' | 'signed_in'
}

/** The operations of the service, by what `/openapi.json` says of them. */
export async function guardedOperations({ app }: Pick<GuardedService, 'app'>): Promise<readonly GuardedOperation[]> {
  const document = JSON.parse(await (await app.request('/openapi.json')).text())
  return operationsOf(document).map((operation) => {
    const described = document.paths[operation.path][operation.method.toLowerCase()]
    const isOpen = (described.security ?? document.security).length === 0
    const needs = isOpen ? 'public' : (described['x-required-scope'] ?? 'signed_in')
    return { ...operation, operationId: described.operationId, needs }
  })
}

/** A request that names something in every brace and has a body of the right type. */
export function requestFor({ method, path, body, isUpload }: Operation): { readonly url: string; readonly init: RequestInit } {
  const url = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ({ metric: 'mrr', field: 'plan_id', file: 'redoc' })[name] ?? 'nobody',
  )
  if (isUpload) {
    const form = new FormData()
    form.set('file', new Blob(['external,region\n']), 'a.csv')
    return { url, init: { method, body: form } }
  }
  if (body === undefined) return { url, init: { method, ...(method === 'GET' || method === 'DELETE' ? {} : JSON_INIT) } }
  return { url, init: { method, ...JSON_INIT } }
}

const JSON_INIT = { body: '{}', headers: { 'content-type': 'application/json' } }

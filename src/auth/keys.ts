import { randomUUID } from 'node:crypto'
import { SCOPES } from '../core/auth.ts'
import { AppError } from '../core/errors.ts'
import type { Actor, AuditEvent, StoredKey } from '../ports/auth-store.ts'
import { NEW_API_KEY } from '../workspace/records/api-key.ts'
import { createKey, digestOf, prefixOf } from './api-key.ts'
import { type AuthStores, instantNow } from './deps.ts'

/** Most active keys of a workspace. */
const MOST_KEYS = 1_000

/** An API key in an answer. */
export type ApiKey = Omit<StoredKey, 'created_by'>

/** A key that was just created, with its secret. */
export type NewApiKey = ApiKey & { readonly key: string }

/** The actor of a change, and the request that causes it. */
export interface Initiator {
  readonly actor: Actor
  readonly request?: Pick<AuditEvent, 'path' | 'remote_address' | 'request_id'> | undefined
}

/** The API keys (http-api.md 9). */
export interface KeyResource {
  /** Newest first, including revoked keys. */
  list(): Promise<readonly ApiKey[]>
  /** AppError `validation_failed`, `conflict`. */
  create(body: unknown, by: Initiator): Promise<NewApiKey>
  /** AppError `not_found`, also for a key that is already revoked. */
  revoke(id: string, by: Initiator): Promise<void>
}

/** Keys in the side store. `record` is called with every change. */
export function createKeyResource(openStores: () => Promise<AuthStores>, record: (event: AuditEvent) => void): KeyResource {
  const recordChange = (action: string, target: string | null, { actor, request }: Initiator, status: number) => {
    const { path = null, remote_address = null, request_id = null } = request ?? {}
    const outcome = status < 400 ? 'ok' : 'refused'
    const done = { outcome, status: request === undefined ? null : status, count: 1 } as const
    record({ at: instantNow(), actor, action, path, target, remote_address, request_id, ...done })
  }
  // The facade records refused requests, because some never reach this code.
  const recordRefusal = async <T>(action: string, target: string | null, by: Initiator, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      const isRefusal = error instanceof AppError && error.status < 500
      if (isRefusal && by.request === undefined) recordChange(action, target, by, error.status)
      throw error
    }
  }
  return {
    list: async () => (await (await openStores()).keys.list()).map(toAnswer),
    create: (body, by) => recordRefusal('key.create', null, by, create(body, by)),
    revoke: (id, by) => recordRefusal('key.revoke', id, by, revoke(id, by)),
  }

  async function create(body: unknown, by: Initiator): Promise<NewApiKey> {
    const { name, scopes = ['read'], expires_at } = NEW_API_KEY.parse(body)
    const secret = createKey()
    const key: StoredKey = {
      id: randomUUID(),
      name,
      key_prefix: prefixOf(secret),
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      created_by: by.actor.id,
      created_at: instantNow(),
      last_used_at: null,
      expires_at: typeof expires_at === 'string' ? new Date(expires_at).toISOString() : null,
      revoked_at: null,
    }
    await (await openStores()).keys.create(key, digestOf(secret), MOST_KEYS)
    recordChange('key.create', key.id, by, 201)
    return { ...toAnswer(key), key: secret }
  }

  async function revoke(id: string, by: Initiator): Promise<void> {
    const isRevoked = await (await openStores()).keys.revoke(id, instantNow())
    if (!isRevoked) throw new AppError('not_found', 'No active key has this id.')
    recordChange('key.revoke', id, by, 200)
  }
}

function toAnswer({ created_by: _, ...key }: StoredKey): ApiKey {
  return key
}

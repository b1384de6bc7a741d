import { randomUUID } from 'node:crypto'
import { SCOPES } from '../core/auth.ts'
import { AppError } from '../core/errors.ts'
import type { AuditEvent, StoredKey } from '../ports/auth-store.ts'
import { NEW_API_KEY } from '../workspace/records/api-key.ts'
import { createKey, digestOf, prefixOf } from './api-key.ts'
import { type AuthStores, instantNow } from './deps.ts'
import { changeRecorder, type Initiator } from './recorder.ts'

/** Most active keys of a workspace. */
const MOST_KEYS = 1_000

/** An API key in an answer. */
export type ApiKey = Omit<StoredKey, 'created_by'>

/** A key that was just created, with its secret. */
export type NewApiKey = ApiKey & { readonly key: string }

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
  const recorder = changeRecorder(record)
  return {
    list: async () => (await (await openStores()).keys.list()).map(toAnswer),
    create: (body, by) => recorder.refusal('key.create', null, by, create(body, by)),
    revoke: (id, by) => recorder.refusal('key.revoke', id, by, revoke(id, by)),
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
    recorder.change('key.create', key.id, by, 201)
    return { ...toAnswer(key), key: secret }
  }

  async function revoke(id: string, by: Initiator): Promise<void> {
    const isRevoked = await (await openStores()).keys.revoke(id, instantNow())
    if (!isRevoked) throw new AppError('not_found', 'No active key has this id.')
    recorder.change('key.revoke', id, by, 200)
  }
}

function toAnswer({ created_by: _, ...key }: StoredKey): ApiKey {
  return key
}

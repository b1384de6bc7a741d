import type { Principal, Scope } from '../core/auth.ts'

/** An API key without the key itself. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface StoredKey {
  readonly id: string
  readonly name: string
  /** Beginning of the key, so that people recognise it. */
  readonly key_prefix: string
  readonly scopes: readonly Scope[]
  /** Id of the principal that created the key. */
  readonly created_by: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** The API keys of a workspace. The store holds only the digest of each key. */
export interface KeyStore {
  /** Newest first, including revoked keys. */
  list(): Promise<readonly StoredKey[]>
  /** `digest`: SHA-256 of the key in hex. AppError `conflict` if the workspace already has `most` keys that are not revoked. */
  create(key: StoredKey, digest: string, most: number): Promise<void>
  /** The key with this digest, even if it is revoked or expired, and the stored digest. */
  find(digest: string): Promise<{ readonly key: StoredKey; readonly digest: string } | undefined>
  /** False if no key has this id, or the key is already revoked. */
  revoke(id: string, at: string): Promise<boolean>
  /** Records the last use of keys, by id. A use before the stored one changes nothing. */
  noteUses(uses: ReadonlyMap<string, string>): Promise<void>
}

/** The author of an action: a principal, or the command line of the machine. */
export interface Actor {
  readonly id: string
  readonly kind: Principal['kind'] | 'command_line'
  /** The name at the time of the action. */
  readonly name: string | null
}

export const OUTCOMES = ['ok', 'refused', 'failed'] as const

/** An action that was done or tried. It never holds a body or a secret. */
export interface AuditEvent {
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly at: string
  readonly actor: Actor
  /** The action, such as `segment.create`. */
  readonly action: string
  /** Method and path template of the operation, without parameter values. Null without a request. */
  readonly path: string | null
  /** The target: ids in the path, or the id of the created object. */
  readonly target: string | null
  readonly remote_address: string | null
  readonly request_id: string | null
  readonly outcome: (typeof OUTCOMES)[number]
  /** HTTP status. Null without a request. */
  readonly status: number | null
  /** Number of equal events that this one represents. */
  readonly count: number
}

export interface StoredEvent extends AuditEvent {
  readonly id: string
}

/** Filters of the audit log. Days are `YYYY-MM-DD` in UTC, both inclusive. A filter matches any of its values. */
export interface AuditQuery {
  readonly limit: number
  readonly offset: number
  readonly start: string | undefined
  readonly end: string | undefined
  readonly filters: ReadonlyMap<string, readonly string[]>
}

/** The audit log of a workspace. */
export interface AuditStore {
  add(events: readonly AuditEvent[]): Promise<void>
  /** Newest first. */
  page(query: AuditQuery): Promise<{ readonly total: number; readonly rows: readonly StoredEvent[] }>
  /** Deletes the events before an instant. */
  removeBefore(at: string): Promise<void>
}

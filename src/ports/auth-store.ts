import type { Principal, Scope } from '../core/auth.ts'

/** An API key without the key itself. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface StoredKey {
  readonly id: string
  readonly name: string
  /** Beginning of the key, by which people tell it from others. */
  readonly key_prefix: string
  readonly scopes: readonly Scope[]
  /** Id of who made it. */
  readonly created_by: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** The API keys of a workspace. Of each only the digest is kept. */
export interface KeyStore {
  /** The newest first, revoked ones too. */
  list(): Promise<readonly StoredKey[]>
  /** `digest`: SHA-256 of the key in hex. AppError `conflict` where there are `most` that are not revoked. */
  create(key: StoredKey, digest: string, most: number): Promise<void>
  /** The key of a digest, whatever became of it, with the digest that is kept. */
  find(digest: string): Promise<{ readonly key: StoredKey; readonly digest: string } | undefined>
  /** False where there is none of this id that is not revoked. */
  revoke(id: string, at: string): Promise<boolean>
  /** Notes when keys were used, by id; an earlier use than the one that is kept changes nothing. */
  noteUses(uses: ReadonlyMap<string, string>): Promise<void>
}

/** Who did something: a principal, or the command line of the machine. */
export interface Actor {
  readonly id: string
  readonly kind: Principal['kind'] | 'command_line'
  /** What people know it by, as it was called then. */
  readonly name: string | null
}

export const OUTCOMES = ['ok', 'refused', 'failed'] as const

/** Something that was done, or tried. It never holds a body or a secret. */
export interface AuditEvent {
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly at: string
  readonly actor: Actor
  /** What was done, such as `segment.create`. */
  readonly action: string
  /** Method and path of the operation, without the values in it; null where there was no request. */
  readonly path: string | null
  /** What it was done to: ids in the path, or of what was made. */
  readonly target: string | null
  readonly remote_address: string | null
  readonly request_id: string | null
  readonly outcome: (typeof OUTCOMES)[number]
  /** HTTP status; null where there was no request. */
  readonly status: number | null
  /** How many alike it stands for. */
  readonly count: number
}

export interface StoredEvent extends AuditEvent {
  readonly id: string
}

/** What narrows the audit log; days are `YYYY-MM-DD` in UTC, both included, the lists any of. */
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
  /** The newest first. */
  page(query: AuditQuery): Promise<{ readonly total: number; readonly rows: readonly StoredEvent[] }>
  /** Drops what was before an instant. */
  removeBefore(at: string): Promise<void>
}

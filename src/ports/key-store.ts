import type { Scope } from '../core/auth.ts'

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

/** What a credential allows, from the least to the most: `read:aggregate` sees numbers and no customers. */
export const SCOPES = ['read:aggregate', 'read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Who asks (http-api.md 9). `id` is what records of a user are kept under. */
export interface Principal {
  readonly id: string
  readonly kind: 'anonymous' | 'api_key' | 'oidc'
  readonly scopes: readonly Scope[]
  readonly email?: string
  readonly name?: string
  readonly avatar_url?: string
}

/** Everybody, where nobody signs in. */
export const ANONYMOUS: Principal = { id: 'anonymous', kind: 'anonymous', scopes: SCOPES }

/** Whoever asks for what is open to all, where others have to sign in. */
export const NOBODY: Principal = { ...ANONYMOUS, scopes: [] }

/** Those of the words that are scopes, each with all that it includes: whoever may write may read. */
export function scopesGranted(words: readonly unknown[]): readonly Scope[] {
  const most = Math.max(...words.map((word) => SCOPES.indexOf(word as Scope)), -1)
  return SCOPES.slice(0, most + 1)
}

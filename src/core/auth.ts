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

/** Who may ask: the section `auth` of the configuration. */
export interface AuthSettings {
  readonly enabled: boolean
  readonly oidc_issuer?: string | undefined
  /** Audience of tokens; absent: the client id. */
  readonly oidc_audience?: string | undefined
  readonly oidc_client_id?: string | undefined
  readonly oidc_scope_claim: string
  readonly oidc_default_scopes: readonly Scope[]
  /** Days that the audit log goes back. */
  readonly audit_days: number
}

/** Nobody signs in. */
export const AUTH_OFF: AuthSettings = {
  enabled: false,
  oidc_scope_claim: 'plumbline_scope',
  oidc_default_scopes: ['read'],
  audit_days: 400,
}

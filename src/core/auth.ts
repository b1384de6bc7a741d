/** Scopes from lowest to highest. Each includes those before it. `read:aggregate` sees totals only, no customer data. */
export const SCOPES = ['read:aggregate', 'read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** The caller (http-api.md 9). Records of a user are stored under `id`. */
export interface Principal {
  readonly id: string
  readonly kind: 'anonymous' | 'api_key' | 'oidc'
  readonly scopes: readonly Scope[]
  readonly email?: string
  readonly name?: string
  readonly avatar_url?: string
}

/** Every caller if authentication is off. */
export const ANONYMOUS: Principal = { id: 'anonymous', kind: 'anonymous', scopes: SCOPES }

/** A caller without a credential if authentication is on. */
export const NOBODY: Principal = { ...ANONYMOUS, scopes: [] }

/** The scopes among the words, with all scopes that they include. */
export function scopesGranted(words: readonly unknown[]): readonly Scope[] {
  const most = Math.max(...words.map((word) => SCOPES.indexOf(word as Scope)), -1)
  return SCOPES.slice(0, most + 1)
}

/** The section `auth` of the configuration. */
export interface AuthSettings {
  readonly enabled: boolean
  readonly oidc_issuer?: string | undefined
  /** Audience of tokens. Default: the client id. */
  readonly oidc_audience?: string | undefined
  readonly oidc_client_id?: string | undefined
  readonly oidc_scope_claim: string
  readonly oidc_default_scopes: readonly Scope[]
  /** Days that the audit log keeps events. */
  readonly audit_days: number
}

/** Authentication is off. */
export const AUTH_OFF: AuthSettings = {
  enabled: false,
  oidc_scope_claim: 'plumbline_scope',
  oidc_default_scopes: ['read'],
  audit_days: 400,
}

import type { Scope } from './principal.ts'

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

import * as z from 'zod'
import { AUTH_OFF, SCOPES } from '../../core/auth.ts'

/** On this machine an issuer may go without TLS. */
const ISSUER = /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))/

const name = z.string().min(1)

/** The section `auth`. */
export const authSection = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Whether requests need a credential'),
    oidc_issuer: z
      .string()
      .refine(
        isIssuer,
        'must be https://… without query, fragment and password, as the issuer names itself; http:// only on this machine',
      )
      .optional()
      .describe('OpenID Connect issuer whose tokens are taken, exactly as it names itself; absent: API keys only'),
    oidc_audience: name.optional().describe('Audience that a token must name; absent: oidc_client_id'),
    oidc_client_id: name.optional().describe('Client id with which people sign in on the page'),
    oidc_scope_claim: name.default(AUTH_OFF.oidc_scope_claim).describe('Claim of a token that holds its scopes'),
    oidc_default_scopes: z
      .array(z.enum(SCOPES, { error: `must be of ${SCOPES.join(', ')}` }))
      .default([...AUTH_OFF.oidc_default_scopes])
      .describe('Scopes of a token without that claim'),
    audit_days: z.int().min(1).max(36_500).default(AUTH_OFF.audit_days).describe('Days that the audit log goes back'),
  })
  .superRefine(({ oidc_issuer, oidc_audience, oidc_client_id }, context) => {
    if (oidc_issuer === undefined || oidc_audience !== undefined || oidc_client_id !== undefined) return
    const message = 'needs oidc_audience or oidc_client_id beside it: a token for anybody else would be taken'
    context.addIssue({ code: 'custom', path: ['oidc_issuer'], message })
  })

function isIssuer(text: string): boolean {
  if (!ISSUER.test(text) || !URL.canParse(text)) return false
  const { search, hash, username, password } = new URL(text)
  return `${search}${hash}${username}${password}` === ''
}

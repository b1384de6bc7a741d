import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import * as z from 'zod'
import type { AuthSettings } from '../core/auth.ts'
import { type Issuer, issuerDown } from './issuer.ts'
import { type Refusal, unauthorized } from './unauthorized.ts'

/** Only asymmetric algorithms: a key that verifies must not be able to sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Types of tokens that identify a user. The issuer's other tokens, such as logout tokens, identify nobody. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']
const TOLERANCE_SECONDS = 60

const instant = z.number().min(0)

/**
 * The claims that identify the user of a token, and their types. The library checks their values but accepts some wrong types. A
 * token with `events` reports an event, such as a logout (RFC 8417), whatever type its header names.
 */
const CLAIMS = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  exp: instant,
  nbf: instant.optional(),
  iat: instant.optional(),
  events: z.undefined().optional(),
})

/** The settings that tokens are verified against. */
export type TokenSettings = Pick<
  AuthSettings,
  'oidc_audience' | 'oidc_client_id' | 'oidc_scope_claim' | 'oidc_default_scopes'
> & { readonly oidc_issuer: string }

/** The claims of a verified token. */
export type VerifiedToken = JWTPayload & { readonly sub: string; readonly exp: number }

/** The claims of a token that the issuer has signed for this service. AppError `unauthorized`, `connector_unavailable`. */
export async function verifyToken(token: string, settings: TokenSettings, issuer: Issuer): Promise<VerifiedToken> {
  const { oidc_issuer, oidc_audience, oidc_client_id } = settings
  refuseAtSight(token, oidc_issuer)
  const keys = await issuer.keys()
  const audience = oidc_audience ?? oidc_client_id ?? ''
  const { payload } = await jwtVerify(token, keys, {
    issuer: oidc_issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'sub'],
  }).catch((error: unknown) => {
    throw isIssuerDown(error) ? issuerDown(oidc_issuer, error) : unauthorized(reasonOf(error), error)
  })
  const claims = CLAIMS.safeParse(payload)
  if (!claims.success) throw unauthorized('invalid_token', claims.error)
  const { sub, exp, azp } = claims.data
  // An ID token for several audiences was issued to its authorized party (`azp`).
  if (oidc_audience === undefined && azp !== undefined && azp !== oidc_client_id) throw unauthorized('wrong_audience')
  return { ...payload, sub, exp }
}

/** The scopes that a token claims: a list, or text divided by blanks. Without the claim, the default scopes. */
export function claimedScopes(payload: JWTPayload, { oidc_scope_claim, oidc_default_scopes }: TokenSettings): readonly unknown[] {
  const claim = Object.hasOwn(payload, oidc_scope_claim) ? payload[oidc_scope_claim] : undefined
  if (claim === undefined || claim === null) return oidc_default_scopes
  return typeof claim === 'string' ? claim.split(/[\s,]+/) : Array.isArray(claim) ? claim : []
}

/** Checks that need no key, so that foreign tokens do not make this service ask the issuer. */
function refuseAtSight(token: string, issuer: string): void {
  const { alg, typ } = read(() => decodeProtectedHeader(token))
  if (alg === undefined || !ALGORITHMS.includes(alg)) throw unauthorized('wrong_signature')
  if (!TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) throw unauthorized('invalid_token')
  if (read(() => decodeJwt(token)).iss !== issuer) throw unauthorized('wrong_issuer')
}

function read<T>(decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    throw unauthorized('malformed', cause)
  }
}

// Any other failure comes from the connection to the issuer, or from its answer.
function isIssuerDown(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC'
}

function reasonOf(error: unknown): Refusal {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed && error.reason !== 'invalid') {
    const claims: Readonly<Record<string, Refusal>> = { aud: 'wrong_audience', iss: 'wrong_issuer', nbf: 'not_yet_valid' }
    return claims[error.claim] ?? 'invalid_token'
  }
  const isMalformed = [errors.JWSInvalid, errors.JWTInvalid, errors.JWTClaimValidationFailed, errors.JOSENotSupported].some(
    (kind) => error instanceof kind,
  )
  return isMalformed ? 'invalid_token' : 'wrong_signature'
}

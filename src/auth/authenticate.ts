import { createHash } from 'node:crypto'
import { type AuthSettings, type Principal, scopesGranted } from '../core/auth.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import { onDemand } from '../core/on-demand.ts'
import type { KeyStore, StoredKey } from '../ports/auth-store.ts'
import { digestOf, isKey, isSameDigest, looksLikeKey } from './api-key.ts'
import { instantNow } from './deps.ts'
import type { Issuer } from './issuer.ts'
import type { TokenSettings, VerifiedToken } from './token.ts'
import { unauthorized } from './unauthorized.ts'

/** The compact form of a signed token. The signature may be empty: such a token is refused with its own reason. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/
const LONGEST_TOKEN = 16_384
/** Longest subject that an id contains unhashed. */
const SUBJECT_LENGTH = 128

/** The principal of a credential, and the key or token that identified it. */
export interface VerifiedCredential {
  readonly principal: Principal
  readonly key?: StoredKey
  readonly token?: VerifiedToken
}

interface AuthenticateParts {
  readonly settings: AuthSettings
  readonly keys: () => Promise<Pick<KeyStore, 'find'>>
  /** Undefined if no issuer is configured. */
  readonly issuer: (() => Promise<Issuer>) | undefined
}

/**
 * Finds the principal of a credential. AppError `unauthorized`, or `connector_unavailable` if the store or the issuer cannot be
 * reached.
 */
export function createAuthenticate(parts: AuthenticateParts): (credential: string | undefined) => Promise<VerifiedCredential> {
  const { settings, keys, issuer } = parts
  const tokens = settings.oidc_issuer === undefined ? undefined : { ...settings, oidc_issuer: settings.oidc_issuer }
  return async (credential) => {
    if (credential === undefined) throw unauthorized('missing')
    if (looksLikeKey(credential)) return byKey(credential, keys)
    if (tokens === undefined || issuer === undefined || !isToken(credential)) throw unauthorized('malformed')
    return byToken(credential, tokens, await issuer())
  }
}

async function byKey(credential: string, keys: AuthenticateParts['keys']): Promise<VerifiedCredential> {
  if (!isKey(credential)) throw unauthorized('malformed')
  const digest = digestOf(credential)
  const found = await lookUp(keys, digest)
  if (found === undefined || !isSameDigest(found.digest, digest)) throw unauthorized('unknown_key')
  const { key } = found
  if (key.revoked_at !== null) throw unauthorized('revoked')
  if (key.expires_at !== null && key.expires_at <= instantNow()) throw unauthorized('expired')
  const scopes = scopesGranted(key.scopes)
  return { key, principal: { id: `key:${key.id}`, kind: 'api_key', scopes, name: key.name } }
}

// Only operators see why the store is unreachable, because the caller is not authenticated yet.
async function lookUp(keys: AuthenticateParts['keys'], digest: string) {
  try {
    return await (await keys()).find(digest)
  } catch (cause) {
    if (!(cause instanceof AppError || cause instanceof ConfigurationError)) throw cause
    const operatorDetail = cause instanceof AppError ? cause.operatorDetail : cause.message
    throw new AppError('connector_unavailable', 'The store of API keys cannot be asked.', { cause, operatorDetail })
  }
}

const tokenProgram = onDemand(() => import('./token.ts'))

async function byToken(credential: string, settings: TokenSettings, issuer: Issuer): Promise<VerifiedCredential> {
  const { verifyToken, claimedScopes } = await tokenProgram()
  const token = await verifyToken(credential, settings, issuer)
  const { email, name, preferred_username, picture } = token
  const shown = textClaim(name) ?? textClaim(preferred_username)
  const address = textClaim(email)
  const avatar_url = pictureOf(picture)
  const principal: Principal = {
    id: idOf(token.sub),
    kind: 'oidc',
    scopes: scopesGranted(claimedScopes(token, settings)),
    ...(address === undefined ? {} : { email: address }),
    ...(shown === undefined ? {} : { name: shown }),
    ...(avatar_url === undefined ? {} : { avatar_url }),
  }
  return { token, principal }
}

function isToken(credential: string): boolean {
  return credential.length <= LONGEST_TOKEN && TOKEN.test(credential)
}

// The prefix prevents a subject chosen by the issuer from looking like a key or like the anonymous principal.
function idOf(subject: string): string {
  if (subject.length <= SUBJECT_LENGTH) return `oidc:${subject}`
  return `oidc:sha256:${createHash('sha256').update(subject).digest('hex')}`
}

function textClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

function pictureOf(claim: unknown): string | undefined {
  const address = textClaim(claim)
  return address !== undefined && URL.canParse(address) && new URL(address).protocol === 'https:' ? address : undefined
}

import { randomBytes } from 'node:crypto'
import type { Answer } from './accounting-api.ts'

export interface App {
  readonly clientId: string
  readonly clientSecret: string
  /** Addresses that the app may be sent back to. */
  readonly redirectUris: readonly string[]
}

/** Lives of tokens, in seconds. */
export interface Lives {
  readonly access: number
  readonly refresh: number
}

interface Grant {
  readonly realm: string
  readonly until: number
}

const CODE_SECONDS = 600

/** Intuit's authorisation server: codes once, refresh tokens rotated at once, so that one that was lost ends the connection. */
export function createAuthority(app: App, lives: Lives) {
  const codes = new Map<string, Grant & { readonly redirectUri: string }>()
  const accessTokens = new Map<string, Grant>()
  const refreshTokens = new Map<string, Grant>()
  const grantedTo = (realm: string, seconds: number): Grant => ({ realm, until: Date.now() + seconds * 1000 })
  const counts = { refreshes: 0, refused: 0 }

  function grant(realm: string) {
    const tokens = { access_token: token('access'), refresh_token: token('refresh') }
    accessTokens.set(tokens.access_token, grantedTo(realm, lives.access))
    refreshTokens.set(tokens.refresh_token, grantedTo(realm, lives.refresh))
    return { token_type: 'bearer', expires_in: lives.access, x_refresh_token_expires_in: lives.refresh, ...tokens }
  }

  function exchanged(form: URLSearchParams): Answer {
    const kind = form.get('grant_type')
    if (kind === 'authorization_code') {
      const code = take(codes, form.get('code'))
      if (code?.redirectUri === form.get('redirect_uri') && code !== undefined) return { status: 200, body: grant(code.realm) }
    }
    if (kind === 'refresh_token') {
      const used = take(refreshTokens, form.get('refresh_token'))
      if (used !== undefined) {
        counts.refreshes += 1
        return { status: 200, body: grant(used.realm) }
      }
    }
    counts.refused += 1
    return { status: 400, body: { error: 'invalid_grant', error_description: 'Incorrect or expired token' } }
  }

  return {
    /** How often tokens were renewed, and how often that was refused. */
    counts,
    /** The code for a company's consent. */
    consent(realm: string, redirectUri: string): string {
      const code = token('code')
      codes.set(code, { ...grantedTo(realm, CODE_SECONDS), redirectUri })
      return code
    },
    allows: (clientId: string | null, redirectUri: string | null) =>
      clientId === app.clientId && redirectUri !== null && app.redirectUris.includes(redirectUri),
    grant,
    token: (authorization: string | undefined, form: URLSearchParams): Answer =>
      isApp(authorization) ? exchanged(form) : { status: 401, body: { error: 'invalid_client' } },
    /** Ends the connection of the company that a token is of. */
    revoke(authorization: string | undefined, given: string | null): Answer {
      if (!isApp(authorization)) return { status: 401, body: { error: 'invalid_client' } }
      const found = refreshTokens.get(given ?? '') ?? accessTokens.get(given ?? '')
      if (found === undefined) return { status: 400, body: { error: 'invalid_request' } }
      for (const tokens of [accessTokens, refreshTokens]) {
        for (const [key, { realm }] of tokens) if (realm === found.realm) tokens.delete(key)
      }
      return { status: 200, body: {} }
    },
    /** The company that an access token opens now. */
    realmOf(authorization: string | undefined): string | undefined {
      const found = accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '')
      return found === undefined || found.until <= Date.now() ? undefined : found.realm
    },
    /** Lets every access token be refused from now on. */
    expireAccess: () => accessTokens.clear(),
    expireRefresh: () => refreshTokens.clear(),
  }

  function isApp(authorization: string | undefined): boolean {
    const expected = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')
    return authorization === `Basic ${expected}`
  }
}

export type Authority = ReturnType<typeof createAuthority>

function take<T extends Grant>(from: Map<string, T>, key: string | null): T | undefined {
  const found = from.get(key ?? '')
  from.delete(key ?? '')
  return found === undefined || found.until <= Date.now() ? undefined : found
}

function token(kind: string): string {
  return `${kind}-${randomBytes(16).toString('hex')}`
}

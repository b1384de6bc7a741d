import type { TokenEndpointResponse } from 'oauth4webapi'
import * as z from 'zod'
import { reconnectNeeded, type Secrets } from '../../../src/connector-kit/index.ts'

/** Tokens of a connection in their sealed form. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
const TOKEN_SET = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  access_expires_at: z.string(),
  /** Null if Intuit gave no time. */
  refresh_expires_at: z.string().nullable(),
})
export type TokenSet = z.output<typeof TOKEN_SET>

const DEFAULT_LIFE_SECONDS = 3600

/** The tokens among a source's secrets. If there are none, the error asks for a new consent. */
export function tokenSetOf(secrets: Secrets): TokenSet {
  const parsed = TOKEN_SET.safeParse(secrets)
  if (parsed.success) return parsed.data
  throw reconnectNeeded('The source has no QuickBooks tokens: connect it again.')
}

/** The tokens in an answer of the token endpoint. If it has no refresh token, the present refresh token stays in force. */
export function grantedTokens(answer: TokenEndpointResponse, present: TokenSet | undefined, now: Date): TokenSet {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
  const refreshToken = answer.refresh_token ?? present?.refresh_token
  if (refreshToken === undefined) throw reconnectNeeded('Intuit granted no refresh token: connect the company again.')
  const refreshSeconds = Number(answer['x_refresh_token_expires_in'])
  return {
    access_token: answer.access_token,
    refresh_token: refreshToken,
    access_expires_at: after(answer.expires_in ?? DEFAULT_LIFE_SECONDS),
    refresh_expires_at: refreshSeconds > 0 ? after(refreshSeconds) : (present?.refresh_expires_at ?? null),
  }
}

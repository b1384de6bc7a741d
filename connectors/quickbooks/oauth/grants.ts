import * as oauth from 'oauth4webapi'
import pRetry from 'p-retry'
import { AppError, reconnectNeeded } from '../../../src/connector-kit/index.ts'
import type { Pacing } from '../pacing.ts'
import type { Credentials } from '../settings.ts'
import type { Discover } from './authorization-server.ts'
import { grantedTokens, type TokenSet } from './token-set.ts'

/**
 * Longest time of one request. Even with two more attempts, a renewal takes less than the minute for which the store blocks other
 * renewals.
 */
const PATIENCE_MS = 10_000

/** Requests to Intuit's authorisation server. */
export interface Grants {
  /** Tokens for the code that the browser brought back. AppError `invalid_value` if Intuit refuses it. */
  exchange(callback: URLSearchParams): Promise<TokenSet>
  /**
   * Requests the next tokens. The present tokens are then used up. If Intuit no longer accepts them, the error asks for a new
   * consent.
   */
  refresh(present: TokenSet): Promise<TokenSet>
  /** Ends the connection on Intuit's side. A token that is already void is no error. */
  revoke(present: TokenSet): Promise<void>
}

/** OAuth 2.0 with the client's secret in the header, as Intuit requires. Intuit does not support PKCE. */
export function createGrants(
  discover: Discover,
  credentials: Credentials,
  pacing: Pick<Pacing, 'requestMs' | 'firstWaitMs'>,
): Grants {
  const client: oauth.Client = { client_id: credentials.clientId }
  const secret = basicOf(credentials)

  async function ask<T>(work: (server: oauth.AuthorizationServer, options: RequestOptions) => Promise<T>): Promise<T> {
    const server = await discover()
    // Intuit's own addresses are https. The settings allow http on this machine only.
    const isInsecure = server.token_endpoint?.startsWith('http:') === true
    return work(server, {
      [oauth.allowInsecureRequests]: isInsecure,
      signal: () => AbortSignal.timeout(Math.min(PATIENCE_MS, pacing.requestMs)),
    })
  }

  return {
    exchange: (callback) =>
      ask(async (server, options) => {
        const parameters = oauth.validateAuthResponse(server, client, callback, oauth.skipStateCheck)
        const { redirectUri } = credentials
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          secret,
          parameters,
          redirectUri,
          oauth.nopkce,
          options,
        )
        return grantedTokens(await oauth.processAuthorizationCodeResponse(server, client, answer), undefined, new Date())
      }).catch((error: unknown) => {
        throw exchangeFailure(error)
      }),
    refresh: (present) =>
      // Intuit answers a repeated refresh with the same token for a while, so a lost answer may be requested again.
      pRetry(
        () =>
          ask(async (server, options) => {
            const answer = await oauth.refreshTokenGrantRequest(server, client, secret, present.refresh_token, options)
            return grantedTokens(await oauth.processRefreshTokenResponse(server, client, answer), present, new Date())
          }).catch((error: unknown) => {
            throw refreshFailure(error)
          }),
        { retries: 2, minTimeout: pacing.firstWaitMs, randomize: true, shouldRetry: ({ error }) => isPassing(error) },
      ),
    revoke: (present) =>
      ask(async (server, options) => {
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, secret, present.refresh_token, options),
        )
      }).catch((error: unknown) => {
        if (!isRefused(error)) throw unreachable(error)
      }),
  }
}

interface RequestOptions {
  readonly [oauth.allowInsecureRequests]: boolean
  readonly signal: () => AbortSignal
}

/** Follows Intuit's reference, which does not escape id and secret first. The standard would require it. */
function basicOf({ clientId, clientSecret }: Credentials): oauth.ClientAuth {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return (_server, _client, _body, headers) => headers.set('authorization', authorization)
}

function exchangeFailure(cause: unknown): unknown {
  if (cause instanceof AppError) return cause
  if (cause instanceof oauth.AuthorizationResponseError)
    return new AppError('invalid_value', `Intuit did not grant the connection (${cause.error}).`, { cause })
  if (cause instanceof oauth.ResponseBodyError && cause.error === 'invalid_grant')
    return new AppError('invalid_value', 'Intuit does not accept this code: it is used up or too old. Connect again.', { cause })
  return clientFailure(cause) ?? unreachable(cause)
}

function refreshFailure(cause: unknown): Error {
  if (cause instanceof AppError) return cause
  if (cause instanceof oauth.ResponseBodyError && cause.error === 'invalid_grant')
    return reconnectNeeded('Intuit no longer accepts the refresh token: connect the company again.', cause)
  return clientFailure(cause) ?? unreachable(cause)
}

function clientFailure(cause: unknown): AppError | undefined {
  if (!isRefused(cause)) return undefined
  const detail = 'Intuit does not accept the app: check quickbooks.client_id, client_secret and redirect_uri.'
  return new AppError('connector_unavailable', detail, { cause, context: { refused: true } })
}

function isRefused(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError
}

function unreachable(cause: unknown): AppError {
  return new AppError('connector_unavailable', "Intuit's authorisation server did not answer as expected.", { cause })
}

/** True if another attempt may succeed: the error is neither a refusal nor a spent token. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.context['needs_reconnect'] !== true && error.context['refused'] !== true
}

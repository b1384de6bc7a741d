import pRetry from 'p-retry'
import { AppError } from '../../../src/connector-kit/index.ts'
import type { Tokens } from '../oauth/tokens.ts'
import type { Pacing } from '../pacing.ts'
import { attempt, PassingError, UnauthorizedError } from './attempt.ts'
import type { Turns } from './queue.ts'

/** The first minor version of the API that answers for all companies. */
const MINOR_VERSION = '75'

/** The accounting API of one company. */
export interface Client {
  /** An answer as JSON with numbers as text. AppError `connector_unavailable` after a limited number of retries. GoneError for a deleted record. */
  get(path: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>
}

/** A client that respects Intuit's limits, renews a refused token once, and retries passing faults. */
export function createClient(company: {
  readonly apiUrl: string
  readonly realmId: string
  readonly tokens: Tokens
  readonly turns: Turns
  readonly pacing: Pacing
}): Client {
  const { apiUrl, realmId, tokens, turns, pacing } = company

  const inTurn = (address: URL, token: string, signal: AbortSignal) =>
    turns.take(() => attempt(address, token, pacing, signal), signal)

  async function authorized(address: URL, signal: AbortSignal): Promise<unknown> {
    const token = await tokens.access()
    try {
      return await inTurn(address, token, signal)
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      return await inTurn(address, await tokens.renewed(token), signal)
    }
  }

  return {
    async get(path, parameters, callers) {
      // A separate signal: a caller's signal may be shared by many requests, and each of them would add a listener.
      const signal = AbortSignal.any([callers])
      const address = new URL(`${apiUrl}/v3/company/${encodeURIComponent(realmId)}/${path}`)
      address.search = new URLSearchParams({ ...parameters, minorversion: MINOR_VERSION }).toString()
      try {
        return await pRetry(() => authorized(address, signal), {
          retries: pacing.retries,
          minTimeout: pacing.firstWaitMs,
          randomize: true,
          signal,
          onFailedAttempt: ({ error }) => {
            if (error instanceof PassingError && error.waitMs !== undefined) turns.hold(error.waitMs)
          },
          shouldRetry: ({ error }) => error instanceof PassingError,
        })
      } catch (cause) {
        throw lastFailure(cause)
      }
    },
  }
}

function lastFailure(cause: unknown): unknown {
  if (cause instanceof PassingError) {
    return new AppError('connector_unavailable', `QuickBooks did not answer: ${cause.message}.`, { cause })
  }
  if (cause instanceof UnauthorizedError) {
    return new AppError('connector_unavailable', 'QuickBooks refuses the access token, also a new one.', { cause })
  }
  return cause
}

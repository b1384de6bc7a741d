import { parse } from 'lossless-json'
import type { Pacing } from '../pacing.ts'
import { faultIn, refusal } from './fault.ts'

/** The access token was refused. */
export class UnauthorizedError extends Error {
  override readonly name = 'UnauthorizedError'
}

/** A failure that another attempt may overcome: no answer, a cut answer, too many requests, a fault on Intuit's side. */
export class PassingError extends Error {
  override readonly name = 'PassingError'
  /** The wait that Intuit asks for, milliseconds. */
  readonly waitMs: number | undefined

  constructor(message: string, options: { readonly cause?: unknown; readonly waitMs?: number } = {}) {
    super(message, { cause: options.cause })
    this.waitMs = options.waitMs
  }
}

/** Sends one request and reads the whole answer: JSON with numbers as text. PassingError, UnauthorizedError, GoneError, or AppError for a final failure. */
export async function attempt(address: URL, accessToken: string, pacing: Pacing, signal: AbortSignal): Promise<unknown> {
  const { status, headers, text } = await send(address, accessToken, pacing.requestMs, signal)
  if (status === 401) throw new UnauthorizedError('QuickBooks refused the access token.')
  if (status === 429) throw new PassingError('too many requests (429)', { waitMs: throttleOf(headers, pacing) })
  if (status >= 500) throw new PassingError(`status ${status}`)
  const body = parsed(text)
  const fault = faultIn(body)
  if (status !== 200 || fault !== undefined) throw refusal(status, fault, headers.get('intuit_tid'))
  if (body === undefined) throw new PassingError('an answer that is no JSON, or was cut off')
  return body
}

async function send(address: URL, accessToken: string, requestMs: number, signal: AbortSignal) {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  try {
    const answer = await fetch(address, {
      headers,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (cause) {
    signal.throwIfAborted()
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    throw new PassingError(isLate ? `no answer within ${requestMs / 1000} s` : 'the connection failed', { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` is seconds or an HTTP date. */
function throttleOf(headers: Headers, { throttledMs, longestThrottleMs }: Pacing): number {
  const given = headers.get('retry-after')
  if (given === null) return throttledMs
  const asked = /^\d+$/.test(given.trim()) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(asked) ? throttledMs : Math.min(Math.max(asked, 0), longestThrottleMs)
}

/**
 * JSON with its numbers as text, digit by digit as they were sent, because a double would not hold every amount. SyntaxError if the text is
 * not JSON, for instance because the answer was cut off.
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, { parseNumber: (digits) => digits })
}

import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import type { Beat } from './liveness.ts'

/** Times that work is tried, the first one included. */
const ATTEMPTS = 5

export interface RetryOptions {
  /** The pause after the first failure. Each further failure doubles it. */
  readonly pauseMs: number
  readonly beat: Beat
  readonly signal: AbortSignal
  /** Called with each failure after which the work is tried again. */
  readonly onRetry: (error: unknown) => void
  /** Called after a failure that may pass. False: the work is not tried again. */
  readonly isWorth?: () => boolean
}

/**
 * True for a failure that may pass by itself: a standby has cancelled a statement to apply its primary's changes, an administrator has
 * ended the session, or the connection was lost.
 */
export function mayPass(error: unknown): boolean {
  return error instanceof AppError && error.code === 'connector_unavailable'
}

/** Does the work. After a failure that may pass, it pauses and tries again. */
export async function retried<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { pauseMs, beat, signal, onRetry, isWorth = () => true } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (attempt === ATTEMPTS || !mayPass(error) || !isWorth()) throw error
      onRetry(error)
      beat()
      await setTimeout(pauseMs * 2 ** (attempt - 1), undefined, { signal })
      beat()
    }
  }
}

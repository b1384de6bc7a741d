import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'

/** A table is made in at most this many tries. */
const TRIES = 4
const PAUSE_MS = 2_000

interface Again {
  /** Removes what the failed try has left. */
  readonly drop: () => Promise<void>
  /** Called with each failure after which the table is made again. */
  readonly onRetry: (error: unknown) => void
  /** Pause before the second try, milliseconds. Later ones are longer. */
  readonly pauseMs?: number
}

/** Makes a table again, from nothing, if a server was lost meanwhile. Any other failure ends it. */
export async function tried(
  make: () => Promise<void>,
  { drop, onRetry, pauseMs = PAUSE_MS }: Again,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (attempt === 1 ? make() : drop().then(make))
    } catch (error) {
      const isWorth = error instanceof AppError && error.code === 'connector_unavailable' && attempt < TRIES
      if (!isWorth) throw error
      onRetry(error)
    }
    await sleep(pauseMs * attempt, undefined, { signal })
  }
}

import { unlessAborted } from '../../core/async.ts'

/** Milliseconds after which the next reading begins although the previous one has not ended. */
const PATIENCE_MS = 1_000

/**
 * Shares readings. All callers who come while one runs share the next one, so no result is older than its call. A reading that hangs
 * delays the next one by a second only.
 */
export function freshReading<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    const reading = read()
    running = reading
    return reading
  }
  return () => {
    next ??= ended(running).then(begin)
    return next
  }
}

/** Resolves when the reading has ended, failed or taken too long. */
async function ended(reading: Promise<unknown> | undefined): Promise<void> {
  if (reading !== undefined) await unlessAborted(reading, AbortSignal.timeout(PATIENCE_MS)).catch(() => {})
}

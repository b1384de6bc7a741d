import { unlessAborted } from '../../core/async.ts'

/** How long a reading is waited for before the next one begins beside it, milliseconds. */
const PATIENCE_MS = 1_000

/**
 * The reading, shared: whoever asks while one runs gets the next one, together with all others, so that nobody is told anything older
 * than the question, and one reading after the other serves them all. A reading that hangs holds up those behind it for a second only.
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

/** Resolves when the reading has ended either way, or when the patience with it has. */
async function ended(reading: Promise<unknown> | undefined): Promise<void> {
  if (reading !== undefined) await unlessAborted(reading, AbortSignal.timeout(PATIENCE_MS)).catch(() => {})
}

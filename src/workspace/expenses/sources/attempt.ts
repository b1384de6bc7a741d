import { AppError } from '../../../core/errors.ts'
import { isReconnectNeeded } from '../../../ports/accounting.ts'
import type { InboxEntry, Outcome } from '../../../ports/source-store.ts'
import type { Connectors } from './connectors.ts'
import { failureText, instantIn, type SourceStores } from './deps.ts'

const MINUTE_MS = 60_000
/** What a notification waits after each attempt that failed; after the last one it is a dead letter (http-api.md 8). */
const BACK_OFF_MINUTES: readonly number[] = [1, 5, 30, 120, 720]

/**
 * Fetches what a notification is about and writes it; what came of it. Done twice it changes nothing, so that it may be done again when the
 * process ends before the outcome is kept.
 */
export async function attempt(
  stores: SourceStores,
  connectors: Connectors,
  entry: InboxEntry,
  signal: AbortSignal,
): Promise<{ readonly outcome: Outcome; readonly failure?: unknown }> {
  try {
    const source = await stores.sources.get(entry.source_id)
    if (source?.status !== 'connected') return { outcome: { kind: 'released' } }
    const records = await connectors.withConnector(stores, source, (connector) => connector.fetchAndTranslate(entry, signal))
    if (records.length > 0) await stores.write({ source_id: source.id, records })
    return { outcome: { kind: 'done' } }
  } catch (failure) {
    return { outcome: outcomeOf(failure, entry.attempts), failure }
  }
}

/** What is done with an entry after an attempt that failed, having been tried so often before. */
export function outcomeOf(failure: unknown, attempts: number): Outcome {
  if (isReconnectNeeded(failure)) return { kind: 'released' }
  const error = failureText(failure)
  const minutes = BACK_OFF_MINUTES[attempts]
  // What was translated into a value that there is not comes out the same the next time.
  const isFinal = failure instanceof AppError && failure.code === 'canonical_enum_violation'
  return minutes === undefined || isFinal ? { kind: 'dead', error } : { kind: 'later', at: instantIn(minutes * MINUTE_MS), error }
}

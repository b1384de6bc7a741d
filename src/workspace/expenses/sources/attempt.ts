import { AppError } from '../../../core/errors.ts'
import { isReconnectNeeded } from '../../../ports/accounting.ts'
import type { InboxEntry, Outcome } from '../../../ports/source-store.ts'
import type { Connectors } from './connectors.ts'
import { failureText, instantIn, type SourceStores } from './deps.ts'

const MINUTE_MS = 60_000
/** Wait after each failed attempt. After the last attempt the notification becomes a dead letter (http-api.md 8). */
const BACK_OFF_MINUTES: readonly number[] = [1, 5, 30, 120, 720]

/**
 * Fetches the record of a notification, writes it and returns the outcome. If the process ends before the outcome is stored, the
 * attempt is repeated. That is safe, because a repetition changes nothing.
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

/** The outcome of an entry after a failed attempt. `attempts` is the number of earlier attempts. */
export function outcomeOf(failure: unknown, attempts: number): Outcome {
  if (isReconnectNeeded(failure)) return { kind: 'released' }
  const error = failureText(failure)
  const minutes = BACK_OFF_MINUTES[attempts]
  // If a record has an invalid value, the next attempt would fail in the same way.
  const isFinal = failure instanceof AppError && failure.code === 'canonical_enum_violation'
  return minutes === undefined || isFinal ? { kind: 'dead', error } : { kind: 'later', at: instantIn(minutes * MINUTE_MS), error }
}

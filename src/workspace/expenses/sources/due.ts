import type { AccountingPlatform } from '../../../ports/accounting.ts'
import type { StoredSource, SyncRun } from '../../../ports/source-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Pause after a failed run. */
const PAUSE_MS = 10 * MINUTE_MS

/** The run that a source needs now. Undefined if it needs none. */
type Due = Pick<SyncRun, 'kind' | 'since'> | undefined

/**
 * Chooses the run. A run that was cut off is resumed. A source that was never read gets a backfill. If `syncMinutes` have passed
 * since the last run, its changes are read. If the platform does not list changes that far back, the source gets a new backfill.
 */
export function dueRun(
  source: StoredSource,
  last: SyncRun | undefined,
  { syncMinutes, changesReachDays }: Pick<AccountingPlatform, 'syncMinutes' | 'changesReachDays'>,
  now: number,
): Due {
  if (source.status !== 'connected') return undefined
  if (last?.status === 'running') return isHeld(last, now) ? undefined : last
  if (syncMinutes === 0) return undefined
  if (last?.status === 'failed' && now - Date.parse(last.finished_at ?? last.started_at) < PAUSE_MS) return undefined
  if (source.cursor === null) return { kind: 'backfill', since: last?.kind === 'backfill' ? last.since : null }
  const readTo = Date.parse(source.last_synced_at ?? source.cursor)
  if (now - readTo < syncMinutes * MINUTE_MS) return undefined
  // The margin of one day covers the overlap, and platforms that count days differently.
  const isReached = now - Date.parse(source.cursor) < (changesReachDays - 1) * DAY_MS
  return { kind: isReached ? 'changes' : 'backfill', since: null }
}

/** Whether a process is working on a run. */
export function isHeld({ status, held_until }: SyncRun, now: number): boolean {
  return status === 'running' && held_until !== null && Date.parse(held_until) > now
}

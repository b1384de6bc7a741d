import type { AccountingPlatform } from '../../../ports/accounting.ts'
import type { StoredSource, SyncRun } from '../../../ports/source-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** How long a run that failed is let alone. */
const PAUSE_MS = 10 * MINUTE_MS

/** Which run a source needs now, if any. */
type Due = Pick<SyncRun, 'kind' | 'since'> | undefined

/**
 * Goes on with what was cut off; reads everything of a source that was never read, and changes when `syncMinutes` have passed since the last
 * time; everything again where the platform lists changes no longer that far back.
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
  // A day is left for the overlap, and for a platform that counts otherwise.
  const isReached = now - Date.parse(source.cursor) < (changesReachDays - 1) * DAY_MS
  return { kind: isReached ? 'changes' : 'backfill', since: null }
}

/** Whether a process works on a run now. */
export function isHeld({ status, held_until }: SyncRun, now: number): boolean {
  return status === 'running' && held_until !== null && Date.parse(held_until) > now
}

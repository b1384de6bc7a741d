import { AppError } from '../../core/errors.ts'
import type { Copied } from '../../ports/session.ts'
import type { ReplicaLag } from '../../ports/snapshot.ts'
import type { Warning } from '../../query/warning.ts'
import type { ReplicaPolicy } from '../dependencies.ts'

/**
 * True if the replica is further behind than allowed, or if its lag is not known. A server that hides its role counts as a replica only
 * if `lag_policy` is `refuse`.
 */
export function isLagging(replicaLag: ReplicaLag, policy: ReplicaPolicy): boolean {
  if (replicaLag.tooOld !== undefined) return true
  if (replicaLag.lag_seconds !== null) return replicaLag.lag_seconds > policy.max_lag_seconds
  return replicaLag.role === 'replica' || (isUndisclosed(replicaLag) && policy.lag_policy === 'refuse')
}

/** True if the server hides whether it is a replica or a primary, and its lag is not known. */
export function isUndisclosed({ role, lag_seconds, doubt }: ReplicaLag): boolean {
  return role === 'unknown' && lag_seconds === null && doubt !== null
}

/** Returns the warning `replica_lagging`. Throws AppError `replica_lagging` if `lag_policy` is `refuse`. */
export function judgeLag(replicaLag: ReplicaLag, policy: ReplicaPolicy): readonly Warning[] {
  if (!isLagging(replicaLag, policy)) return []
  const message = lagSentence(replicaLag, policy)
  if (policy.lag_policy === 'warn') return [{ code: 'replica_lagging', message }]
  throw new AppError('replica_lagging', message, {
    ...(replicaLag.tooOld === undefined && {
      context: { lag_seconds: replicaLag.lag_seconds, limit_seconds: policy.max_lag_seconds },
    }),
  })
}

/** Says how far the replica is behind, and the limit. */
export function lagSentence(replicaLag: ReplicaLag, { max_lag_seconds }: Pick<ReplicaPolicy, 'max_lag_seconds'>): string {
  return replicaLag.tooOld ?? `The replica is ${lagPhrase(replicaLag)}; the limit is ${max_lag_seconds} s.`
}

/** `400 s behind (replay is paused)`, `behind by an unknown time (…)`. */
export function lagPhrase({ lag_seconds, doubt }: ReplicaLag): string {
  const behind = lag_seconds === null ? 'behind by an unknown time' : `${lag_seconds} s behind`
  return doubt === null ? behind : `${behind} (${doubt})`
}

/**
 * Instant up to which an answer is complete (`…Z`, milliseconds): now, or the instant that a replica has surely reached. Null: a replica
 * whose lag is not known.
 */
export function dataThrough(replicaLag: ReplicaLag, now: Date): string | null {
  const reached = reachedBy(replicaLag, now)
  if (reached === null) return null
  return (reached < now ? reached : now).toISOString()
}

/**
 * The lag of a copy of the engine's data. It is complete up to the instant that the copy is known to have reached, and too old if something that was due
 * by `now` has not come. Without a copy it is the lag of the server.
 */
export function lagWithCopy(replicaLag: ReplicaLag, copied: Copied | undefined, now: Date): ReplicaLag {
  if (copied === undefined) return replicaLag
  const reached = reachedBy(replicaLag, now)
  const through = copied.through === null ? null : parseInstant(copied.through)
  const first = reached === null || through === null ? null : new Date(Math.min(reached.getTime(), through.getTime()))
  const { due } = copied
  const isStopped = replicaLag.tooOld === undefined && due !== undefined && parseInstant(due.at) < now
  return {
    ...replicaLag,
    ...(first === null ? { role: 'replica', data_through: null } : { data_through: first.toISOString() }),
    ...(isStopped && {
      tooOld: `The copy of the billing data has not received ${due.subject}, which was due by ${parseInstant(due.at).toISOString()}. Its newest change is of ${through?.toISOString() ?? 'an unknown time'}. Check the process that fills it.`,
    }),
  }
}

function reachedBy({ role, lag_seconds, data_through }: ReplicaLag, now: Date): Date | null {
  if (data_through !== null) return parseInstant(data_through)
  if (lag_seconds !== null) return new Date(now.getTime() - lag_seconds * 1000)
  return role === 'replica' ? null : now
}

function parseInstant(text: string): Date {
  return new Date(`${text.replace(' ', 'T').replace(/(Z|\+00(:?00)?)$/, '')}Z`)
}

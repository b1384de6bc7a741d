import { AppError } from '../core/errors.ts'
import type { Warning } from '../query/warning.ts'
import type { ReplicaPolicy } from './dependencies.ts'
import type { ReplicaState } from './ports.ts'

/** True when the replica is further behind than allowed. */
export function isLagging(state: ReplicaState, policy: ReplicaPolicy): boolean {
  return state.lag_seconds !== null && state.lag_seconds > policy.max_lag_seconds
}

/** Warning `replica_lagging`, or AppError of that code where the policy refuses. */
export function judgeLag(state: ReplicaState, policy: ReplicaPolicy): readonly Warning[] {
  if (!isLagging(state, policy)) return []
  const message = `The replica is ${state.lag_seconds} s behind; the limit is ${policy.max_lag_seconds} s.`
  if (policy.lag_policy === 'warn') return [{ code: 'replica_lagging', message }]
  throw new AppError('replica_lagging', message, {
    context: { lag_seconds: state.lag_seconds, limit_seconds: policy.max_lag_seconds },
  })
}

/** Instant up to which an answer is complete: now, or what a replica that is behind has reached (`…Z`, milliseconds). */
export function dataThrough(state: ReplicaState, now: Date): string {
  const reached = state.data_through === null ? now : parseInstant(state.data_through)
  return (reached < now ? reached : now).toISOString()
}

function parseInstant(text: string): Date {
  return new Date(`${text.replace(' ', 'T').replace(/(Z|\+00(:?00)?)$/, '')}Z`)
}

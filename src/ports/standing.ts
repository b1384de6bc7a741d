import { InternalError } from '../core/errors.ts'
import type { Executor } from './executor.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/** How a server stands to its primary. A lag of null is none on a primary, and not known elsewhere. */
export interface Standing {
  readonly role: 'replica' | 'primary' | 'unknown'
  /** Whole seconds behind the primary; 0 of a replica that has applied all it was sent and still listens. */
  readonly lag_seconds: number | null
  /** UTC instant up to which the replica has surely applied the primary's writes; null on a primary, and where it is not known. */
  readonly data_through: string | null
  /** Half a sentence: what keeps the replica from being known as up to date; null where nothing does. */
  readonly doubt: string | null
}

/** How a server stands that follows no other. */
export const PRIMARY: Standing = { role: 'primary', lag_seconds: null, data_through: null, doubt: null }

/**
 * Runs `work` in one snapshot, with how its server stood just before the snapshot began. It is read on the same connection and outside of
 * the snapshot: inside, a standby could tell of more than the snapshot shows.
 */
export function withStanding<T>(
  executor: Pick<Executor, 'withSnapshot'>,
  work: (snapshot: Snapshot, standing: Standing) => Promise<T>,
  options: SnapshotOptions = {},
): Promise<T> {
  let known: Standing | undefined
  const onStanding = (standing: Standing) => {
    known = standing
  }
  return executor.withSnapshot(
    async (snapshot) => {
      if (known === undefined) throw new InternalError('A snapshot began before anybody knew how its server stands.')
      return work(snapshot, known)
    },
    { ...options, onStanding },
  )
}

/** Why a request was left to the replica. */
export type Reason =
  /** Nobody has told the cache to fill itself. */
  | 'not_started'
  /** The cache is being filled, or its filling has failed. */
  | 'not_filled'
  /** The replica could not be asked for what has changed. */
  | 'refresh_failed'
  /** The changes reach every account, so the cache is filled anew. */
  | 'outdated'
  /** The rows of the cache are not right for the instant of the request. */
  | 'now_out_of_range'
  /** A statement of the cache's database has failed, or the product's own code has. */
  | 'failed'
  /** The filling that was to answer has been dropped in the meantime. */
  | 'dropped'
  /** The request waited longer than a statement may take. */
  | 'waited_too_long'
  /** The process is ending. */
  | 'closing'

/** Counts how many requests the cache has answered and declined, by reason. */
export interface Counters {
  count(outcome: 'answered' | Reason): void
  figures(): { readonly answered: number; readonly declined: Readonly<Record<string, number>> }
}

/** Begins with all counts at zero. */
export function createCounters(): Counters {
  let answered = 0
  const declined = new Map<Reason, number>()
  return {
    count(outcome) {
      if (outcome === 'answered') answered += 1
      else declined.set(outcome, (declined.get(outcome) ?? 0) + 1)
    },
    figures: () => ({ answered, declined: Object.fromEntries(declined) }),
  }
}

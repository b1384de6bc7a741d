import { type LogState, settle, topsOf } from './change-log.ts'

/** Seconds after which a transaction that a server does not tell about is taken to have ended. */
export const LONGEST_TRANSACTION_SECONDS = 86_400
/** A number may be taken a moment before its transaction is known to the server. */
const UNKNOWN_SECONDS = 60
/** One place is remembered so often at most. */
const EVERY_SECONDS = 30

interface Place {
  readonly tops: ReadonlyMap<string, number>
  readonly seconds: number
  readonly next: bigint | null
}

/**
 * Remembers where the logs stood, and settles them up to there once every transaction of that time has ended: from then on no row
 * with a lower number can appear. `seconds` is a clock that only runs forward.
 */
export function createSettling(seconds: () => number): (state: LogState) => LogState {
  let places: Place[] = []
  return (state) => {
    const now = seconds()
    const { transactions } = state
    const isOver = (place: Place): boolean => {
      const age = now - place.seconds
      if (transactions === null || place.next === null) return age >= LONGEST_TRANSACTION_SECONDS
      return age >= UNKNOWN_SECONDS && transactions.oldest >= place.next
    }
    const over = places.findLast(isOver)
    if (over !== undefined) places = places.slice(places.indexOf(over) + 1)
    const settled = over === undefined ? state : settle(state, over.tops)
    const last = places.at(-1)
    if (last === undefined || now - last.seconds >= EVERY_SECONDS) {
      places.push({ tops: topsOf(settled), seconds: now, next: transactions?.next ?? null })
    }
    return settled
  }
}

import { advanceLowMark, type LogState, topsOf } from './change-log.ts'

/** Seconds after which a transaction counts as ended if the server does not report it. */
export const LONGEST_TRANSACTION_SECONDS = 86_400
/** Shortest wait in any case, seconds: a number may be taken a moment before the server knows its transaction. */
const UNKNOWN_SECONDS = 60
/** Shortest time between two remembered positions, seconds. */
const EVERY_SECONDS = 30

interface Place {
  readonly tops: ReadonlyMap<string, number>
  readonly seconds: number
  readonly next: bigint | null
}

/**
 * Remembers the positions of the logs, and advances the low mark to a position once every transaction of that time has ended. From then on,
 * no row with a lower number can appear. `seconds` is a clock that only runs forward.
 */
export function createWatermark(seconds: () => number): (state: LogState) => LogState {
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
    const advanced = over === undefined ? state : advanceLowMark(state, over.tops)
    const last = places.at(-1)
    if (last === undefined || now - last.seconds >= EVERY_SECONDS) {
      places.push({ tops: topsOf(advanced), seconds: now, next: transactions?.next ?? null })
    }
    return advanced
  }
}

import type { LogMarks } from './change-log.ts'
import { type Reading, secondsBetween } from './clock.ts'
import type { ServerState } from './server-state.ts'
import { advanceTo } from './watched.ts'

/** Seconds after which a transaction counts as ended if the server does not report it. */
export const LONGEST_TRANSACTION_SECONDS = 86_400
/** Shortest wait in any case, seconds: a number may be taken a moment before the server knows its transaction. */
const UNKNOWN_SECONDS = 60
/** Shortest time between two places, seconds. */
const EVERY_SECONDS = 30
/** Shortest time between two places if the server does not report its transactions. */
const EVERY_SECONDS_UNREPORTED = 3_600
/** Most places. The second oldest of more is left out, because it only delays what the next one settles. */
const MOST_PLACES = 40

/** The highest numbers of the logs in an earlier snapshot. */
interface Place {
  /** By log. Logs without rows to settle are left out. */
  readonly tops: Readonly<Record<string, number>>
  /** Seconds that have passed since, at the reading of `Settling`. */
  readonly age: number
  /** Number of the first transaction that began later. Null if the server does not report it. */
  readonly next: string | null
}

/** Places of the logs whose transactions may still be open. It is JSON. */
export interface Settling {
  readonly places: readonly Place[]
  readonly read: Reading
}

/** Marks and places after settling. `isMoved`: a mark has advanced, or there is a new place. */
interface Settled {
  readonly marks: LogMarks
  readonly settling: Settling
  readonly isMoved: boolean
}

/**
 * Advances the low mark of each log to a place once every transaction of that time has ended. From then on, no row with a lower number can
 * appear. Remembers where the logs are now, to settle that later. `server` is the state in the snapshot of the marks, `read` the clocks at its
 * begin.
 */
export function settle(marks: LogMarks, before: Settling | undefined, { transactions }: ServerState, read: Reading): Settled {
  const passed = before === undefined ? 0 : secondsBetween(before.read, read)
  const places = (before?.places ?? []).map((place) => ({ ...place, age: place.age + passed }))
  const isOver = ({ age, next }: Place): boolean => {
    if (transactions === null || next === null) return age >= LONGEST_TRANSACTION_SECONDS
    return age >= UNKNOWN_SECONDS && transactions.oldest >= BigInt(next)
  }
  const over = places.findLastIndex(isOver)
  const advanced = over === -1 ? marks : advance(marks, places[over]?.tops ?? {})
  const left = places.slice(over + 1)
  const tops = unsettled(advanced)
  const last = left.at(-1)
  const every = transactions === null ? EVERY_SECONDS_UNREPORTED : EVERY_SECONDS
  const isDue = last === undefined ? Object.keys(tops).length > 0 : last.age >= every && !isSame(last.tops, tops)
  if (isDue) left.push({ tops, age: 0, next: transactions === null ? null : String(transactions.next) })
  if (left.length > MOST_PLACES) left.splice(1, 1)
  return { marks: advanced, settling: { places: left, read }, isMoved: over !== -1 || isDue }
}

function advance(marks: LogMarks, tops: Place['tops']): LogMarks {
  const watched = Object.entries(marks.watched).map(
    ([table, known]) => [table, advanceTo(known, tops[table] ?? known.low)] as const,
  )
  return { ...marks, watched: Object.fromEntries(watched) }
}

/** The highest number of each log with rows that may settle. */
function unsettled({ watched }: LogMarks): Place['tops'] {
  const tops = Object.entries(watched).flatMap(([table, { low, from, top }]) => (low < from - 1 ? [[table, top] as const] : []))
  return Object.fromEntries(tops)
}

function isSame(a: Place['tops'], b: Place['tops']): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

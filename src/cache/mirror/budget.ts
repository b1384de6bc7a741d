import { Shortage } from '../../core/errors.ts'
import { bytesText } from '../../core/machine-room.ts'
import type { CacheRoom } from '../../ports/cache-database.ts'

/*
 * Work that stores rows of many customers is stopped before the disk or the memory is full. The work goes through the customers in parts. After
 * each part, its growth so far shows what the rest needs. The first customers are the oldest, so they have the most rows, and a measurement
 * is rough. So the work is stopped only if a share of that need has no room either. The less is measured, the smaller is the share.
 */

/** Share of the customers from which on a quarter of the projected need must have room, and before it, a tenth. */
const MEASURED = 0.1
const PART = { early: 0.1, usual: 0.25 }
/** The least bytes that a customer takes in a file. One of the generated databases takes thirty times as much. */
const LEAST_BYTES = 100

/** The rows have no room. Nothing has failed yet. */
export class NoRoom extends Shortage {
  readonly place: CacheRoom['place']

  constructor(room: CacheRoom, what: string, need: number) {
    const tell = TEXTS[room.place]
    const figures = `${what} needs about ${bytesText(need)} more, and ${bytesText(room.free)} are free`
    super(tell('', figures), { operatorDetail: tell(`, at ${room.directory},`, figures) })
    this.place = room.place
  }
}

const OFF = 'or set cache.mode to off.'
const TEXTS: Readonly<Record<CacheRoom['place'], (at: string, figures: string) => string>> = {
  file: (at, figures) =>
    `The disk of the cache${at} is too small: ${figures}. Free space on it, set cache.directory to a directory on a larger one, ${OFF}`,
  memory: (at, figures) =>
    `The memory of the cache with the disk beyond it${at} is too small: ${figures}. Raise cache.memory_mb, set cache.directory to a directory on a larger disk, ${OFF}`,
  machine: (_, figures) =>
    `The memory of this machine is too small: ${figures}. Lower cache.memory_mb, so that the rest goes to the disk, ${OFF}`,
}

/** The room after some customers. */
interface Point {
  readonly customers: number
  readonly taken: number
}

/** Bytes that the rest needs if it grows as the later half of the measured customers did. Undefined: too little is measured. */
export function projectedNeed(points: readonly Point[], of: number): number | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first === last) return undefined
  const before = points.filter(({ customers }) => customers <= Math.max(last.customers / 2, first.customers))
  const from = before.at(-1)?.customers ?? 0
  const growth = Math.max(0, last.taken - Math.max(...before.map(({ taken }) => taken)))
  return (growth / (last.customers - from)) * (of - last.customers)
}

/** Watches one piece of work. */
export interface Budget {
  /** Before the work. `earlier` is the room of an equal work that has ended. NoRoom if the rows of this one certainly do not fit. */
  begin(room: CacheRoom, earlier?: CacheRoom): void
  /** After a part. `customers` counts those that are done. NoRoom if the rest does not fit. */
  advance(room: CacheRoom, customers: number): void
}

/** The budget of work on `of` customers. `what` names it in the error. */
export function createBudget(what: string, of: number): Budget {
  const points: Point[] = []
  let before = Number.POSITIVE_INFINITY
  return {
    begin(room, earlier) {
      // The earlier file also has room that deleted rows have left.
      const known = earlier?.place === 'file' && room.place === 'file' ? earlier.taken : 0
      const least = Math.max(of * LEAST_BYTES, known * PART.usual)
      if (least > room.free) throw new NoRoom(room, what, Math.max(least, known))
    },
    advance(room, customers) {
      // In memory, tables that a part has made for a moment count too. A low point has the least of them.
      const taken = room.place === 'file' ? room.taken : Math.min(room.taken, before)
      before = room.taken
      points.push({ customers, taken })
      const need = projectedNeed(points, of) ?? 0
      const part = customers < of * MEASURED ? PART.early : PART.usual
      if (need * part > room.free) throw new NoRoom(room, what, need)
    },
  }
}

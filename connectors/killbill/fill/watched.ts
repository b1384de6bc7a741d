/** Number of a log's newest rows whose prints are compared at every look. */
const NEWEST = 32
/** Most prints that are compared. More than `NEWEST` are compared if rows came late, or many came at once. */
const MOST = 256

/** The result of a look at a log: the number of rows above its low mark, the sum of their numbers, and the sum of the newest prints. */
export interface Mark {
  readonly count: number
  readonly sum: bigint
  readonly print: number
}

/**
 * A log is complete up to `low`. Above `low`, each row is remembered by its number and a print of its identity. The database
 * gives numbers before the commit (KB 1.1), so rows with lower numbers may come later. A database that replaces this one may give
 * the same number to another row.
 */
export interface Watched {
  readonly low: number
  /** Prints by number. */
  readonly seen: ReadonlyMap<number, number>
  /** At every look, the prints of the rows from this number on are compared. */
  readonly from: number
  readonly mark: Mark
}

/**
 * Begins to watch a log above `low`. `latest` are the numbers of the rows that the last look found new. Their prints are compared
 * too, because a restored database lacks the rows that were committed last.
 */
export function watch(low: number, seen: ReadonlyMap<number, number>, latest: Iterable<number> = []): Watched {
  const numbers = [...seen.keys()].sort((a, b) => b - a)
  let wanted = numbers[NEWEST - 1] ?? low + 1
  for (const number of latest) if (number < wanted) wanted = number
  return watchFrom(low, seen, Math.max(wanted, numbers[MOST - 1] ?? low + 1))
}

/** The log with its low mark advanced to `top`, except for the rows whose prints are compared. */
export function advanceTo(known: Watched, top: number): Watched {
  const low = Math.min(top, known.from - 1)
  if (low <= known.low) return known
  return watchFrom(low, new Map([...known.seen].filter(([number]) => number > low)), known.from)
}

/** The highest number seen. */
export function topOf({ low, seen }: Watched): number {
  let top = low
  for (const number of seen.keys()) if (number > top) top = number
  return top
}

/** True if a look finds the same rows as before. */
export function isUnchanged({ mark }: Watched, now: Mark): boolean {
  return mark.count === now.count && mark.sum === now.sum && mark.print === now.print
}

/** True if a row seen before is gone, or its number belongs to another row. */
export function isContradicted({ seen }: Watched, now: ReadonlyMap<number, number>): boolean {
  for (const [number, print] of seen) if (now.get(number) !== print) return true
  return false
}

function watchFrom(low: number, seen: ReadonlyMap<number, number>, from: number): Watched {
  let sum = 0n
  let prints = 0
  for (const [number, print] of seen) {
    sum += BigInt(number)
    if (number >= from) prints += print
  }
  return { low, seen, from, mark: { count: seen.size, sum, print: prints } }
}

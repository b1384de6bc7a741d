/** Number of a log's newest rows whose prints are compared at every look. */
const NEWEST = 32
/** Most prints that are compared. More than `NEWEST` are compared if many rows came at once. */
const MOST_NEWEST = 256
/** Most rows with a lower number, committed late, whose prints are compared. */
const MOST_LATE = 64
/** Newest numbers whose rows are all counted at every look. Of earlier numbers, only the zones are. */
const TAIL = 1_000
/** Most zones. If there are more, the closest ones become one. */
const MOST_ZONES = 200
/** Number of zones that are left then. */
const ZONES_LEFT = 150
/** Most rows that a new process compares, to recognize the database. */
const MOST_PROBES = 16
/** Distance between two such rows. */
const PROBE_DISTANCE = 1_000

/** A row by its number and the print of its identity. */
export type Printed = readonly [number: number, print: number]

/** Numbers without a row: the first one, and how many there are. */
export type Gap = readonly [from: number, length: number]

/**
 * Numbers of which some have a row: the first number, how many numbers, how many rows, and the sum of the rows' distances from the first
 * number.
 */
export type Zone = Gap | readonly [from: number, length: number, rows: number, distances: number]

/**
 * The known rows of a log. The database gives numbers before the commit (KB 1.1), so a row may come later than one with a higher number.
 * It then takes a number that no row had.
 *
 *     ─────── low ──── zones ──── tail ─── gaps ─── from ─────── top ───
 *     complete    watched in zones   counted in whole   prints compared
 *
 * - Up to `low` no row can come any more.
 * - Up to `tail` a row can only come in one of `zones`. There is a row for each number between the zones.
 * - From `tail` to `top` there is a row for each number outside `gaps`.
 * - At every look the prints of the rows from `from` on, and those of `late`, are compared. A database that replaces this one lacks the rows
 *   that were committed last, or has other rows with their numbers.
 *
 * Its size depends on the number of gaps, not on the number of rows. It is JSON.
 */
export interface Watched {
  readonly low: number
  readonly tail: number
  readonly top: number
  readonly zones: readonly Zone[]
  readonly gaps: readonly Gap[]
  readonly from: number
  /** Sum of the prints of the rows from `from` to `top`. */
  readonly print: number
  /** Rows that the last look with new rows found in zones, most of them if they are many. */
  readonly late: readonly Printed[]
  /** Some rows of the whole log. A new process compares them. */
  readonly probes: readonly Printed[]
}

/** Number of rows, and the sum of their numbers. */
export interface Tally {
  readonly count: number
  readonly sum: bigint
}

/** A log whose rows up to `low` need no watch. None of the later ones has been seen. */
export function watchAbove(low: number, probes: readonly Printed[] = []): Watched {
  return { low, tail: low, top: low, zones: [], gaps: [], from: low + 1, print: 0, late: [], probes }
}

/** The known rows above the tail. */
export function tallyOfTail({ tail, top, gaps }: Watched): Tally {
  return less(tallyOfNumbers(tail + 1, top), gaps.map(tallyOfGap))
}

/** The known rows in zones. */
export function tallyOfZone([from, , rows = 0, distances = 0]: Zone): Tally {
  return { count: rows, sum: BigInt(from) * BigInt(rows) + BigInt(distances) }
}

/** The known rows of the stretch from the first zone to the tail, and the number just before that stretch. */
export function watchedStretch({ low, tail, zones }: Watched): { readonly above: number; readonly tally: Tally } {
  const above = Math.min(low, (zones[0]?.[0] ?? low + 1) - 1)
  const missing = zones.map((zone) => less(tallyOfGap(zone), [tallyOfZone(zone)]))
  return { above, tally: less(tallyOfNumbers(above + 1, tail), missing) }
}

/** The log with its low mark advanced to `top`, except for the rows whose prints are compared. */
export function advanceTo(known: Watched, top: number): Watched {
  const low = Math.min(top, known.from - 1)
  if (low <= known.low) return known
  const zones = known.zones.filter((zone) => endOf(zone) > low)
  if (low <= known.tail) return { ...known, low, zones }
  return { ...known, low, tail: low, zones, gaps: known.gaps.flatMap((gap) => splitAt(gap, low)[1]) }
}

/** Reads the rows of a log that are above the tail, in the order of their numbers. */
export interface TailReading {
  /** Takes the next row. True if it has not been seen before. */
  add(number: number, print: number): boolean
  /** The last number taken. */
  last(): number
  /** The current log. Null if rows seen before are gone, or their numbers belong to other rows. */
  end(): Watched | null
}

/** Begins to read the rows above the tail of a known log. */
export function readTail(known: Watched): TailReading {
  const gaps: Gap[] = []
  const newest: Printed[] = []
  let last = known.tail
  let seen = 0
  let print = 0
  let lowestNew = Number.POSITIVE_INFINITY
  let place = 0
  let first: Printed | undefined

  const isSeen = (number: number): boolean => {
    if (number > known.top) return false
    while (place < known.gaps.length && endOf(known.gaps[place] ?? [0, 0]) < number) place += 1
    const [from] = known.gaps[place] ?? [Number.POSITIVE_INFINITY]
    return number < from
  }
  return {
    add(number, rowPrint) {
      if (number > last + 1) gaps.push([last + 1, number - last - 1])
      last = number
      first ??= [number, rowPrint]
      newest.push([number, rowPrint])
      if (newest.length > 2 * MOST_NEWEST) newest.splice(0, MOST_NEWEST)
      const isKnown = isSeen(number)
      if (isKnown) {
        seen += 1
        if (number >= known.from) print += rowPrint
      } else if (number < lowestNew) lowestNew = number
      return !isKnown
    },
    last: () => last,
    end() {
      if (seen !== tallyOfTail(known).count || print !== known.print) return null
      const compared = newest.slice(-MOST_NEWEST)
      const wanted = Math.min(compared.at(-NEWEST)?.[0] ?? known.tail + 1, lowestNew)
      const from = compared.length < MOST_NEWEST ? wanted : Math.max(wanted, compared[0]?.[0] ?? wanted)
      const tail = Math.max(known.tail, Math.min(from - 1, last - TAIL))
      const [before, after] = [gaps.flatMap((gap) => splitAt(gap, tail)[0]), gaps.flatMap((gap) => splitAt(gap, tail)[1])]
      return {
        low: known.low,
        tail,
        top: last,
        zones: fewer([...known.zones, ...before]),
        gaps: after,
        from,
        print: compared.reduce((sum, [number, each]) => (number < from ? sum : sum + each), 0),
        late: known.late,
        probes: withProbe(known.probes, first),
      }
    },
  }
}

/** The log with the rows that were found in some of its zones, in the order of their numbers. */
export function withLateRows(known: Watched, changed: ReadonlySet<Zone>, found: readonly Printed[]): Watched {
  let place = 0
  const zones = known.zones.flatMap((zone): readonly Zone[] => {
    if (!changed.has(zone)) return [zone]
    const left: Gap[] = []
    let [next] = zone
    while (place < found.length && (found[place]?.[0] ?? 0) <= endOf(zone)) {
      const number = found[place]?.[0] ?? next
      if (number > next) left.push([next, number - next])
      next = number + 1
      place += 1
    }
    return next > endOf(zone) ? left : [...left, [next, endOf(zone) - next + 1]]
  })
  return { ...known, zones: fewer(zones), late: found.slice(-MOST_LATE) }
}

/** The last number of a gap or a zone. */
export function endOf([from, length]: Zone): number {
  return from + length - 1
}

/** Merges the closest zones if there are too many. The rows between two zones become rows of the merged one. */
function fewer(zones: readonly Zone[]): readonly Zone[] {
  if (zones.length <= MOST_ZONES) return zones
  const costs = zones.slice(1).map((zone, place) => {
    const before = zones[place] ?? zone
    return zone[0] - endOf(before) + (before[2] ?? 0) + (zone[2] ?? 0)
  })
  // Of equal distances each second one comes first, so that zones grow evenly.
  const cheapest = costs.map((cost, place) => [cost, place] as const).sort(([a, i], [b, j]) => a - b || (i % 2) - (j % 2))
  const merged = new Set(cheapest.slice(0, zones.length - ZONES_LEFT).map(([, place]) => place + 1))
  const left: Zone[] = []
  for (const [place, zone] of zones.entries()) {
    const before = left.at(-1)
    if (before === undefined || !merged.has(place)) left.push(zone)
    else left[left.length - 1] = union(before, zone)
  }
  return left
}

function union(a: Zone, b: Zone): Zone {
  const [from] = a
  const between = tallyOfNumbers(endOf(a) + 1, b[0] - 1)
  const tallies = [tallyOfZone(a), between, tallyOfZone(b)]
  const rows = tallies.reduce((sum, { count }) => sum + count, 0)
  const numbers = tallies.reduce((total, { sum }) => total + sum, 0n)
  return [from, endOf(b) - from + 1, rows, Number(numbers - BigInt(from) * BigInt(rows))]
}

/** The part of a gap up to a number, and the part above it. */
function splitAt(gap: Gap, number: number): readonly [readonly Gap[], readonly Gap[]] {
  const [from, length] = gap
  if (endOf(gap) <= number) return [[gap], []]
  if (from > number) return [[], [gap]]
  return [[[from, number - from + 1]], [[number + 1, length - (number - from + 1)]]]
}

function withProbe(probes: readonly Printed[], row: Printed | undefined): readonly Printed[] {
  if (row === undefined || row[0] < (probes.at(-1)?.[0] ?? 0) + PROBE_DISTANCE) return probes
  const kept = probes.length < MOST_PROBES ? probes : probes.filter((_, place) => place % 2 === 0)
  return [...kept, row]
}

function tallyOfNumbers(from: number, through: number): Tally {
  const count = Math.max(0, through - from + 1)
  return { count, sum: ((BigInt(from) + BigInt(through)) * BigInt(count)) / 2n }
}

function tallyOfGap([from, length]: Zone): Tally {
  return tallyOfNumbers(from, from + length - 1)
}

function less(tally: Tally, others: readonly Tally[]): Tally {
  return others.reduce((left, { count, sum }) => ({ count: left.count - count, sum: left.sum - sum }), tally)
}

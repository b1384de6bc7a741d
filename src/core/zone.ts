/** Offsets of time zones, from the data of the JavaScript engine. A database may lack the zones. */

const DAY_MS = 86_400_000
/** No zone has kept an offset for a shorter time. */
const STEP_MS = 7 * DAY_MS

/** Reads the offset of a zone in milliseconds: local time less UTC. */
export type OffsetReader = (instant: number) => number

/** A reader of the zone's offsets. Undefined if no zone has this name. */
export function offsetReader(time_zone: string): OffsetReader | undefined {
  let format: Intl.DateTimeFormat
  try {
    const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, ...date, ...time })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  return (instant) => {
    const found = Object.fromEntries(format.formatToParts(instant).map(({ type, value: part }) => [type, Number(part)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
  }
}

/** A stretch of time with one offset, from `from` to the next stretch. */
export interface OffsetStretch {
  readonly from: number
  readonly offset: number
}

/** The stretches of a zone from one instant to another. The first begins at `from`. */
export function stretchesBetween(offsetAt: OffsetReader, from: number, to: number): OffsetStretch[] {
  const stretches: OffsetStretch[] = []
  let last = { from, offset: offsetAt(from) }
  for (let at = from; at < to; ) {
    const next = Math.min(at + STEP_MS, to)
    const { offset } = last
    if (offsetAt(next) === offset) {
      at = next
      continue
    }
    stretches.push(last)
    at = turnBetween(at, next, (instant) => offsetAt(instant) !== offset)
    last = { from: at, offset: offsetAt(at) }
  }
  return [...stretches, last]
}

/** The first second at which the offset is another one. */
function turnBetween(from: number, to: number, isTurned: (instant: number) => boolean): number {
  let before = Math.floor(from / 1000)
  let after = Math.floor(to / 1000)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (isTurned(middle * 1000)) after = middle
    else before = middle
  }
  return after * 1000
}

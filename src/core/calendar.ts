import { InternalError } from './errors.ts'
import { dayOf } from './periods.ts'
import { type OffsetStretch, stretchesOfZone } from './zone.ts'

/**
 * The calendar of a time zone at one now (D84). A *clock time* is the time that a clock in the zone shows, as a `Date` whose UTC fields are
 * those of the clock. So all arithmetic of periods.ts holds for clock times. In UTC, a clock time is its instant.
 */
export interface Calendar {
  readonly zone: string
  /** Now, an instant. */
  readonly now: Date
  /** Now, as the clock shows it. */
  readonly clockNow: Date
  /** Stretches with one offset, up to the days that a forecast may reach. None in UTC. */
  readonly stretches: readonly OffsetStretch[]
  clockAt(instant: Date): Date
  /** First instant at which the clock shows this time, or a later one if it skips this time. The second after now is no repeated one. */
  instantOf(clock: Date): Date
  /** The day of an instant. */
  dayAt(instant: Date): string
}

/** The default zone. */
export const UTC = 'UTC'

const DAY_MS = 86_400_000
const YEAR_MS = 366 * DAY_MS
/** Years after now of which SQL knows the offsets. A forecast reaches five. */
const YEARS_AHEAD = 6

/** True for the name of a time zone, such as `America/New_York`. */
export function isZone(name: string): boolean {
  return stretchesOfZone(name) !== undefined
}

/** The calendar of a zone. InternalError for a name that is no zone. */
export function calendarOf(zone: string, now: Date): Calendar {
  if (zone === UTC) return utcCalendar(now)
  const all = stretchesOf(zone)
  const clockAt = (instant: Date) => new Date(instant.getTime() + offsetAt(all, instant.getTime()))
  const clockNow = clockAt(now)
  return {
    zone,
    now,
    clockNow,
    stretches: all.filter(({ from }) => from < now.getTime() + YEARS_AHEAD * YEAR_MS),
    clockAt,
    instantOf(clock) {
      if (clock.getTime() === clockNow.getTime() + 1000) return new Date(now.getTime() + 1000)
      return new Date(firstInstant(all, clock.getTime()))
    },
    dayAt: (instant) => dayOf(clockAt(instant)),
  }
}

/** The day of an instant in a zone. */
export function dayIn(zone: string, instant: Date): string {
  return calendarOf(zone, instant).dayAt(instant)
}

function utcCalendar(now: Date): Calendar {
  const same = (instant: Date) => instant
  return { zone: UTC, now, clockNow: now, stretches: [], clockAt: same, instantOf: same, dayAt: dayOf }
}

const known = new Map<string, readonly OffsetStretch[]>()

function stretchesOf(zone: string): readonly OffsetStretch[] {
  const found = known.get(zone)
  if (found !== undefined) return found
  const all = stretchesOfZone(zone)
  if (all === undefined) throw new InternalError(`"${zone}" is not a time zone`)
  const stretches = withoutReturnOfDays(all)
  known.set(zone, stretches)
  return stretches
}

/**
 * A clock that is set back over midnight would show the old day again. It is set back later here, at the second midnight, so that a day that has
 * begun does not end before the next one.
 */
function withoutReturnOfDays(stretches: readonly OffsetStretch[]): readonly OffsetStretch[] {
  return stretches.map((stretch, index) => {
    const before = stretches[index - 1]
    if (before === undefined) return stretch
    const midnight = Math.floor((stretch.from + before.offset - 1) / DAY_MS) * DAY_MS
    return stretch.from + stretch.offset < midnight ? { ...stretch, from: midnight - stretch.offset } : stretch
  })
}

function offsetAt(stretches: readonly OffsetStretch[], instant: number): number {
  return (stretches.findLast(({ from }) => from <= instant) ?? stretches[0])?.offset ?? 0
}

function firstInstant(stretches: readonly OffsetStretch[], clock: number): number {
  const index = stretches.findIndex(({ offset }, at) => clock < (stretches[at + 1]?.from ?? Number.POSITIVE_INFINITY) + offset)
  const { from, offset } = stretches[index] ?? { from: 0, offset: 0 }
  return index === 0 ? clock - offset : Math.max(from, clock - offset)
}

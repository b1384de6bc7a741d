export const STEPS = ['day', 'week', 'month', 'quarter', 'year'] as const

/** Length of a period. */
export type Step = (typeof STEPS)[number]

const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7
const MONTHS: Readonly<Partial<Record<Step, number>>> = { month: 1, quarter: 3, year: 12 }
const QUARTER = 3

const formatIn = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', ...options })
const days = formatIn({ dateStyle: 'medium' })
const daysOfYear = formatIn({ month: 'short', day: 'numeric' })
const months = formatIn({ month: 'short', year: 'numeric' })
const instants = formatIn({ dateStyle: 'medium', timeStyle: 'short' })

/** The clocks of the zones that answers have named. They are those of the service, because each browser knows other offsets. */
const clocks = new Map<string, (instant: Date) => Date>()

/** Makes the clock of a zone known. Until then, its instants are shown in UTC. */
export async function loadZone(zone: string): Promise<void> {
  if (zone === 'UTC' || clocks.has(zone)) return
  const { calendarOf } = await import('../../core/calendar.ts')
  clocks.set(zone, calendarOf(zone, new Date()).clockAt)
}

/** A day in the user's format, in UTC. */
export function formatDay(day: string): string {
  const at = dateOf(day)
  return Number.isNaN(at.getTime()) ? day : days.format(at)
}

/** An instant in the user's format, on the clock of a zone, with the name of the zone. */
export function formatInstant(instant: string, zone = 'UTC'): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return instant
  const clock = clocks.get(zone)
  return clock === undefined ? `${instants.format(at)} UTC` : `${instants.format(clock(at))} ${zone}`
}

/** The day of an instant in a time zone. */
export function dayIn(zone: string, instant: string): string {
  const at = new Date(instant)
  return dayOf(clocks.get(zone)?.(at) ?? at)
}

/** A period, given by its first day. */
export function formatPeriod(first: string, step: Step): string {
  const at = dateOf(first)
  if (Number.isNaN(at.getTime())) return first
  switch (step) {
    case 'day':
    case 'week':
      return days.format(at)
    case 'month':
      return months.format(at)
    case 'quarter':
      return `Q${Math.floor(at.getUTCMonth() / QUARTER) + 1} ${at.getUTCFullYear()}`
    case 'year':
      return String(at.getUTCFullYear())
  }
}

/** Days from first to last: a whole month as “Oct 2026”, other days as “Nov 1–20, 2026”. */
export function formatDays(first: string, last: string): string {
  if (first.endsWith('-01') && last === lastDayOf(first, 'month')) return formatPeriod(first, 'month')
  return formatSpan(days, first, last)
}

/** Labels of a chart's periods. The running one names its days up to `through`: “Nov 1–20”. */
export function periodLabels(periods: readonly string[], step: Step, through: string | undefined): readonly string[] {
  return periods.map((period) =>
    step !== 'day' && through !== undefined && period <= through && isOpen(period, step, through)
      ? formatSpan(daysOfYear, period, through)
      : formatPeriod(period, step),
  )
}

function formatSpan(format: Intl.DateTimeFormat, first: string, last: string): string {
  const [from, to] = [dateOf(first), dateOf(last)]
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) || from > to) return `${first} – ${last}`
  // The locale data put spaces around the dash also between two days of one month.
  return format
    .formatRange(from, to)
    .replaceAll(/(\d\.?)\s–\s(?=\d)/g, '$1–')
    .replaceAll(/\s/g, ' ')
}

/** First day of the period that contains `day`, moved by `later` periods. */
export function periodStart(day: string, step: Step, later: number): string {
  const at = dateOf(day)
  const count = MONTHS[step]
  if (count !== undefined) {
    const month = Math.floor(at.getUTCMonth() / count) * count
    return dayOf(new Date(Date.UTC(at.getUTCFullYear(), month + later * count, 1)))
  }
  if (step === 'day') return daysLater(day, later)
  const weekday = (at.getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  return daysLater(day, later * DAYS_OF_WEEK - weekday)
}

/** Last day of the period that starts on a day. */
export function lastDayOf(first: string, step: Step): string {
  const at = dateOf(first)
  const count = MONTHS[step]
  if (count === undefined) return dayOf(new Date(at.getTime() + (step === 'week' ? DAYS_OF_WEEK - 1 : 0) * DAY_MS))
  return dayOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count, 0)))
}

/** Whether a period ends after the day up to which an answer is complete: it is running, or it has not begun. */
export function isOpen(first: string, step: Step, dayThrough: string | undefined): boolean {
  return dayThrough !== undefined && dayThrough <= lastDayOf(first, step)
}

/** The UTC day of an instant. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The day `count` days later. */
export function daysLater(day: string, count: number): string {
  return dayOf(new Date(dateOf(day).getTime() + count * DAY_MS))
}

function dateOf(day: string): Date {
  return new Date(`${day.slice(0, 10)}T00:00:00.000Z`)
}

/** Days from a header: `<first>/<last>`, or a single day. */
export function formatPeriodOf(days: string): string {
  const [first = '', last = first] = days.split('/')
  return first === last ? formatDay(first) : formatDays(first, last)
}

/**
 * The same day of the previous month, or of an earlier one. It is the last day of that month if `day` is the last day of its month, or if
 * that month has no such day.
 */
export function monthBefore(day: string, months = 1): string {
  const at = dateOf(day)
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  const isLast = at.getUTCDate() === new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const lastBefore = new Date(Date.UTC(year, month + 1 - months, 0))
  return dayOf(
    isLast || at.getUTCDate() > lastBefore.getUTCDate() ? lastBefore : new Date(Date.UTC(year, month - months, at.getUTCDate())),
  )
}

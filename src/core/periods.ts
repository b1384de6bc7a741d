/** All calendar arithmetic outside SQL. Days are `YYYY-MM-DD`. A `Date` is an instant in UTC, or a clock time of a calendar (D1, D3, D5, D84). */
export const INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** A time bucket, named by its first calendar day. It covers [from, to), clipped to the range. */
export interface Period {
  readonly period: string
  readonly from: Date
  readonly to: Date
}

const DAY_MS = 86_400_000

/** Before all data: a window that begins here covers the whole history. */
export const BEGINNING = new Date('1900-01-01T00:00:00Z')

/** Midnight at the start of a `YYYY-MM-DD` day. */
export function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}

/** Midnight after the day: D⁺ of D3. */
export function dayAfter(day: string): Date {
  return new Date(dayStart(day).getTime() + DAY_MS)
}

/** The day before a midnight: the last day of a period that ends at it. */
export function dayBefore(midnight: Date): string {
  return dayOf(new Date(midnight.getTime() - DAY_MS))
}

/** The day that lies `days` before another one. */
export function daysBefore(day: string, days: number): string {
  return dayOf(new Date(dayStart(day).getTime() - days * DAY_MS))
}

/** The UTC day of an instant. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** True for an existing calendar day `YYYY-MM-DD`, from the year 1 on. No engine supports a year 0. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001-01-01' || Number.isNaN(dayStart(text).getTime())) return false
  return dayOf(dayStart(text)) === text
}

/** Instant as text for databases: `YYYY-MM-DD HH:MM:SS`, with a fraction of a second if there is one. */
export function sqlInstant(instant: Date): string {
  const [seconds = '', millis = ''] = instant.toISOString().replace('T', ' ').replace('Z', '').split('.')
  const fraction = millis.replace(/0+$/, '')
  return fraction === '' ? seconds : `${seconds}.${fraction}`
}

/** Now, for comparison with rows: the last instant of its second that a database can hold, because the whole second counts (D2). */
export function sqlNow(now: Date): string {
  return `${sqlInstant(now).slice(0, 19)}.999999`
}

/** An instant from a database, with or without a fraction of a second, as `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function isoInstant(text: string): string {
  const [seconds = '', fraction = ''] = text.split('.')
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

// Not Date.UTC, which maps the years 0 to 99 to the twentieth century.
function midnight(year: number, month: number, day: number): Date {
  const at = new Date(0)
  at.setUTCFullYear(year, month, day)
  return at
}

/** First midnight of the period that contains `instant`. */
export function periodStart(instant: Date, interval: Interval): Date {
  const year = instant.getUTCFullYear()
  const month = instant.getUTCMonth()
  const day = midnight(year, month, instant.getUTCDate())
  switch (interval) {
    case 'day':
      return day
    case 'week':
      return new Date(day.getTime() - ((instant.getUTCDay() + 6) % 7) * DAY_MS)
    case 'month':
      return midnight(year, month, 1)
    case 'quarter':
      return midnight(year, month - (month % 3), 1)
    case 'year':
      return midnight(year, 0, 1)
  }
}

/** First midnight of the next period. `start` must be the start of a period. */
export function nextPeriod(start: Date, interval: Interval): Date {
  return periodsOn(start, interval, 1)
}

/** First midnight of the period `count` periods later, or earlier if negative. `start` must be the start of a period. */
export function periodsOn(start: Date, interval: Interval, count: number): Date {
  const year = start.getUTCFullYear()
  const month = start.getUTCMonth()
  switch (interval) {
    case 'day':
      return new Date(start.getTime() + count * DAY_MS)
    case 'week':
      return new Date(start.getTime() + count * 7 * DAY_MS)
    case 'month':
      return midnight(year, month + count, 1)
    case 'quarter':
      return midnight(year, month + count * 3, 1)
    case 'year':
      return midnight(year + count, 0, 1)
  }
}

/** The name of the month of a day, such as `2026-09`. */
export function monthName(day: string): string {
  return day.slice(0, 7)
}

/** First day of the last month that has been over for a day. The day of an account may end up to a day after that of `today`. */
export function lastClosedMonth(today: string): string {
  return dayOf(periodsOn(periodStart(dayStart(daysBefore(today, 1)), 'month'), 'month', -1))
}

/** The day with this number. Day 0 is 1970-01-01, as in `fn.day_number`. */
export function dayOfNumber(number: number): string {
  return dayOf(new Date(number * DAY_MS))
}

/** The number of a day. */
export function numberOfDay(day: string): number {
  return dayStart(day).getTime() / DAY_MS
}

/** Number of periods that overlap [from, to): the length of `periodsBetween`, computed without the list. */
export function countPeriods(from: Date, to: Date, interval: Interval): number {
  if (from >= to) return 0
  // A period includes `from` but not `to`.
  const last = new Date(to.getTime() - 1)
  return ordinal(periodStart(last, interval), interval) - ordinal(periodStart(from, interval), interval) + 1
}

// Consecutive periods have consecutive numbers.
function ordinal(start: Date, interval: Interval): number {
  const months = start.getUTCFullYear() * 12 + start.getUTCMonth()
  switch (interval) {
    case 'day':
      return start.getTime() / DAY_MS
    case 'week':
      // 1970 began on a Thursday.
      return (start.getTime() / DAY_MS + 3) / 7
    case 'month':
      return months
    case 'quarter':
      return months / 3
    case 'year':
      return months / 12
  }
}

/** Periods that overlap [from, to), the first and last clipped to it (D5). Empty if `to` is not after `from`. */
export function periodsBetween(from: Date, to: Date, interval: Interval): Period[] {
  const periods: Period[] = []
  let start = periodStart(from, interval)
  while (start < to && from < to) {
    const end = nextPeriod(start, interval)
    periods.push({ period: dayOf(start), from: start < from ? from : start, to: end > to ? to : end })
    start = end
  }
  return periods
}

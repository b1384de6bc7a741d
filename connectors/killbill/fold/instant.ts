/** An instant as the engine stores it: UTC, `YYYY-MM-DD HH:MM:SS`. Compares as text. */
export type Instant = string

const DAY_SECONDS = 86_400

function toDate(at: Instant): Date {
  return new Date(`${at.replace(' ', 'T')}Z`)
}

function fromDate(date: Date): Instant {
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

/** UTC day of an instant. */
export function dayOf(at: Instant): string {
  return at.slice(0, 10)
}

/** Whole seconds from `from` to `to`. */
export function secondsBetween(from: Instant, to: Instant): number {
  return (toDate(to).getTime() - toDate(from).getTime()) / 1000
}

/** `at` plus calendar months (a day that the month lacks becomes its last) and days of 24 hours. */
export function addPeriod(at: Instant, months: number, days: number): Instant {
  const date = toDate(at)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return fromDate(new Date(date.getTime() + days * DAY_SECONDS * 1000))
}

/** First day of the month `offset` months after that of a day. */
export function monthStart(day: string, offset = 0): string {
  return dayOf(addPeriod(`${day.slice(0, 7)}-01 00:00:00`, offset, 0))
}

/** Difference of the calendar month numbers of two days. */
export function monthsBetween(from: string, to: string): number {
  const number = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return number(to) - number(from)
}

/** The earlier of two instants; null stands for never. */
export function earliest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null)
}

/** The later of two instants. */
export function latest(a: Instant, b: Instant): Instant {
  if (a > b) return a
  return b
}

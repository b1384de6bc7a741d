import { sqlInstant } from '../../../../../src/core/periods.ts'

/** An instant as the engine stores it: UTC, `YYYY-MM-DD HH:MM:SS` with a fraction if it has one, without trailing zeros. Compares as text. */
export type Instant = string

const DAY_MS = 86_400_000

/** Order of instants, for sorting. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** UTC day of an instant. */
export function dayOf(at: Instant): string {
  return at.slice(0, 10)
}

/** `at` plus calendar months and days of 24 hours. If the new month lacks the day, its last day counts. */
export function addPeriod(at: Instant, months: number, days: number): Instant {
  const [seconds = '', fraction] = at.split('.')
  const date = new Date(`${seconds.replace(' ', 'T')}Z`)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  const moved = sqlInstant(new Date(date.getTime() + days * DAY_MS))
  return fraction === undefined ? moved : `${moved}.${fraction}`
}

/** Number of the day's calendar month, counted from year 0. */
function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

/** First day of the month that is `offset` months after the day's month. */
export function monthStart(day: string, offset = 0): string {
  if (offset === 0) return `${day.slice(0, 7)}-01`
  const month = monthNumber(day) + offset
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
}

/** Difference of the calendar month numbers of two days. */
export function monthsBetween(from: string, to: string): number {
  return monthNumber(to) - monthNumber(from)
}

/** The earliest of these instants. Null means never. */
export function earliest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null)
}

/** The later of two instants. */
export function latest(a: Instant, b: Instant): Instant {
  if (a > b) return a
  return b
}

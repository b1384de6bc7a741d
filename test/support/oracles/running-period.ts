import { dayStart, type Interval, periodsBetween, sqlInstant } from '../../../src/core/periods.ts'

const LONGEST_MS = 366 * 86_400_000

/** True if the period with this first day ends after `now`, `YYYY-MM-DD HH:MM:SS` (http-api.md 1.2). */
export function isPartial(period: string, interval: Interval, now: string): boolean {
  const [whole] = periodsBetween(dayStart(period), new Date(dayStart(period).getTime() + LONGEST_MS), interval)
  return whole !== undefined && sqlInstant(whole.to) > now
}

/** The clock of the recorded tenants. */
const RECORDED_NOW = '2026-11-20 23:59:59'

/** A row as it was written down, with the mark of a period that was not over then. */
export function marked<T extends object>(row: T, period: unknown, interval = 'month'): T {
  return isPartial(String(period), interval as Interval, RECORDED_NOW) ? { ...row, is_partial: true } : row
}

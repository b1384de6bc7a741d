import { isDay } from '../controls/ranges.ts'
import { daysLater, formatDay, formatDays, formatPeriod, lastDayOf, monthBefore, periodStart } from '../format/days.ts'

/** Months of a statement, and of the menus. */
const YEAR_MONTHS = 12
const MENU_MONTHS = 24

/** A month of the books. */
export interface LedgerMonth {
  /** Its first day. */
  readonly start: string
  /** Its last day, or today while it is not over. */
  readonly end: string
  /** `Oct 2026`, or its days so far. */
  readonly name: string
  /** First day of the twelve months that end with it. */
  readonly yearStart: string
  /** The twelve months in words. */
  readonly yearName: string
}

/** A choice of a menu. */
interface Choice {
  readonly value: string
  readonly label: string
}

/** The month that contains a day, by default the last one that is over. Undefined for a text that is no day, and for months to come. */
export function ledgerMonth(asked: string | undefined, today: string): LedgerMonth | undefined {
  if (asked !== undefined && (!isDay(asked) || asked > today)) return undefined
  const start = asked === undefined ? periodStart(today, 'month', -1) : periodStart(asked, 'month', 0)
  const { end } = daysOfMonth(start, today)
  const yearStart = periodStart(start, 'month', 1 - YEAR_MONTHS)
  return {
    start,
    end,
    name: formatDays(start, end),
    yearStart,
    yearName: `${formatPeriod(yearStart, 'month')} – ${formatPeriod(start, 'month')}`,
  }
}

/** First days of the twelve months that end with a month. */
export function yearMonths({ start }: Pick<LedgerMonth, 'start'>): readonly string[] {
  return Array.from({ length: YEAR_MONTHS }, (_, place) => periodStart(start, 'month', place + 1 - YEAR_MONTHS))
}

/** The days of a month that are over. */
export function daysOfMonth(start: string, today: string): { readonly start: string; readonly end: string } {
  const last = lastDayOf(start, 'month')
  return { start, end: last < today ? last : today }
}

/** The months of the menu: the running one, those before it, and the chosen one. */
export function monthChoices(chosen: string, today: string): readonly Choice[] {
  const months = Array.from({ length: MENU_MONTHS + 1 }, (_, place) => periodStart(today, 'month', -place))
  const all = months.includes(chosen) ? months : [...months, chosen]
  return all.map((month) => ({ value: month, label: formatPeriod(month, 'month') }))
}

/** Days of receivables to choose from: yesterday, ends of months, a year ago. */
export function dayChoices(today: string): readonly Choice[] {
  const ends = Array.from({ length: YEAR_MONTHS }, (_, place) => daysLater(periodStart(today, 'month', -place), -1))
  return [
    { value: today, label: 'Today' },
    { value: daysLater(today, -1), label: 'Yesterday' },
    ...ends.map((end) => ({ value: end, label: `End of ${formatPeriod(end, 'month')}` })),
    { value: monthBefore(today, YEAR_MONTHS), label: `A year ago, ${formatDay(monthBefore(today, YEAR_MONTHS))}` },
  ]
}

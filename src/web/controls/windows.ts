import type { Query } from '../api/query.ts'
import { daysLater, formatDay, formatDays, formatPeriodOf, lastDayOf, monthBefore } from '../format/days.ts'
import { traitsOf } from '../format/traits.ts'
import { type Days, dayQuery, daysOf, isAhead, levelQuery } from './ranges.ts'
import type { Search } from './search.ts'

/** The days that a figure covers. */
export interface Window {
  readonly days: Days
  /** The days as parameters of the API. */
  readonly query: Query
  /** The days in words: “Nov 20, 2026”, “Oct 2026”, “Dec 1, 2025 – Nov 20, 2026”. */
  readonly name: string
  /** The days as the end of a label: “on Nov 20, 2026”, “in Oct 2026”, “Dec 1, 2025 – Nov 20, 2026”. */
  readonly label: string
}

/** The windows of all figures of a page. Tiles and headlines share them, so that both show the same number. */
export interface Windows {
  /** Levels, such as MRR: the end of the range. For a range up to today that is now, for a range after today a forecast. */
  readonly level: Window
  /** Net and gross revenue retention: the 365 days up to the day of the levels. */
  readonly year: Window
  /** Net new MRR so far: from the first day of the month to the day of the levels. */
  readonly month: Window
  /** Monthly rates and net new MRR: the last full month in the range. If it contains none, this is `whole`. */
  readonly rate: Window
  /** Everything else, such as LTV and trial conversion: the whole range. */
  readonly whole: Window
}

/** The windows of a page as of `today`. */
export function windowsOf(search: Search, today: string): Windows {
  const days = daysOf(search, today)
  const end = isAhead(search) || days.end < today ? days.end : today
  const month = lastFullMonth(end)
  const whole = windowOf(days, dayQuery(search))
  const isWithin = !isAhead(search) && (days.start === undefined || month.start >= days.start)
  const isWhole = month.start === days.start && month.end === days.end
  return {
    level: windowOf({ start: end, end }, levelQuery(search, today)),
    year: yearTo(end),
    month: monthTo(end),
    rate: isWithin && !isWhole ? windowOf(month, { ...month }) : whole,
    whole,
  }
}

const YEAR_DAYS = 365

/** The 365 days up to a day. */
export function yearTo(day: string): Window {
  const days = { start: daysLater(day, 1 - YEAR_DAYS), end: day }
  return windowOf(days, { ...days })
}

function monthTo(day: string): Window {
  const days = { start: firstOfMonth(day), end: day }
  return windowOf(days, { ...days })
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** The window of a figure of the summary. The trailing window is the whole range of the page. */
export function pageWindow(field: string): keyof Windows {
  const { window = 'trailing' } = traitsOf(field)
  return window === 'trailing' ? 'whole' : window
}

/**
 * The earlier days of a figure in words, from those that the answer was compared with. A summary of one day compares its month with that month up to
 * the earlier day.
 */
export function earlierDays(window: keyof Windows | undefined, days: string): string {
  return window !== 'month' || days.includes('/') ? formatPeriodOf(days) : formatPeriodOf(`${firstOfMonth(days)}/${days}`)
}

/** The last calendar month that is over at the end of a day. */
export function lastFullMonth(day: string): { readonly start: string; readonly end: string } {
  const first = firstOfMonth(day)
  if (lastDayOf(first, 'month') === day) return { start: first, end: day }
  const before = monthBefore(first)
  return { start: before, end: lastDayOf(before, 'month') }
}

/** The days of a question in words, for the title of its card. Undefined if the question has no days. */
export function labelOfQuery({ at, start, end, range }: Query, today: string): string | undefined {
  if (typeof at === 'string') return labelOfDays({ start: at, end: at })
  if (typeof start === 'string' && typeof end === 'string') return labelOfDays(daysOf({ start, end }, today))
  return typeof range === 'string' ? labelOfDays(daysOf({ range }, today)) : undefined
}

function windowOf(days: Days, query: Query): Window {
  const { start, end } = days
  const name = start === undefined ? `all days up to ${formatDay(end)}` : formatDays(start, end)
  return { days, query, name, label: labelOfDays(days) }
}

function labelOfDays({ start, end }: Days): string {
  if (start === undefined) return `up to ${formatDay(end)}`
  if (start === end) return `on ${formatDay(end)}`
  if (start === daysLater(end, 1 - YEAR_DAYS) && !start.endsWith('-01')) return `12 months to ${formatDay(end)}`
  const isMonth = start.endsWith('-01') && end === lastDayOf(start, 'month')
  return `${isMonth ? 'in ' : ''}${formatDays(start, end)}`
}

import type { Query } from '../api/query.ts'
import { formatDay, formatDays, lastDayOf, monthBefore } from '../format/days.ts'
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
    rate: isWithin && !isWhole ? windowOf(month, { ...month }) : whole,
    whole,
  }
}

/** The last calendar month that is over at the end of a day. */
export function lastFullMonth(day: string): { readonly start: string; readonly end: string } {
  const first = `${day.slice(0, 7)}-01`
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
  const isMonth = start.endsWith('-01') && end === lastDayOf(start, 'month')
  return `${isMonth ? 'in ' : ''}${formatDays(start, end)}`
}

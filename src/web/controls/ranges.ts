import { dayOf, daysLater, type Step } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'
import type { Search } from './search.ts'

/** First and last day of a range. Without `start` the range begins with the first data. */
export interface Days {
  readonly start: string | undefined
  readonly end: string
}

const DEFAULT_RANGE = 'last-12-months'
const DEFAULT_QUARTERS = 'last-4-quarters'

/** Date ranges to choose from, with the API's names. */
export const PRESETS: readonly {
  readonly range: string
  readonly label: string
}[] = [
  { range: 'this-month', label: 'This month' },
  { range: 'last-month', label: 'Last month' },
  { range: 'last-quarter', label: 'Last quarter' },
  { range: 'last-3-months', label: 'Last 3 months' },
  { range: 'last-6-months', label: 'Last 6 months' },
  { range: 'last-12-months', label: 'Last 12 months' },
  { range: 'last-24-months', label: 'Last 24 months' },
  { range: 'this-year', label: 'This year' },
  { range: 'all', label: 'All time' },
]

const TO_COME = 'next-'
const QUARTER = 3
const YEAR = 12
// Maps, not objects: a name from the address could be `constructor`, which every object has.
const MONTHS_OF: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['months', 1],
  ['quarter', QUARTER],
  ['quarters', QUARTER],
  ['year', YEAR],
  ['years', YEAR],
])
const TO_DATE: ReadonlyMap<string, string> = new Map([
  ['mtd', 'this-month'],
  ['qtd', 'this-quarter'],
  ['ytd', 'this-year'],
])
const MOST_PERIODS = 10_000
const DAY_STEP_DAYS = 45
const WEEK_STEP_DAYS = 180
const DAYS_OF_WEEK = 7
const DAY_MS = 86_400_000

/**
 * Name of the date range in the address. By default the last 12 months, or the last 4 quarters if the interval is a quarter.
 * Undefined for custom dates.
 */
export function rangeOf(search: Search): string | undefined {
  if (ownDays(search) !== undefined) return undefined
  return search.range ?? (search.interval === 'quarter' ? DEFAULT_QUARTERS : DEFAULT_RANGE)
}

/** The date range as parameters of the API. */
export function dayQuery(
  search: Search,
): { readonly start: string; readonly end: string } | { readonly range?: string | undefined } {
  return ownDays(search) ?? { range: rangeOf(search) }
}

/**
 * The day of a level, such as current MRR: the end of the chosen range, or today by default. A future range goes to the API,
 * which explains why it has no data.
 */
export function levelQuery(search: Search, today: string): { readonly at: string } | { readonly range: string } {
  const { range } = search
  if (range?.startsWith(TO_COME) === true) return { range }
  return { at: range === undefined && ownDays(search) === undefined ? today : daysOf(search, today).end }
}

/** First and last day of the range as of `today`, by the rules of http-api.md 1.9. A range that has not ended yet ends today. */
export function daysOf(search: Search, today: string): Days {
  const own = ownDays(search)
  if (own !== undefined) return own
  const name = rangeOf(search) ?? DEFAULT_RANGE
  if (name === 'all') return { start: undefined, end: today }
  // The API rejects a future range with a message. Here it must not crash the page.
  if (name.startsWith(TO_COME)) return { start: today, end: today }
  const [first = '', second = '', third = ''] = (TO_DATE.get(name) ?? name).split('-')
  if (first === 'this') return { start: firstOf(today, MONTHS_OF.get(second) ?? 1, 0), end: today }
  const count = third === '' ? 1 : Number(second)
  // The API reports an invalid range. Here it must not crash the page.
  if (!(count >= 1 && count <= MOST_PERIODS)) return { start: undefined, end: today }
  const unit = third === '' ? second : third
  const months = MONTHS_OF.get(unit)
  if (months !== undefined) return { start: firstOf(today, months, -count), end: daysLater(firstOf(today, months, 0), -1) }
  const last = daysLater(unit === 'weeks' ? mondayOf(today) : today, -1)
  return { start: daysLater(last, 1 - count * (unit === 'weeks' ? DAYS_OF_WEEK : 1)), end: last }
}

/** The interval in the address. By default an interval that fits the length of the range. */
export function stepOf(search: Search, today: string): Step {
  if (search.interval !== undefined) return search.interval
  const { start, end } = daysOf(search, today)
  if (start === undefined) return 'month'
  const length = (Date.parse(end) - Date.parse(start)) / DAY_MS
  if (length <= DAY_STEP_DAYS) return 'day'
  return length <= WEEK_STEP_DAYS && search.range === undefined ? 'week' : 'month'
}

/** Name of the date range on the page. */
export function rangeLabel(search: Search): string | undefined {
  const name = rangeOf(search)
  if (name === undefined) return undefined
  return PRESETS.find((preset) => preset.range === name)?.label ?? labelOf(name.replaceAll('-', '_'))
}

function ownDays({ start, end }: Search): { readonly start: string; readonly end: string } | undefined {
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** First day of a calendar period. Finds the period of `months` months that contains `day`, then moves by `later` periods. */
function firstOf(day: string, months: number, later: number): string {
  const at = new Date(`${day}T00:00:00.000Z`)
  const month = Math.floor(at.getUTCMonth() / months) * months
  return dayOf(new Date(Date.UTC(at.getUTCFullYear(), month + later * months, 1)))
}

function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00.000Z`).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  return daysLater(day, -weekday)
}

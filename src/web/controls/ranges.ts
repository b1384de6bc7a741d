import type { Query } from '../api/query.ts'
import { dayOf, daysLater, periodStart, STEPS, type Step } from '../format/days.ts'
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
  { range: 'last-12-full-months', label: 'Last full 12 months' },
  { range: 'last-24-months', label: 'Last 24 months' },
  { range: 'this-year', label: 'This year' },
  { range: 'all', label: 'All time' },
]

// A map, not an object: a name from the address could be `constructor`, which every object has.
const TO_DATE: ReadonlyMap<string, string> = new Map([
  ['mtd', 'this-month'],
  ['qtd', 'this-quarter'],
  ['ytd', 'this-year'],
])
const DAY = /^\d{4}-\d{2}-\d{2}$/
const FIXED = /^(this|last)-(month|quarter|year)$/
const COUNTED = /^last-([1-9]\d{0,3})-(full-)?(day|week|month|quarter|year)s?$/
const AHEAD = /^next-(?:([1-9]\d{0,3})-(day|week|month|quarter|year)s?|(month|quarter|year))$/
const DAY_STEP_DAYS = 45
const WEEK_STEP_DAYS = 180
const DAY_MS = 86_400_000

/** Periods of a named range: up to today, whole ones before the running one, or whole ones after it. */
interface Periods {
  readonly unit: Step
  readonly count: number
  readonly kind: 'to_date' | 'full' | 'ahead'
}

/**
 * Name of the date range in the address. By default the last 12 months, or the last 4 quarters if the interval is a quarter.
 * Undefined for custom dates.
 */
export function rangeOf(search: Search): string | undefined {
  if (ownDays(search) !== undefined) return undefined
  return search.range ?? (search.interval === 'quarter' ? DEFAULT_QUARTERS : DEFAULT_RANGE)
}

/** Whether the API knows a range of this name. */
export function isRangeName(name: string): boolean {
  return name === 'all' || periodsOf(name) !== undefined
}

/** Whether the range lies after today. Only MRR, ARR and their movements have figures of such days: a forecast. */
export function isAhead(search: Search): boolean {
  return periodsOf(rangeOf(search) ?? '')?.kind === 'ahead'
}

/** The date range as parameters of the API. */
export function dayQuery(search: Search): Query {
  return ownDays(search) ?? { range: rangeOf(search), ...(isAhead(search) && { forecast: true }) }
}

/** The day of a level, such as MRR: the end of the range. A day after today is a forecast. */
export function levelQuery(search: Search, today: string): Query {
  return { at: daysOf(search, today).end, ...(isAhead(search) && { forecast: true }) }
}

/** First and last day of the range as of `today`, by the rules of http-api.md 1.9. */
export function daysOf(search: Search, today: string): Days {
  const own = ownDays(search)
  // Days to come have no figures. The API answers them as of today.
  if (own !== undefined) return { start: own.start, end: own.start <= today && today < own.end ? today : own.end }
  const name = rangeOf(search) ?? DEFAULT_RANGE
  const periods = periodsOf(name)
  if (periods === undefined) return { start: undefined, end: today }
  const { unit, count, kind } = periods
  switch (kind) {
    case 'to_date':
      return { start: periodStart(today, unit, 1 - count), end: today }
    case 'full':
      return { start: periodStart(today, unit, -count), end: daysLater(periodStart(today, unit, 0), -1) }
    case 'ahead':
      return { start: periodStart(today, unit, 1), end: daysLater(periodStart(today, unit, count + 1), -1) }
  }
}

/** The interval in the address. By default an interval that fits the length of the range. */
export function stepOf(search: Search, today: string): Step {
  const chosen = STEPS.find((step) => step === search.interval)
  if (chosen !== undefined) return chosen
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
  if (!isRangeName(name)) return 'Unknown range'
  const same = TO_DATE.get(name) ?? name
  return PRESETS.find(({ range }) => range === same)?.label ?? labelOf(same.replaceAll('-', '_'))
}

/**
 * The dates, interval and filters of the address, as parameters of the API, if the API refuses one of them. The page then shows the
 * refusal, not the figures of other days. Undefined if all are valid.
 */
export function refusedState({ range, start, end, interval, filter = [] }: Search): Query | undefined {
  const days = [start, end].filter((day) => day !== undefined)
  const isRange = range === undefined ? days.length !== 1 : days.length === 0 && isRangeName(range)
  const isOrdered = start === undefined || end === undefined || start <= end
  const isStep = interval === undefined || STEPS.some((step) => step === interval)
  const unread = filter.filter((entry) => !entry.includes('='))
  if (isRange && isOrdered && isStep && days.every(isDay) && unread.length === 0) return undefined
  return { range, start, end, interval, filter: unread.length === 0 ? undefined : unread }
}

function ownDays({ start, end }: Search): { readonly start: string; readonly end: string } | undefined {
  return start === undefined || end === undefined || !isDay(start) || !isDay(end) ? undefined : { start, end }
}

/** Whether a text is a calendar day. February 30 is none. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00.000Z`)
  return DAY.test(text) && !Number.isNaN(at.getTime()) && dayOf(at) === text
}

/** The periods of a named range. Undefined for all days, and for a name that the API does not know. */
function periodsOf(name: string): Periods | undefined {
  const [, which, fixed] = FIXED.exec(TO_DATE.get(name) ?? name) ?? []
  if (fixed !== undefined) return { unit: fixed as Step, count: 1, kind: which === 'last' ? 'full' : 'to_date' }
  const [, ahead = '1', counted, next = counted] = AHEAD.exec(name) ?? []
  if (next !== undefined) return { unit: next as Step, count: Number(ahead), kind: 'ahead' }
  const [, count, full, unit] = COUNTED.exec(name) ?? []
  return unit === undefined
    ? undefined
    : { unit: unit as Step, count: Number(count), kind: full === undefined ? 'to_date' : 'full' }
}

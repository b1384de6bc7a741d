import {
  BEGINNING,
  dayAfter,
  dayBefore,
  dayOf,
  dayStart,
  type Interval,
  nextPeriod,
  periodStart,
  periodsOn,
} from '../core/periods.ts'
import { type IssueSink, mustBe } from './issues.ts'
import type { Given } from './raw-parameters.ts'

/** A named range: the current period (in full or up to today), whole periods before it, or all days up to today. */
export type NamedRange =
  | { readonly kind: 'this' | 'to_date'; readonly interval: Interval }
  | { readonly kind: 'last'; readonly interval: Interval; readonly count: number }
  | { readonly kind: 'all' }

const FIXED: Readonly<Record<string, NamedRange>> = {
  'this-month': { kind: 'this', interval: 'month' },
  'last-month': { kind: 'last', interval: 'month', count: 1 },
  'this-quarter': { kind: 'this', interval: 'quarter' },
  'last-quarter': { kind: 'last', interval: 'quarter', count: 1 },
  'this-year': { kind: 'this', interval: 'year' },
  'last-year': { kind: 'last', interval: 'year', count: 1 },
  mtd: { kind: 'to_date', interval: 'month' },
  qtd: { kind: 'to_date', interval: 'quarter' },
  ytd: { kind: 'to_date', interval: 'year' },
  all: { kind: 'all' },
}

const COUNTED = /^last-([1-9]\d{0,3})-(day|week|month|quarter|year)s?$/

/** Names of ranges for messages. N is a number from 1. */
export const RANGE_NAMES: readonly string[] = [...Object.keys(FIXED), 'last-N-days|weeks|months|quarters|years']

/** Pattern of range names, for the API document. */
export const RANGE_PATTERN = new RegExp(`^(${Object.keys(FIXED).join('|')}|${COUNTED.source.slice(1, -1)})$`)

/** The range with this name; undefined for an unknown name. */
export function parseRange(given: unknown): NamedRange | undefined {
  if (typeof given !== 'string') return undefined
  if (Object.hasOwn(FIXED, given)) return FIXED[given]
  const [, count, interval] = COUNTED.exec(given) ?? []
  return count === undefined ? undefined : { kind: 'last', interval: interval as Interval, count: Number(count) }
}

/** Reason why future ranges are refused. */
export const NO_FORECASTS = 'there are no forecasts yet, so nothing is known about days after today'

/** Message for a future range such as `next-month`, or for too many periods; undefined for other names. */
export function refusedRange(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  if (/^last-\d{1,40}-(day|week|month|quarter|year)s?$/.test(given))
    return `"range" must count 1 to 9999 whole periods; got "${given}".`
  if (!/^next-[\w-]{1,40}$/.test(given)) return undefined
  return `"range" cannot be "${given}": ${NO_FORECASTS}.`
}

/** First and last day of the range in UTC, as of now (D2, D5). */
export function daysOfRange(range: NamedRange, now: Date): readonly [string, string] {
  const today = dayOf(now)
  if (range.kind === 'all') return [dayOf(BEGINNING), today]
  const current = periodStart(now, range.interval)
  if (range.kind !== 'last') {
    return [dayOf(current), range.kind === 'this' ? dayBefore(nextPeriod(current, range.interval)) : today]
  }
  return [dayOf(periodsOn(current, range.interval, -range.count)), dayBefore(current)]
}

/**
 * The days of `range`, with the place where it was given; undefined without a range. Reports a range given together with `start` or `end`
 * (`hasDays`), and a range that begins before all facts.
 */
export function readNamedRange(
  given: Given<NamedRange> | undefined,
  hasDays: boolean,
  now: Date,
  report: IssueSink,
): Given<readonly [string, string]> | undefined {
  if (given === undefined) return undefined
  const { where } = given
  if (hasDays) report('invalid_range', where, '"range" replaces "start" and "end": give one or the other.')
  const value = daysOfRange(given.value, now)
  if (value[0] >= dayOf(BEGINNING)) return { value, where }
  report('invalid_value', where, mustBe('range', `one that begins on ${dayOf(BEGINNING)} or later`, value[0]))
  return undefined
}

/** Comparison times: the time just before, or a year before. */
export const EARLIER = ['previous', 'year'] as const
export type Earlier = (typeof EARLIER)[number]

/** Days of a request: one day, or a range with an optional day `at`. */
export type RequestDays =
  | { readonly at: string }
  | { readonly start: string; readonly end: string; readonly at?: string | undefined }

const DAY_MS = 86_400_000

/**
 * The days to compare with. `previous` of a range is the same number of days just before it, or of months if the range is whole months
 * (quarters and years included). `previous` of a day is the same day one month before. The last day of a month stays the last day.
 * `year` is the same days one year before.
 */
export function earlierDays(asked: RequestDays, to: Earlier): RequestDays {
  if (!('start' in asked)) return { at: monthsBefore(asked.at, to === 'year' ? 12 : 1) }
  const { start, end, at } = asked
  const months = wholeMonths(start, end)
  if (to === 'year') {
    const last = months === undefined ? sameDayBefore(end, 12) : monthsBefore(end, 12)
    return { start: sameDayBefore(start, 12), end: last, ...(at && { at: monthsBefore(at, 12) }) }
  }
  const back = (day: string) => (months === undefined ? daysBefore(day, daysIn(start, end)) : monthsBefore(day, months))
  return { start: back(start), end: dayBefore(dayStart(start)), ...(at && { at: back(at) }) }
}

function daysIn(start: string, end: string): number {
  return Math.round((dayAfter(end).getTime() - dayStart(start).getTime()) / DAY_MS)
}

function daysBefore(day: string, days: number): string {
  return dayOf(new Date(dayStart(day).getTime() - days * DAY_MS))
}

// Undefined if the range is not whole calendar months.
function wholeMonths(start: string, end: string): number | undefined {
  if (!start.endsWith('-01') || !isLastOfMonth(end)) return undefined
  return monthOf(end) - monthOf(start) + 1
}

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

function isLastOfMonth(day: string): boolean {
  return dayOf(dayAfter(day)).endsWith('-01')
}

function monthsBefore(day: string, months: number): string {
  return isLastOfMonth(day) ? lastOfMonth(monthOf(day) - months) : sameDayBefore(day, months)
}

// The last day of the month if the month is shorter.
function sameDayBefore(day: string, months: number): string {
  const month = monthOf(day) - months
  const last = lastOfMonth(month)
  const same = `${last.slice(0, 7)}${day.slice(7)}`
  return same < last ? same : last
}

function lastOfMonth(month: number): string {
  const next = Math.max(month + 1, 0)
  const first = `${String(Math.floor(next / 12)).padStart(4, '0')}-${String((next % 12) + 1).padStart(2, '0')}-01`
  return dayBefore(dayStart(first))
}

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
import { beyondHorizon, ONLY_FORECAST } from './forecast.ts'
import { type IssueSink, mustBe } from './issues.ts'
import type { Given } from './raw-parameters.ts'

type Counted = 'to_date' | 'full' | 'ahead'

/**
 * A named range. `to_date`: `count` periods, of which the running one is the last and ends today. `full`: `count` whole periods before the
 * running one. `ahead`: `count` whole periods after the running one. `all`: all days up to today.
 */
export type NamedRange =
  | { readonly kind: Counted; readonly interval: Interval; readonly count: number }
  | { readonly kind: 'all' }

const FIXED: Readonly<Record<string, NamedRange>> = {
  'this-month': { kind: 'to_date', interval: 'month', count: 1 },
  'last-month': { kind: 'full', interval: 'month', count: 1 },
  'this-quarter': { kind: 'to_date', interval: 'quarter', count: 1 },
  'last-quarter': { kind: 'full', interval: 'quarter', count: 1 },
  'this-year': { kind: 'to_date', interval: 'year', count: 1 },
  'last-year': { kind: 'full', interval: 'year', count: 1 },
  'next-month': { kind: 'ahead', interval: 'month', count: 1 },
  'next-quarter': { kind: 'ahead', interval: 'quarter', count: 1 },
  'next-year': { kind: 'ahead', interval: 'year', count: 1 },
  mtd: { kind: 'to_date', interval: 'month', count: 1 },
  qtd: { kind: 'to_date', interval: 'quarter', count: 1 },
  ytd: { kind: 'to_date', interval: 'year', count: 1 },
  all: { kind: 'all' },
}

const COUNTED = /^last-([1-9]\d{0,3})-(full-)?(day|week|month|quarter|year)s?$/
const AHEAD = /^next-([1-9]\d{0,3})-(day|week|month|quarter|year)s?$/

/** Names of ranges for messages. N is a number from 1. */
export const RANGE_NAMES: readonly string[] = [
  ...Object.keys(FIXED),
  'last-N-days|weeks|months|quarters|years',
  'last-N-full-days|weeks|months|quarters|years',
  'next-N-days|weeks|months|quarters|years',
]

/** The rule of named ranges, for the API document and the tools of a model. */
export const RANGE_RULE =
  'this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one.'

/** Pattern of range names, for the API document. */
export const RANGE_PATTERN = new RegExp(
  `^(${Object.keys(FIXED).join('|')}|${COUNTED.source.slice(1, -1)}|${AHEAD.source.slice(1, -1)})$`,
)

/** The range with this name; undefined for an unknown name. */
export function parseRange(given: unknown): NamedRange | undefined {
  if (typeof given !== 'string') return undefined
  if (Object.hasOwn(FIXED, given)) return FIXED[given]
  const [, count, full, interval] = COUNTED.exec(given) ?? []
  if (count !== undefined)
    return { kind: full === undefined ? 'to_date' : 'full', interval: interval as Interval, count: Number(count) }
  const [, ahead, step] = AHEAD.exec(given) ?? []
  return ahead === undefined ? undefined : { kind: 'ahead', interval: step as Interval, count: Number(ahead) }
}

/** Message for too many periods, and for words in the wrong order; undefined for other names. */
export function refusedRange(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  if (/^(last-\d{1,40}-(full-)?|next-\d{1,40}-)(day|week|month|quarter|year)s?$/.test(given))
    return `"range" must count 1 to 9999 periods; got "${given}".`
  const [, count, interval] = /^last-full-([1-9]\d{0,3})-((?:day|week|month|quarter|year)s?)$/.exec(given) ?? []
  return count === undefined ? undefined : `"range" must be "last-${count}-full-${interval}"; got "${given}".`
}

/** First and last day of the range, as of now on the clock (D2, D5). */
export function daysOfRange(range: NamedRange, now: Date): readonly [string, string] {
  const today = dayOf(now)
  if (range.kind === 'all') return [dayOf(BEGINNING), today]
  const { kind, interval, count } = range
  const current = periodStart(now, interval)
  if (kind === 'ahead') {
    const first = nextPeriod(current, interval)
    return [dayOf(first), dayBefore(periodsOn(first, interval, count))]
  }
  if (kind === 'to_date') return [dayOf(periodsOn(current, interval, 1 - count)), today]
  return [dayOf(periodsOn(current, interval, -count)), dayBefore(current)]
}

/**
 * The days of `range`, with the place where it was given; undefined without a range. Reports a range given together with `start` or `end`
 * (`hasDays`), and a range that begins before all facts. A range after today needs a forecast: `until` is the last instant that it knows,
 * or the reason why there is none.
 */
export function readNamedRange(
  given: Given<NamedRange> | undefined,
  hasDays: boolean,
  now: Date,
  report: IssueSink,
  until: Date | string = ONLY_FORECAST,
): Given<readonly [string, string]> | undefined {
  if (given === undefined) return undefined
  const { where } = given
  if (hasDays) report('invalid_range', where, '"range" replaces "start" and "end": give one or the other.')
  const refusal = refusedAhead(given.value, now, until)
  if (refusal !== undefined) {
    report('invalid_range', where, refusal)
    return undefined
  }
  const value = daysOfRange(given.value, now)
  if (value[0] >= dayOf(BEGINNING)) return { value, where }
  report('invalid_value', where, mustBe('range', `one that begins on ${dayOf(BEGINNING)} or later`, value[0]))
  return undefined
}

// Undefined if the forecast knows the whole range. Compared as instants, because a count may lead beyond the years of four digits.
function refusedAhead(range: NamedRange, now: Date, until: Date | string): string | undefined {
  if (range.kind !== 'ahead') return undefined
  if (typeof until === 'string') return until
  const end = periodsOn(periodStart(now, range.interval), range.interval, range.count + 1)
  return end > dayAfter(dayOf(until)) ? beyondHorizon(until) : undefined
}

/** Comparison times: the time just before, or a year before. */
export const EARLIER = ['previous', 'year'] as const
export type Earlier = (typeof EARLIER)[number]

/** Days of a request: one day, or a range with an optional day `at`. */
export type RequestDays =
  | { readonly at: string }
  | { readonly start: string; readonly end: string; readonly at?: string | undefined }

/** The days up to today, because a day to come is answered as of now (D3). A range that begins after today does not change. */
export function upTo(today: string, asked: RequestDays): RequestDays {
  const cut = (day: string) => (day > today ? today : day)
  if (!('start' in asked)) return { at: cut(asked.at) }
  if (asked.start > today) return asked
  return { start: asked.start, end: cut(asked.end), ...(asked.at && { at: cut(asked.at) }) }
}

const DAY_MS = 86_400_000

/**
 * The days to compare with. `previous` of a range is the same number of days just before it, or of months if the range is whole months
 * (quarters and years included). For a named range up to today, it is the days that are as many periods earlier: month to date against the
 * same days of the month before. `previous` of a day is the same day one month before. The last day of a month stays the last day. `year` is
 * the same days one year before.
 */
export function earlierDays(asked: RequestDays, to: Earlier, named?: NamedRange): RequestDays {
  if (!('start' in asked)) return { at: monthsBefore(asked.at, to === 'year' ? 12 : 1) }
  const { start, end, at } = asked
  const months = wholeMonths(start, end)
  if (to === 'year') {
    const last = months === undefined ? sameDayBefore(end, 12) : monthsBefore(end, 12)
    return { start: sameDayBefore(start, 12), end: last, ...(at && { at: monthsBefore(at, 12) }) }
  }
  if (named?.kind === 'to_date') {
    const back = (day: string) => periodsBefore(day, named)
    return { start: back(start), end: back(end), ...(at && { at: back(at) }) }
  }
  const back = (day: string) => (months === undefined ? daysBefore(day, daysIn(start, end)) : monthsBefore(day, months))
  return { start: back(start), end: dayBefore(dayStart(start)), ...(at && { at: back(at) }) }
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const
const DAYS = { day: 1, week: 7 } as const

// As many periods before the day as the range has.
function periodsBefore(day: string, { interval, count }: Extract<NamedRange, { kind: Counted }>): string {
  if (interval === 'day' || interval === 'week') return daysBefore(day, DAYS[interval] * count)
  return monthsBefore(day, MONTHS[interval] * count)
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

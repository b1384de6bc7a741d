import { dayBefore, dayStart, type Interval, monthName, nextPeriod } from '../../core/periods.ts'
import { daysOfRange, parseRange } from '../presentation/parameters.ts'
import { type CommandInput, UsageError } from './command.ts'
import type { OptionName } from './options.ts'

/** First and last day. */
type Days = readonly [first: string, last: string]

/** Which day of a longer period an option means. */
const EDGES: Readonly<Partial<Record<OptionName, 'first' | 'last'>>> = {
  start: 'first',
  since: 'first',
  period: 'first',
  'cohort-month': 'first',
  'active-month': 'first',
  at: 'last',
  end: 'last',
  'expires-at': 'last',
}

/**
 * The options with each word for days in the place of its days: `yesterday`, `2026-10`, `last month`. `start` takes the first day of a period, `at`
 * and `end` take the last one. A range of other days than those of a named range becomes `start` and `end`. Everything else stays, and the engine
 * judges it. With `untilToday`, a running period ends today. With `isMonth`, `period` takes the name of a month, and no other days. UsageError if such a
 * range comes with `start` or `end`.
 */
export function withDayWords(input: CommandInput, today: string, untilToday: boolean, isMonth = false): CommandInput {
  const values = new Map(input.values)
  const daysOf = (text: string) => cutDays(daysOfWord(text, today), untilToday ? today : undefined)
  for (const [name, edge] of Object.entries(EDGES) as [OptionName, 'first' | 'last'][]) {
    const given = values.get(name)
    if (given !== undefined && name === 'period' && isMonth)
      values.set(
        name,
        given.map((text) => monthOf(daysOfWord(text, today)) ?? text),
      )
    else if (given !== undefined)
      values.set(
        name,
        given.map((text) => daysOf(text)?.[edge === 'first' ? 0 : 1] ?? text),
      )
  }
  const [range] = values.get('range') ?? []
  const named = range === undefined ? undefined : rangeName(range)
  const days = range === undefined || named !== undefined ? undefined : daysOf(range)
  if (named !== undefined) values.set('range', [named])
  if (days === undefined) return { ...input, values }
  if (values.has('start') || values.has('end'))
    throw new UsageError(['--range replaces --start and --end: give one or the other'])
  values.delete('range')
  const [start, end] = days
  return { ...input, values: values.set('start', [start]).set('end', [end]) }
}

// A month, also up to today. Undefined for other days: a single day is no month, also on the first one.
function monthOf(days: Days | undefined): string | undefined {
  if (days === undefined || days[0] === days[1] || !days[0].endsWith('-01') || monthName(days[0]) !== monthName(days[1]))
    return undefined
  return monthName(days[0])
}

// A day of a running period may not have come yet.
function cutDays(days: Days | undefined, today: string | undefined): Days | undefined {
  if (days === undefined || today === undefined || days[0] > today || days[1] < today) return days
  return [days[0], today]
}

/** The days that a word means as of today; undefined for a text that is none of them. */
function daysOfWord(text: string, today: string): Days | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'today') return [today, today]
  const before = dayBefore(dayStart(today))
  if (word === 'yesterday') return [before, before]
  const calendar = calendarPeriod(word)
  if (calendar !== undefined) return calendar
  const name = rangeName(word)
  const range = name === undefined ? undefined : parseRange(name)
  return range === undefined || range.kind === 'all' ? undefined : daysOfRange(range, dayStart(today))
}

/** A year, a quarter or a month of the calendar: `2026`, `2026-Q3`, `2026-10`. */
function calendarPeriod(word: string): Days | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-?q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(word) ?? []
  if (year === undefined || year === '0000') return undefined
  const first = quarter === undefined ? (month ?? '01') : String(3 * Number(quarter) - 2).padStart(2, '0')
  const length: Interval = quarter !== undefined ? 'quarter' : month !== undefined ? 'month' : 'year'
  const start = `${year}-${first}-01`
  return [start, dayBefore(nextPeriod(dayStart(start), length))]
}

/** The name of a range that is written with spaces, capitals or underscores; undefined for other texts. */
function rangeName(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return parseRange(name) === undefined ? undefined : name
}

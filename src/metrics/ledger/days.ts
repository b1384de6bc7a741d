import type { InlineRelation } from '../../compiler/inline.ts'
import { dayBefore, dayOf, dayStart, numberOfDay } from '../../core/periods.ts'
import type { Timeframe } from '../../query/timeframe.ts'
import { ratioPeriods } from '../readings/periods.ts'

/** Day before everything. */
const NO_DAY = -4_000_000

/** A period of a statement, by its days. */
export interface BookPeriod {
  readonly first: string
  readonly last: string
}

/** The periods of a request by their days, inclusive; for a point the day alone. */
export function bookPeriods(time: Timeframe): readonly BookPeriod[] {
  if (time.kind === 'point') return [{ first: time.day, last: dayOf(new Date(time.before.getTime() - 1)) }]
  if (time.from >= time.to) return []
  return ratioPeriods(time).map(({ from, to }) => ({ first: dayOf(from), last: dayOf(new Date(to.getTime() - 1)) }))
}

/** Relation `ledger_day`: the days at whose ends a statement reads the books, each with the day before its period. */
export function dayRelation(days: readonly { readonly day: string; readonly before: string | null }[]): InlineRelation {
  return {
    name: 'ledger_day',
    columns: [
      { name: 'day_index', type: 'integer' },
      { name: 'day_number', type: 'integer' },
      { name: 'day_before', type: 'integer' },
    ],
    rows: days.map(({ day, before }, index) => [index, numberOfDay(day), before === null ? NO_DAY : numberOfDay(before)]),
  }
}

/** The day before the first period, then the last day of each. */
export function boundaries(periods: readonly BookPeriod[]): InlineRelation {
  const [first] = periods
  const opening = first === undefined ? [] : [{ day: dayBefore(dayStart(first.first)), before: null }]
  return dayRelation([...opening, ...periods.map(({ first, last }) => ({ day: last, before: dayBefore(dayStart(first)) }))])
}

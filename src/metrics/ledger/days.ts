import type { InlineRelation } from '../../compiler/inline.ts'
import { dayBefore, dayOf, dayStart, numberOfDay } from '../../core/periods.ts'
import type { Timeframe } from '../../query/timeframe.ts'
import { ratioPeriods } from '../readings/periods.ts'
import { NEVER } from './options.ts'

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

/** A day at whose end a statement reads the books. */
export interface BookDay {
  readonly day: string
  /** The day before its period. Null: the beginning of everything. */
  readonly before: string | null
  /** Day after which no charge was posted that counts (R22). Absent: all count. */
  readonly known?: string | undefined
}

/** Relation `ledger_day`: the days at whose ends a statement reads the books. */
export function dayRelation(days: readonly BookDay[]): InlineRelation {
  return {
    name: 'ledger_day',
    columns: [
      { name: 'day_index', type: 'integer' },
      { name: 'day_number', type: 'integer' },
      { name: 'day_before', type: 'integer' },
      { name: 'known_day', type: 'integer' },
    ],
    rows: days.map(({ day, before, known }, index) => [
      index,
      numberOfDay(day),
      before === null ? NO_DAY : numberOfDay(before),
      numberOfDay(known ?? NEVER),
    ]),
  }
}

/** The day before the first period, then the last day of each, each as `knownOn` says. */
export function boundaries(periods: readonly BookPeriod[], knownOn: (day: string) => string | undefined): InlineRelation {
  const [first] = periods
  const opening = first === undefined ? [] : [{ day: dayBefore(dayStart(first.first)), before: null }]
  const closings = periods.map(({ first, last }) => ({ day: last, before: dayBefore(dayStart(first)) }))
  return dayRelation([...opening, ...closings].map((each) => ({ ...each, known: knownOn(each.day) })))
}

/** The day before each period as its own month and as that of the period know it (R22): what became known in between is late. */
export function lateDays(periods: readonly BookPeriod[], knownOn: (day: string) => string | undefined): InlineRelation {
  const days = periods.flatMap(({ first, last }) => {
    const day = dayBefore(dayStart(first))
    return [day, last].map((closed) => ({ day, before: null, known: knownOn(closed) }))
  })
  return dayRelation(days)
}

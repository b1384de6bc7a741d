import * as z from 'zod'
import { dayBefore, dayOf, type Period, periodsBetween, periodsOn } from '../../core/periods.ts'
import { rangeTime } from '../../query/request.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import { cents } from '../columns.ts'
import { defineList, type RowsByMeasure } from '../define-query.ts'
import type { MetricContext } from '../readings/context.ts'
import type { CellContext } from '../readings/counted.ts'
import { charges } from './counted.ts'
import { dayRelation } from './days.ts'
import { CHARGE_INPUTS } from './fields.ts'
import { NEVER } from './options.ts'
import { levelRun, readStates } from './revenue.ts'

/** Months after the month of the request that have a row each. Everything after them is one row. */
const MONTHS = 24

/** The months that have a row also if nothing is recognized in them. */
const ALWAYS = 12

/** The row of everything after the months. */
const LATER = 'later'

/** The months to come, by their first days, and the rest (D100). */
function monthsToCome({ to }: Pick<RangeTime, 'to'>): readonly string[] {
  return [...monthsAfter(to).map(({ from }) => dayOf(from)), LATER]
}

function monthsAfter(to: Date): readonly Period[] {
  return periodsBetween(to, periodsOn(to, 'month', MONTHS), 'month')
}

/** Deferred revenue at the end of the month, by the month in which it becomes revenue (D100). Together they are the deferred revenue of the day. */
export async function readDeferred(given: MetricContext) {
  const context = asKnown(given)
  const time = rangeTime(given.request)
  const days = daysOf(time)
  const run = { ...levelRun(context, []), inline: [dayRelation(days.map((day) => ({ day, before: null })))] }
  const names = monthsToCome(time)
  const groups = await readStates(context, run, days.length)
  const isTotal = given.request.dimensions.length === 0
  return (groups.length === 0 && isTotal ? [{ values: [], periods: [] }] : groups).flatMap(({ values, periods }) =>
    names.flatMap((recognized_month, index) => {
      const deferred = (periods[index + 1]?.recognized ?? 0) - (periods[index]?.recognized ?? 0)
      if (deferred === 0 && !(isTotal && index < ALWAYS)) return []
      return [{ order: [index], keys: { recognized_month }, values, measures: { deferred } }]
    }),
  )
}

/** The books as they are known at the end of the month: nothing that is posted later counts. */
function asKnown<Context extends Pick<MetricContext, 'request'>>(context: Context): Context {
  const known_at = dayBefore(rangeTime(context.request).to)
  return { ...context, request: { ...context.request, ledger: { ...context.request.ledger, known_at } } }
}

/** The last day of the month, the last days of the months to come, and a day after all. */
function daysOf({ to }: RangeTime): readonly string[] {
  return [dayBefore(to), ...monthsAfter(to).map((month) => dayBefore(month.to)), NEVER]
}

/** The rows behind a month to come: a row is a charge. */
export const DEFERRED_ROWS: RowsByMeasure = {
  deferred(given: CellContext) {
    const cell = asKnown(given)
    const time = rangeTime(given.request)
    const days = daysOf(time)
    const place = monthsToCome(time).indexOf(given.keys['recognized_month'] ?? '')
    // Without a month, the rows are those of all deferred revenue.
    const [before, end] = place < 0 ? [days[0], NEVER] : [days[place], days[place + 1]]
    const inline = [dayRelation([before, end].map((day) => ({ day: day ?? NEVER, before: null })))]
    const counted = charges('at', 'between')(cell)
    return { ...counted, parts: counted.parts.map((part) => ({ ...part, run: { ...levelRun(cell, []), inline } })) }
  },
}

/** Deferred revenue by the months to come (D100). */
export const DEFERRED = defineList({
  shows: 'totals',
  words: ['months_to_come', 'revenue_to_come'],
  summary: 'Deferred revenue at the end of a month, by the month in which it becomes revenue',
  inputs: { ...CHARGE_INPUTS, dates: 'month', step: 'none', own_parameters: ['spread', 'one_off'] },
  keys: {
    recognized_month: z.string().describe('First day of the month of recognition; `later` for all after 24 months'),
  },
  key_values: { recognized_month: monthsToCome },
  measures: { deferred: cents('Deferred revenue that becomes revenue in the month', { good: 'neither' }) },
  is_comparable: false,
  rows: DEFERRED_ROWS,
  read: readDeferred,
})

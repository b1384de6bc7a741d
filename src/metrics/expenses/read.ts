import { inSlices } from '../../core/slices.ts'
import { dayCell, integerCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import { addCents } from '../readings/add-cents.ts'
import { bucketSlots } from '../readings/buckets.ts'
import type { MetricContext } from '../readings/context.ts'
import { noExpenses, readExpenseLines } from '../readings/expenses.ts'
import { ratioPeriods } from '../readings/periods.ts'
import type { PeriodGroup } from '../readings/reading.ts'
import { tallyGroups } from '../readings/tally.ts'

/** Sums of lines, in cents. */
export interface Spent {
  amount_cents: number
  amount_base_cents: number
  line_count: number
}

/** Expenses of the range, or of each of its periods, by the fields given (D60). AppError where there is nothing to answer from. */
export async function readSpent(context: MetricContext, dimensions: readonly Field[]): Promise<readonly PeriodGroup<Spent>[]> {
  const time = rangeTime(context.request)
  const { conditions } = context.request
  const { start, end, interval } = time
  const rows = await context.inStore((store) =>
    readExpenseLines(context, store, {
      start,
      end,
      interval,
      dimensions,
      conditions,
    }),
  )
  if (rows === undefined) throw noExpenses(context)
  const tally = tallyGroups<Spent>(
    ratioPeriods(time).length,
    () => ({
      amount_cents: 0,
      amount_base_cents: 0,
      line_count: 0,
    }),
    context,
  )
  const slotOf = bucketSlots(time)
  const isOriginal = context.request.unit === 'original'
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const spent = tally.of(values, slotOf(dayCell(row, 'bucket')) - 1)
    if (spent === undefined) continue
    // Amounts of several currencies are no sum, and nobody is shown one.
    if (isOriginal) spent.amount_cents = addCents(spent.amount_cents, row, 'amount_sum')
    spent.amount_base_cents = addCents(spent.amount_base_cents, row, 'base_sum')
    spent.line_count += integerCell(row, 'line_count')
  }
  return tally.groups().map(({ values, periods: measures }) => ({ values, measures }))
}

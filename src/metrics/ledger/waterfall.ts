import { empty } from '../../compiler/fragment.ts'
import { dayOf, dayOfNumber, dayStart, numberOfDay, periodStart, periodsBetween } from '../../core/periods.ts'
import { inSlices } from '../../core/slices.ts'
import { integerCell, integerOrNull, textCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext } from '../readings/context.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, tallyGroups } from '../readings/groups.ts'
import { type BookPeriod, boundaries } from './days.ts'
import { CHARGE_KIND } from './fields.ts'
import { booksScope, booksWindow, chargeParams, closedOn, hasOtherIncome, optionsOf } from './options.ts'

/** Rows of the waterfall (R11): months of posting by months of recognition. */
export async function readWaterfall(given: MetricContext) {
  const context = ofRevenue(given)
  const months = await monthsUpTo(context)
  const last = months.at(-1)
  if (last === undefined) return []
  const { dimensions, unit } = context.request
  const suffix = unit === 'base' ? 'base_sum' : 'sum'
  const rows = await context.run({
    template: 'ledger/waterfall',
    slots: booksScope(context).slots,
    params: { ...chargeParams(context), last_day: numberOfDay(last.last), last_index: months.length },
    inline: [boundaries(months, (day) => closedOn(context, day))],
    window: booksWindow(context),
  })
  await refuseRowGaps(context, rows, booksWindow(context))
  const tally = tallyGroups<Booked>(months.length + 1, () => ({ recognized: 0, booked: 0, remaining: 0 }), context)
  for await (const row of inSlices(rows)) {
    const values = [textCell(row, 'booked_month')?.slice(0, 10) ?? null, ...dimensions.map((field) => dimensionValue(row, field))]
    const cell = tally.of(values, integerCell(row, 'day_index'))
    if (cell === undefined) continue
    cell.recognized = addCents(cell.recognized, row, `at_${suffix}`)
    cell.booked = addCents(cell.booked, row, `charged_${suffix}`)
    cell.remaining = addCents(cell.remaining, row, `remaining_${suffix}`)
  }
  const { start } = rangeTime(context.request)
  return tally.groups().flatMap(({ values: [booked_month = null, ...values], periods }) => {
    // A month before the range is none of its rows.
    if (booked_month !== null && String(booked_month) < `${start.slice(0, 7)}-01`) return []
    return waterfallRows(booked_month, values, periods, months)
  })
}

/** The same over the kinds of charges that are revenue. */
function ofRevenue(context: MetricContext): MetricContext {
  if (!hasOtherIncome(context)) return context
  const { revenue_kinds } = optionsOf(context)
  const conditions = [...context.request.conditions, { field: CHARGE_KIND, operator: 'in' as const, values: revenue_kinds }]
  return { ...context, request: { ...context.request, conditions } }
}

const NO_SLOTS = { dimensions: empty, dimension_names: empty, joins: empty, filters: empty, group_by: empty }

interface Booked {
  recognized: number
  booked: number
  remaining: number
}

function waterfallRows(
  booked_month: DimensionValue,
  values: readonly DimensionValue[],
  levels: readonly Booked[],
  months: readonly BookPeriod[],
) {
  const closing = levels.at(-1) ?? { recognized: 0, booked: 0, remaining: 0 }
  const { booked, remaining } = closing
  const adjusted = closing.recognized + remaining - booked
  const cells = months.map(({ first }, index) => ({
    month: `${first.slice(0, 7)}-01`,
    recognized: (levels[index + 1]?.recognized ?? 0) - (levels[index]?.recognized ?? 0),
  }))
  const shown = cells.filter(({ month, recognized }) => recognized !== 0 || month === booked_month)
  return shown.map(({ month, recognized }) => ({
    order: [booked_month, month],
    keys: { booked_month, recognized_month: month },
    values,
    measures: { recognized, booked, adjusted, remaining },
  }))
}

/** The months from the first charge to the end of the range. */
async function monthsUpTo(context: MetricContext): Promise<readonly BookPeriod[]> {
  const time = rangeTime(context.request)
  if (time.from >= time.to) return []
  const [row] = await context.run({
    template: 'ledger/first_day',
    slots: NO_SLOTS,
    params: chargeParams(context),
    window: booksWindow(context),
  })
  // Only a statement that is compiled and not run has no row.
  const first = row === undefined ? numberOfDay(time.start) : integerOrNull(row, 'first_known')
  if (first === null) return []
  const from = periodStart(dayStart(dayOfNumber(first)), 'month')
  return periodsBetween(from, time.to, 'month').map((period) => ({
    first: dayOf(period.from),
    last: dayOf(new Date(period.to.getTime() - 1)),
  }))
}

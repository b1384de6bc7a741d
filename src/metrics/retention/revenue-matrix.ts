import { ratio } from '../../core/money.ts'
import { BEGINNING, type Period } from '../../core/periods.ts'
import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { startScope } from '../readings/facts.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, checkSize, tallyGroups } from '../readings/groups.ts'
import { cohortsOf, knownMonths, periodRelation } from '../readings/periods.ts'
import { isComplete } from './read.ts'

/** MRR of the monthly cohorts of the range at the end of every month, compared with the end of their first month (D71). */
export async function readRevenueMatrix(context: MetricContext) {
  const time = rangeTime(context.request)
  const months = knownMonths(time)
  const cohorts = months.length === 0 ? [] : await readCohorts(context, months)
  checkSize(
    context,
    cohorts.reduce((sum, { first }) => sum + months.length - first, 0),
  )
  return flatMapInSlices(cohorts, ({ month, first, values, cells }) => {
    const start_mrr = cells[first]?.mrr ?? 0
    return months.slice(first).map((active_month, months_since) => {
      const { mrr, kept } = cells[first + months_since] ?? NOTHING
      return {
        order: [month, active_month.period],
        keys: { cohort_month: month, active_month: active_month.period },
        values,
        measures: {
          months_since,
          start_mrr,
          mrr,
          net_retention_rate: ratio(mrr, start_mrr),
          gross_retention_rate: ratio(kept, start_mrr),
          is_complete: isComplete(active_month, time, context.now),
        },
      }
    })
  })
}

/** MRR of a cohort at the end of a month, and the part of it that its customers already had in their first month. */
interface CohortMrr {
  readonly mrr: number
  readonly kept: number
}

const NOTHING: CohortMrr = { mrr: 0, kept: 0 }

/** Cohorts by month and group, with their MRR by index of the month. */
async function readCohorts(context: MetricContext, months: readonly Period[]) {
  const { dimensions } = context.request
  const rows = await context.run(revenueRun(context, months))
  await refuseRowGaps(context, rows, {
    from: BEGINNING,
    to: rangeTime(context.request).to,
  })
  const tally = tallyGroups(months.length, () => ({ ...NOTHING }), context)
  for await (const row of inSlices(rows)) {
    const month = (textCell(row, 'member_month') ?? '').slice(0, 10)
    const values = dimensions.map((field) => dimensionValue(row, field))
    const cell = tally.of([month, ...values], integerCell(row, 'period_index'))
    if (cell === undefined) continue
    cell.mrr = addCents(cell.mrr, row, 'mrr_sum')
    cell.kept = addCents(cell.kept, row, 'kept_sum')
  }
  const indexOf = new Map(months.map(({ period }, index) => [period, index]))
  return tally.groups().flatMap(({ values: [month, ...values], periods }) => {
    const first = indexOf.get(String(month))
    return first === undefined ? [] : [{ month: String(month), first, values, cells: periods }]
  })
}

/** The statement of the matrix. */
export function revenueRun(context: MetricContext, months: readonly Period[]): TemplateRun {
  const { dimensions, unit } = context.request
  const { params, window } = cohortsOf(rangeTime(context.request), months)
  return {
    template: 'retention/revenue_cohort_matrix',
    slots: startScope(context, dimensions, () => false).slots,
    params: { ...params, unit },
    window,
    inline: [periodRelation(months)],
  }
}

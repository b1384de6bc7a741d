import { ratio } from '../../core/money.ts'
import { dayOf, dayStart, nextPeriod, type Period, periodStart } from '../../core/periods.ts'
import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { liveOnly, startScope } from '../readings/facts.ts'
import { checkSize } from '../readings/groups.ts'
import { cohortsOf, knownMonths, periodRelation } from '../readings/periods.ts'

interface Cohort {
  readonly month: string
  readonly values: readonly DimensionValue[]
  /** Live customers by index of the month. */
  readonly active: Map<number, number>
}

/** Monthly cohorts of the range, with the number of live customers at the end of every later month (D47, D48). */
export async function readMatrix(context: MetricContext) {
  const time = rangeTime(context.request)
  const months = knownMonths(time)
  const cohorts = months.length === 0 ? [] : await readCohorts(context, months)
  const indexOf = new Map(months.map(({ period }, index) => [period, index]))
  const present = cohorts.flatMap((cohort) => {
    const first = indexOf.get(cohort.month)
    const size = first === undefined ? 0 : (cohort.active.get(first) ?? 0)
    return first === undefined || size === 0 ? [] : [{ ...cohort, first, size }]
  })
  checkSize(
    context,
    present.reduce((sum, { first }) => sum + months.length - first, 0),
  )
  return flatMapInSlices(present, ({ month, values, active, first, size }) =>
    months.slice(first).map((active_month, months_since) => {
      const active_count = active.get(first + months_since) ?? 0
      return {
        order: [month, active_month.period],
        keys: { cohort_month: month, active_month: active_month.period },
        values,
        measures: {
          months_since,
          cohort_size: size,
          active_count,
          retention_rate: ratio(active_count, size),
          is_complete: isComplete(active_month, time, context.now),
        },
      }
    }),
  )
}

/** The statement of the cohorts, by month of the range. */
export function cohortRun(context: MetricContext, months: readonly Period[]): TemplateRun {
  const time = rangeTime(context.request)
  const scope = startScope(context, context.request.dimensions, () => false)
  const { params, window } = cohortsOf(time, months)
  return {
    template: 'retention/cohort_matrix',
    slots: scope.slots,
    params: { ...params, ...liveOnly(context.request) },
    window,
    inline: [periodRelation(months)],
  }
}

async function readCohorts(context: MetricContext, months: readonly Period[]): Promise<readonly Cohort[]> {
  const { dimensions } = context.request
  const rows = await context.run(cohortRun(context, months))
  const cohorts = new Map<string, Cohort>()
  for await (const row of inSlices(rows)) {
    const month = (textCell(row, 'member_month') ?? '').slice(0, 10)
    const values = dimensions.map((field) => dimensionValue(row, field))
    const key = JSON.stringify([month, values])
    const cohort = cohorts.get(key) ?? { month, values, active: new Map() }
    const period = integerCell(row, 'period_index')
    cohort.active.set(period, (cohort.active.get(period) ?? 0) + integerCell(row, 'active_count'))
    cohorts.set(key, cohort)
  }
  return [...cohorts.values()]
}

/** True if the month ends by the end of the range and is over now. */
export function isComplete({ period }: Period, time: RangeTime, now: Date): boolean {
  const end = nextPeriod(periodStart(dayStart(period), 'month'), 'month')
  return end <= time.to && dayOf(end) <= dayOf(now)
}

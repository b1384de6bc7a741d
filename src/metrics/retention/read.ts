import { ratio } from '../../core/money.ts'
import { dayOf, dayStart, nextPeriod, type Period, periodStart } from '../../core/periods.ts'
import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { liveOnly, startScope, windowOf } from '../readings/facts.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, checkSize, type TalliedGroup, tallyGroups } from '../readings/groups.ts'
import { cohortsOf, knownMonths, periodRelation, ratioPeriods } from '../readings/periods.ts'

const SUMS = [
  'start_sum',
  'net_sum',
  'gross_sum',
  'expansion_sum',
  'contraction_sum',
  'churn_sum',
  'returned_sum',
  'returned_unpriced_count',
  'returned_unrated_count',
] as const
type Sums = Record<(typeof SUMS)[number], number>

/** Retained share of the start cohort's MRR, with growth (`net_sum`) or without (`gross_sum`). Only growth can contain reactivations (D45). */
export async function readRetained(context: MetricContext, kept: 'net_sum' | 'gross_sum') {
  const counts = kept === 'net_sum' && countsReturned(context)
  return (await readSums(context, counts)).map(({ values, periods }) => ({
    values,
    measures: periods.map((sums) => ({
      retention_rate: ratio(sums[kept], sums.start_sum),
      start_mrr: sums.start_sum,
      expansion: sums.expansion_sum,
      contraction: sums.contraction_sum,
      churn: sums.churn_sum,
      reactivation: counts ? sums.returned_sum : 0,
      reactivation_excluded: counts ? 0 : returnedIn(context, sums),
    })),
  }))
}

/** True if MRR that returns by reactivation counts as a gain. */
export function countsReturned({ definitions }: MetricContext): boolean {
  return definitions.nrr_reactivation === 'include'
}

// MRR that came back by reactivation and that no retention rate counts. It is null if a price or an exchange rate is missing. The gap does
// not fail the request.
function returnedIn({ request, definitions }: MetricContext, sums: Sums): number | null {
  const unrated = request.unit === 'base' ? sums.returned_unrated_count : 0
  const unpriced = definitions.allow_unpriced ? 0 : sums.returned_unpriced_count
  return unrated + unpriced > 0 ? null : sums.returned_sum
}

async function readSums(context: MetricContext, counts: boolean): Promise<readonly TalliedGroup<Sums>[]> {
  const { dimensions } = context.request
  const time = rangeTime(context.request)
  const periods = ratioPeriods(time)
  if (periods.length === 0) return []
  const tally = tallyGroups(periods.length, nothing, context)
  const rows = await context.run(retainedRun(context, periods, counts))
  await refuseRowGaps(context, rows, time)
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const sums = tally.of(values, integerCell(row, 'period_index'))
    if (sums !== undefined) for (const name of SUMS) sums[name] = addCents(sums[name], row, name)
  }
  return tally.groups()
}

/** The statement of start MRR and movements of the start cohort. Reactivations are gains if `counts_returned`. */
export function retainedRun(context: MetricContext, periods: readonly Period[], counts_returned: boolean): TemplateRun {
  const { dimensions, unit } = context.request
  const scope = startScope(context, dimensions, () => false)
  return {
    template: 'retention/nrr',
    slots: scope.slots,
    params: { unit, all_customers: false, counts_returned },
    window: windowOf(scope, rangeTime(context.request)),
    inline: [periodRelation(periods)],
  }
}

function nothing(): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums
}

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

import { ratio } from '../../core/money.ts'
import { BEGINNING, dayStart, nextPeriod, type Period } from '../../core/periods.ts'
import { flatMapInSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import { addCents } from '../readings/add-cents.ts'
import type { MetricContext } from '../readings/context.ts'
import { completeGroups } from '../readings/groups.ts'
import { cohortMonths } from '../readings/periods.ts'
import { checkSize } from '../readings/reading.ts'
import { settleRowGaps } from '../readings/row-gaps.ts'
import { startScope } from '../readings/start-scope.ts'

interface CohortGroup {
  readonly values: readonly DimensionValue[]
  readonly byMonth: Map<string, { customers: number; revenue: number }>
}

/** What the customers of each monthly cohort paid in the range; every month of the range (D51). */
export async function readCohorts(context: MetricContext) {
  const months = cohortMonths(rangeTime(context.request))
  const everyone = () => true
  const groups = completeGroups(context, await readGroups(context, months), everyone, (values) => ({
    values,
    byMonth: new Map(),
  }))
  checkSize(context, groups.length * months.length)
  return flatMapInSlices(groups, ({ values, byMonth }) =>
    months.map(({ period }) => {
      const { customers, revenue } = byMonth.get(period) ?? {
        customers: 0,
        revenue: 0,
      }
      return {
        order: [period],
        keys: { cohort_month: period },
        values,
        measures: {
          customer_count: customers,
          total_revenue: revenue,
          avg_revenue_per_customer: ratio(revenue, customers, 2),
        },
      }
    }),
  )
}

async function readGroups(context: MetricContext, months: readonly Period[]): Promise<readonly CohortGroup[]> {
  const { dimensions, unit } = context.request
  const groups = new Map<string, CohortGroup>()
  for (const row of months.length === 0 ? [] : await readPaid(context, months)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, byMonth: new Map() }
    groups.set(key, group)
    const month = (textCell(row, 'member_month') ?? '').slice(0, 10)
    const sums = group.byMonth.get(month) ?? { customers: 0, revenue: 0 }
    sums.customers += integerCell(row, 'member_count')
    sums.revenue = addCents(sums.revenue, row, unit === 'base' ? 'paid_base_sum' : 'paid_sum')
    group.byMonth.set(month, sums)
  }
  return [...groups.values()]
}

async function readPaid(context: MetricContext, months: readonly Period[]): Promise<readonly Row[]> {
  const time = rangeTime(context.request)
  const first_month = months[0]?.period ?? time.start
  const last_month = months.at(-1)?.period ?? time.end
  const scope = startScope(context, context.request.dimensions, ({ key }) => key === 'paid_at')
  const rows = await context.run({
    template: 'ltv/cohort',
    slots: scope.slots,
    params: {
      start: time.from,
      end: time.to,
      first_month,
      last_month,
      cohorts_end: nextPeriod(dayStart(last_month), 'month'),
      base_currency: context.definitions.base_currency,
      // Every invoice counts here, not just those with usage.
    },
    window: { from: BEGINNING, to: nextPeriod(dayStart(last_month), 'month') },
  })
  await settleRowGaps(context, rows, { from: BEGINNING, to: time.to })
  return rows
}

import { ratio } from '../../core/money.ts'
import { BEGINNING, dayStart, nextPeriod, type Period } from '../../core/periods.ts'
import { type DimensionValue, dimensionValue, integerCell, type ResultRow, textCell } from '../../query/cells.ts'
import { rangeTime } from '../../query/request.ts'
import { cohortMonths } from '../cohort-months.ts'
import type { MetricContext, MetricResult } from '../define-metric.ts'
import { completeGroups } from '../groups.ts'
import { checkSize, type KeyedRow, rowsResult } from '../rows.ts'
import { settleRowGaps, startScope } from '../start-scope.ts'

const MEASURES = ['customer_count', 'total_revenue', 'avg_revenue_per_customer']

interface CohortGroup {
  readonly values: readonly DimensionValue[]
  readonly byMonth: Map<string, { customers: number; revenue: number }>
}

/** What the customers of each monthly cohort paid in the range; every month of the range (D51). */
export async function answerCohort(context: MetricContext): Promise<MetricResult> {
  const months = cohortMonths(rangeTime(context.request))
  const everyone = () => true
  const groups = completeGroups(context, await readGroups(context, months), everyone, (values) => ({
    values,
    byMonth: new Map(),
  }))
  checkSize(context, groups.length * months.length)
  const rows = groups.flatMap(({ values, byMonth }) =>
    months.map(({ period }): KeyedRow => {
      const { customers, revenue } = byMonth.get(period) ?? { customers: 0, revenue: 0 }
      return {
        order: [period],
        keys: { cohort_month: period },
        values,
        measures: { customer_count: customers, total_revenue: revenue, avg_revenue_per_customer: ratio(revenue, customers, 2) },
      }
    }),
  )
  return rowsResult(context, { keys: ['cohort_month'], measures: MEASURES }, rows)
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
    sums.revenue += integerCell(row, unit === 'base' ? 'paid_base_sum' : 'paid_sum')
    group.byMonth.set(month, sums)
  }
  return [...groups.values()]
}

async function readPaid(context: MetricContext, months: readonly Period[]): Promise<readonly ResultRow[]> {
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
      usage_invoices_only: false,
    },
    window: { from: BEGINNING, to: nextPeriod(dayStart(last_month), 'month') },
  })
  await settleRowGaps(context, rows, { from: BEGINNING, to: time.to })
  return rows
}

import { ratio } from '../../core/money.ts'
import { BEGINNING, dayOf, type Period } from '../../core/periods.ts'
import { flatMapInSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import { pointAt, type RangeTime } from '../../query/timeframe.ts'
import { LOGO_CHURN } from '../churn/facts.ts'
import { readNumbers } from '../formula.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { endingWith } from '../readings/fact.ts'
import { startScope } from '../readings/facts.ts'
import { type Fraction, fraction, fullMonths, mean, perMonth, quotient, rounded } from '../readings/fraction.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, checkSize, completeGroups } from '../readings/groups.ts'
import { cohortMonths, cohortsOf } from '../readings/periods.ts'
import { ARPU } from './paying.ts'

/** ARPU divided by the monthly logo churn rate of the range (D50). */
export async function readSimple(context: MetricContext) {
  const time = rangeTime(context.request)
  const { before } = pointAt(context.request.at ?? time.end, context.now)
  const { dimensions } = context.request
  const paying = await readNumbers(context, ARPU, { periods: [endingWith(before)], dimensions })
  const arpus = new Map(paying.map(({ values, measures: [at] }) => [JSON.stringify(values), { values, at }]))
  const rates = await readMonthlyRates(context, time)
  const groups = new Map<string, readonly DimensionValue[]>([...rates, ...arpus].map(([key, { values }]) => [key, values]))
  return [...groups].map(([key, values]) => {
    const at = arpus.get(key)?.at
    const arpu = at === undefined ? undefined : fraction(at.mrr, at.active_customers)
    const rate = rates.get(key)?.rate
    const ltv = arpu === undefined || rate === undefined ? undefined : quotient(arpu, rate)
    return {
      values,
      measures: [
        {
          ltv: rounded(ltv, 2),
          arpu: rounded(arpu, 2),
          logo_churn_rate: rounded(rate, 6),
        },
      ],
    }
  })
}

interface MonthlyRate {
  readonly values: readonly DimensionValue[]
  readonly rate: Fraction | undefined
}

// Mean of the full months. Without a full month, the rate of the range scaled to a month of 365/12 days.
async function readMonthlyRates(context: MetricContext, time: RangeTime): Promise<ReadonlyMap<string, MonthlyRate>> {
  const months = fullMonths(time, context.now)
  const periods = months.length > 0 ? months : [{ period: time.start, from: time.from, to: time.to }]
  const groups = await readNumbers(context, LOGO_CHURN, { periods, dimensions: context.request.dimensions })
  return new Map(
    groups.map(({ values, measures }) => {
      const rate = mean(measures.flatMap(({ churn_count, active_at_start }) => fraction(churn_count, active_at_start) ?? []))
      return [
        JSON.stringify(values),
        { values, rate: months.length > 0 || rate === undefined ? rate : perMonth(rate, time, context.now) },
      ]
    }),
  )
}

interface CohortGroup {
  readonly values: readonly DimensionValue[]
  readonly byMonth: Map<string, { customers: number; revenue: number }>
}

/** Revenue in the range from each monthly cohort, for every month of the range (D51). */
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
  const rows = await context.run(paidRun(context, months))
  await refuseRowGaps(context, rows, { from: BEGINNING, to: rangeTime(context.request).to })
  return rows
}

/** The statement of the cohorts' members and their payments. */
export function paidRun(context: MetricContext, months: readonly Period[]): TemplateRun {
  const { dimensions, unit } = context.request
  const time = rangeTime(context.request)
  const { params, window } = cohortsOf(time, months)
  const scope = startScope(context, dimensions, ({ key }) => key === 'paid_at')
  const { lifetime, base_currency } = context.definitions
  const paid = lifetime ? { from: BEGINNING, to: pointAt(dayOf(context.now), context.now).before } : time
  return {
    template: 'ltv/cohort',
    slots: scope.slots,
    params: {
      start: paid.from,
      end: paid.to,
      ...params,
      cohorts_end: window.to,
      base_currency,
      unit,
    },
    window,
  }
}

import { sql } from '../../compiler/fragment.ts'
import { ratio } from '../../core/money.ts'
import { BEGINNING, dayOf, type Period } from '../../core/periods.ts'
import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt, type RangeTime } from '../../query/timeframe.ts'
import { readLogo } from '../churn/rates.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { levelFact, startScope, windowOf } from '../readings/facts.ts'
import { type Fraction, fraction, fullMonths, mean, perMonth, quotient, rounded } from '../readings/fraction.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, checkSize, completeGroups, type TalliedGroup, tallyGroups } from '../readings/groups.ts'
import { cohortMonths, cohortsOf, instantRelation } from '../readings/periods.ts'

/** MRR in cents, and the number of customers with MRR. */
interface Paying {
  mrr: number
  active_customers: number
}

/** MRR and paying customers just before each instant (D49). Instants ascend; without instants there are no groups. */
async function readPaying(context: MetricContext, instants: readonly Date[]): Promise<readonly TalliedGroup<Paying>[]> {
  const { dimensions } = context.request
  const [first, last] = [instants[0], instants.at(-1)]
  if (first === undefined || last === undefined) return []
  const tally = tallyGroups<Paying>(
    instants.length,
    () => ({
      mrr: 0,
      active_customers: 0,
    }),
    context,
  )
  const rows = await context.run(payingRun(context, instants))
  await refuseRowGaps(context, rows, { from: first, to: last })
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const sums = tally.of(values, integerCell(row, 'instant_index'))
    if (sums === undefined) continue
    sums.mrr = addCents(sums.mrr, row, 'mrr_sum')
    sums.active_customers += integerCell(row, 'payer_count')
  }
  return tally.groups()
}

/** The statement of MRR and paying customers just before each instant. */
export function payingRun(context: MetricContext, instants: readonly Date[]): TemplateRun {
  const { dimensions, conditions, unit } = context.request
  const [start = context.now, end = start] = [instants[0], instants.at(-1)]
  const scope = compileScope(dimensions, conditions, levelFact(context, sql`instant.ends_before`))
  return {
    template: 'ltv/arpu',
    slots: scope.slots,
    params: { start, end, unit },
    window: windowOf(scope, { from: start, to: end }),
    inline: [instantRelation(instants)],
  }
}

/** MRR per paying customer on a day, or at the end of each period (D49). */
export async function readArpu(context: MetricContext) {
  const { time } = context.request
  const instants = time.kind === 'point' ? [time.before] : time.periods.map(({ to }) => to)
  return (await readPaying(context, instants)).map(({ values, periods }) => ({
    values,
    measures: periods.map((paying) => ({
      arpu: ratio(paying.mrr, paying.active_customers, 2),
      ...paying,
    })),
  }))
}

/** ARPU divided by the monthly logo churn rate of the range (D50). */
export async function readSimple(context: MetricContext) {
  const time = rangeTime(context.request)
  const { before } = pointAt(context.request.at ?? time.end, context.now)
  const arpus = new Map(
    (await readPaying(context, [before])).map((group) => [JSON.stringify(group.values), { ...group, paying: group.periods[0] }]),
  )
  const rates = await readMonthlyRates(context, time)
  const groups = new Map<string, readonly DimensionValue[]>([...rates, ...arpus].map(([key, { values }]) => [key, values]))
  return [...groups].map(([key, values]) => {
    const paying = arpus.get(key)?.paying
    const arpu = paying === undefined ? undefined : fraction(paying.mrr, paying.active_customers)
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
  const groups = await readLogo(context, periods)
  return new Map(
    groups.map((group) => {
      const rates = group.periods.flatMap(({ lost, start }) => fraction(lost, start) ?? [])
      const rate = mean(rates)
      return [
        JSON.stringify(group.values),
        {
          values: group.values,
          rate: months.length > 0 || rate === undefined ? rate : perMonth(rate, time, context.now),
        },
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

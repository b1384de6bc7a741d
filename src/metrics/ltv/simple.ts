import { dayOf, dayStart, nextPeriod, type Period, periodsBetween } from '../../core/periods.ts'
import type { DimensionValue } from '../../query/cells.ts'
import { rangeTime } from '../../query/request.ts'
import { pointAt, type RangeTime } from '../../query/timeframe.ts'
import { readLogo } from '../churn/logo.ts'
import type { MetricContext, MetricResult } from '../define-metric.ts'
import { periodResult } from '../period-rows.ts'
import { readPaying } from './arpu.ts'
import { type Fraction, fraction, mean, quotient, rounded, scaledToOne } from './fraction.ts'

const DAY_MS = 86_400_000

/** ARPU divided by the monthly logo churn rate of the range (D50). */
export async function answerSimple(context: MetricContext): Promise<MetricResult> {
  const time = rangeTime(context.request)
  const { before } = pointAt(context.request.at ?? time.end, context.now)
  const arpus = new Map(
    (await readPaying(context, [before])).map((group) => [JSON.stringify(group.values), { ...group, paying: group.instants[0] }]),
  )
  const rates = await readMonthlyRates(context, time)
  const groups = new Map<string, readonly DimensionValue[]>([...rates, ...arpus].map(([key, { values }]) => [key, values]))
  const rows = [...groups].map(([key, values]) => {
    const paying = arpus.get(key)?.paying
    const arpu = paying === undefined ? undefined : fraction(paying.mrr, paying.active_customers)
    const rate = rates.get(key)?.rate
    const ltv = arpu === undefined || rate === undefined ? undefined : quotient(arpu, rate)
    return { values, measures: [{ ltv: rounded(ltv, 2), arpu: rounded(arpu, 2), logo_churn_rate: rounded(rate, 6) }] }
  })
  const nothing = { ltv: null, arpu: null, logo_churn_rate: null }
  return periodResult(context, undefined, { scalar: 'ltv', measures: Object.keys(nothing), nothing }, rows)
}

interface MonthlyRate {
  readonly values: readonly DimensionValue[]
  readonly rate: Fraction | undefined
}

// Mean of the full months; without one, the rate of the range brought to a month of 365/12 days.
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
        { values: group.values, rate: months.length > 0 || rate === undefined ? rate : perMonth(rate, time, context.now) },
      ]
    }),
  )
}

/** The calendar months that lie fully in the range and have ended by now: what the mean is taken of (D50). */
export function fullMonths({ from, to }: RangeTime, now: Date): readonly Period[] {
  return periodsBetween(from, to, 'month').filter((month) => {
    const start = dayStart(month.period)
    const end = nextPeriod(start, 'month')
    return month.from.getTime() === start.getTime() && month.to.getTime() === end.getTime() && end <= now
  })
}

/** The rate of a range without a full month, brought to a month of 365/12 days (D50). */
export function perMonth(rate: Fraction, { start, end }: RangeTime, now: Date): Fraction {
  const last = end < dayOf(now) ? end : dayOf(now)
  const days = Math.round((dayStart(last).getTime() - dayStart(start).getTime()) / DAY_MS) + 1
  return scaledToOne(rate, 365, 12 * Math.max(days, 1))
}

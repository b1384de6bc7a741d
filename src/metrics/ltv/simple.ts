import type { DimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import { pointAt, type RangeTime } from '../../query/timeframe.ts'
import { readLogo } from '../churn/logo.ts'
import type { MetricContext } from '../readings/context.ts'
import { type Fraction, fraction, mean, quotient, rounded } from '../readings/fraction.ts'
import { fullMonths, perMonth } from '../readings/monthly-rate.ts'
import { readPaying } from './arpu.ts'

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
        {
          values: group.values,
          rate: months.length > 0 || rate === undefined ? rate : perMonth(rate, time, context.now),
        },
      ]
    }),
  )
}

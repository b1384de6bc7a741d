import { fn, sql } from '../../compiler/fragment.ts'
import { BEGINNING, dayOf, sqlInstant } from '../../core/periods.ts'
import { CUSTOMER_DIMENSIONS } from '../../query/dimensions/customer.ts'
import { readsSpans } from '../../query/field.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import { readNumbers, sumOf } from '../formula.ts'
import type { MetricContext } from '../readings/context.ts'
import { amountsOf, OF_SUBSCRIPTION } from '../readings/counted.ts'
import { axisOf, bucketed, defineFact } from '../readings/fact.ts'
import { factOf } from '../readings/facts.ts'
import { bucketStep, periodNames } from '../readings/periods.ts'

/** Paid usage. Values that can change are those at 00:00 of the day of the charge (D61). A row is the charge of an item in one month of service. */
const USAGE = defineFact({
  statement: (context, { dimensions }) => {
    const { conditions } = context.request
    const time = rangeTime(context.request)
    const seen = factOf(context, { fact: 'movement', instant: sql`fact.charge_date`, isBefore: sql`1 = 0` })
    return {
      template: readsSpans(fieldsOf({ dimensions, conditions })) ? 'usage_revenue/total_by_plan' : 'usage_revenue/total',
      slots: compileScope(dimensions, conditions, seen).slots,
      params: {
        // The day of a charge is no instant, so neither are its bounds.
        start: sqlInstant(time.from),
        end: sqlInstant(time.to),
        step: bucketStep(time.interval),
        base_currency: context.definitions.base_currency,
      },
      window: { from: BEGINNING, to: pointAt(dayOf(context.now), context.now).before },
    }
  },
  periodOf: bucketed,
  gaps: 'within',
  sums: {
    revenue: {
      unit: 'cents',
      column: { base: 'revenue_base_sum', original: 'revenue_sum' },
      rows: (cell) => ({
        fact: {
          ...OF_SUBSCRIPTION,
          plan: sql`fact.plan`,
          document_id: fn('text', sql`fact.charge_id`),
          occurred_at: sql`fact.paid_at`,
        },
        measure: { ...amountsOf(cell), fixed_on: sql`paid_on` },
      }),
    },
  },
})

/** Usage revenue (D59). */
export const REVENUE = { revenue: sumOf(USAGE, 'revenue') }

const WHO = CUSTOMER_DIMENSIONS.filter(({ key }) => key === 'customer_id' || key === 'customer_name')

/** Usage revenue of each customer that has any, largest first in each period (I15). */
export async function readByCustomer(context: MetricContext) {
  const names = periodNames(context.request.time)
  const axis = axisOf(context)
  const groups = await readNumbers(context, REVENUE, { ...axis, dimensions: [...WHO, ...axis.dimensions] })
  return groups.flatMap(({ values: [customer_id = null, customer_name = null, ...values], measures }) =>
    measures.flatMap(({ revenue }, index) => {
      if (revenue === 0) return []
      const keys = { period: names?.[index] ?? null, customer_id, customer_name }
      return [{ order: [keys.period, -revenue, customer_id], keys, values, measures: { revenue } }]
    }),
  )
}

import { sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, onSpan } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { CUSTOMER_COLUMNS, cents } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { readByCustomer, readTotal } from './read.ts'

/** Month of service of a usage charge; narrows the charges that count. */
const PERIOD_START_FIELD = defineField({
  key: 'period_start',
  type: 'date',
  description: 'First day of the month of service.',
  constant: 'always',
  expression: () => sql`fact.service_month`,
})

const INPUTS: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'granularity',
  dimensions: [
    ...SOURCE_DIMENSIONS,
    CURRENCY_DIMENSION,
    ...CUSTOMER_DIMENSIONS,
    ...COHORT_DIMENSIONS,
    TENURE_DIMENSION,
    ...PLAN_DIMENSIONS.map(onSpan),
    ...SUBSCRIPTION_DIMENSIONS.map((field) => (field.key === 'price_list' ? onSpan(field) : field)),
  ],
  can_group: true,
  time_fields: [PERIOD_START_FIELD],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
}

const measures = { revenue: cents('Paid usage in cents') }

/** Revenue from usage, as it was paid (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'usage_revenue',
  summary: 'Revenue from usage, by the month of its service',
  depends_on: [],
  reads: ['usage_charge'],
  time_fields: [PERIOD_START_FIELD],
  queries: {
    total: defineFigure({
      summary: 'Paid usage of the range',
      inputs: INPUTS,
      measures,
      plain: 'revenue',
      read: readTotal,
    }),
    series: defineFigure({
      summary: 'Paid usage of each period, by the begin of its service',
      inputs: { ...INPUTS, step: 'interval' },
      measures,
      read: readTotal,
    }),
    by_customer: defineList({
      summary: 'Paid usage of each customer, largest first',
      inputs: INPUTS,
      keys: CUSTOMER_COLUMNS,
      measures,
      read: readByCustomer,
    }),
  },
  routes: [
    {
      path: 'usage-revenue',
      command: {
        description: 'Paid usage whose service lies in a range',
        takes_interval: true,
      },
    },
    {
      path: 'usage-revenue/series',
      query_type: 'series',
      command: { description: 'Paid usage of each period' },
    },
    {
      path: 'usage-revenue/by-customer',
      query_type: 'by_customer',
      command: { takes_interval: true },
    },
  ],
  docs: {
    formula:
      'Usage revenue = sum of the paid usage charges whose service begins in the range. A charge is a usage item of a paid invoice, less what had been adjusted on it by the payment.',
    assumptions: [
      'It is not smoothed: the usage component of MRR is a mean of three months of the same charges.',
      'A charge counts on the first day of its service, not when it was invoiced or paid. An item over several calendar months is split evenly, its further parts dated on the first of the following months.',
      'Only usage paid by now counts, so recent months still grow; later refunds and chargebacks change nothing.',
      'Each charge is converted at the exchange rate of the day on which it was paid.',
      'The plan is that of the charge, the price list and the bundle are those of its subscription when it was paid.',
    ],
    edge_cases: [
      'The customer is the owner of the subscription, also where a parent account paid.',
      'Charges paid after the end of the subscription count here and in no MRR.',
      'Charges of 0 add nothing; customers whose charges add up to 0 are not listed by customer, in a period or at all.',
      'The total of nothing is 0.',
      'A charge without an exchange rate fails the request, one of 0 needs none.',
    ],
    example: {
      text: 'E used 6.00 in January, 9.00 in February, 15.00 in March and 3.00 in April; the usage of May is not paid yet.',
      params: { query_type: 'series', start: '2025-01-01', end: '2025-05-31' },
      answer: [
        { period: '2025-01-01', revenue: 600 },
        { period: '2025-02-01', revenue: 900 },
        { period: '2025-03-01', revenue: 1500 },
        { period: '2025-04-01', revenue: 300 },
        { period: '2025-05-01', revenue: 0 },
      ],
    },
  },
})

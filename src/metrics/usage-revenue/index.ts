import { relation, sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, FIRST_DAYS, onSpan } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { CUSTOMER_COLUMNS, cents, FLOW } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { madeOf, rowsBehind } from '../formula.ts'
import { REVENUE, readByCustomer } from './fact.ts'

/** Month of service, as a filter on usage charges. */
const PERIOD_START_FIELD = defineField({
  key: 'period_start',
  shows: 'totals',
  type: 'date',
  description: 'First day of the month of service.',
  constant: 'always',
  possible: FIRST_DAYS,
  held_in: relation('usage_charge'),
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

const PAGE = { path: 'usage', isGrouped: true, figure: 'usage_revenue' } as const

const measures = { revenue: cents('Paid usage in cents', FLOW) }

/** Paid revenue from usage (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'usage_revenue',
  summary: 'Revenue from usage, by month of service',
  words: ['usage', 'metered'],
  depends_on: [],
  reads: ['usage_charge'],
  time_fields: [PERIOD_START_FIELD],
  queries: {
    total: defineFigure({
      figures: [
        {
          id: 'usage_revenue',
          label: 'Usage revenue',
          measure: 'revenue',
          chart: 'bars',
          place: 15,
          search: 'metered consumption',
        },
      ],
      page: PAGE,
      shows: 'totals',
      summary: 'Paid usage in the range',
      inputs: INPUTS,
      measures,
      ...madeOf(REVENUE),
      plain: 'revenue',
    }),
    series: defineFigure({
      page: PAGE,
      shows: 'totals',
      summary: 'Paid usage of each period, by start of service',
      inputs: { ...INPUTS, step: 'interval' },
      measures,
      ...madeOf(REVENUE),
    }),
    by_customer: defineList({
      page: { path: 'usage' },
      summary: 'Paid usage of each customer, largest first',
      inputs: INPUTS,
      keys: CUSTOMER_COLUMNS,
      measures,
      rows: rowsBehind(REVENUE),
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
      'Usage revenue = sum of the paid usage charges whose service begins in the range. A charge is a usage item of a paid invoice, less adjustments made by the time of payment.',
    assumptions: [
      'Usage revenue is not smoothed. The usage component of MRR is the three-month mean of the same charges.',
      'A charge counts on the first day of its service, not when it was invoiced or paid. An item over several calendar months is split evenly; its later parts count on the first day of each following month.',
      'Only usage that has been paid so far counts, so recent months still grow. Later refunds and chargebacks change nothing.',
      'Each charge is converted at the exchange rate of the day it was paid.',
      'The plan is that of the charge. The price list and the bundle are those of its subscription at payment.',
    ],
    edge_cases: [
      'The customer is the owner of the subscription, even if a parent account paid.',
      'Charges paid after the end of the subscription count here, but not in MRR.',
      'Charges of 0 add nothing. The list by customer leaves out customers whose charges add up to 0, in a period or in total.',
      'Without charges the total is 0.',
      'A charge without an exchange rate fails the request. A charge of 0 needs none.',
    ],
    example: {
      text: 'E used 6.00 in January, 9.00 in February, 15.00 in March and 3.00 in April. The usage of May is not paid yet.',
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

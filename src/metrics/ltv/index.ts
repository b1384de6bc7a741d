import { sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from '../../query/dimensions/level.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { average, cents, count, day, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { readArpu, readCohorts, readSimple } from './read.ts'

/** When an invoice was paid; narrows the revenue of cohorts and nothing else. */
const PAID_AT_FIELD = defineField({
  key: 'paid_at',
  type: 'timestamp',
  description: 'Instant at which the invoice was paid.',
  reads: ['invoice'],
  constant: 'always',
  expression: () => sql`fact.paid_at`,
})

/** Cohort of cohort LTV: the first month with MRR, not that of first activity (D51). */
const PAYING_COHORT_FIELD = defineField({
  key: 'cohort_month',
  type: 'date',
  description: 'UTC month in which the customer first had MRR.',
  constant: 'always',
  expression: () => sql`fact.first_month`,
})

const WHO: readonly Field[] = [...SOURCE_DIMENSIONS, CURRENCY_DIMENSION, ...CUSTOMER_DIMENSIONS]

const NO_PLAN =
  'a lifetime is that of a customer, who may have several plans and change them; ARPU (ltv/arpu) and revenue churn are there by plan'

const SIMPLE: QueryInputs = {
  ...RANGE_INPUTS,
  dates: 'range_and_at',
  dimensions: [...WHO, ...COHORT_DIMENSIONS],
  can_group: true,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  reasons: Object.fromEntries([...PLAN_DIMENSIONS, ...SUBSCRIPTION_DIMENSIONS].map(({ key }) => [key, NO_PLAN])),
}

const ARPU: QueryInputs = {
  ...SIMPLE,
  dates: 'point_or_range',
  step: 'interval',
  dimensions: [
    ...WHO,
    ...COHORT_DIMENSIONS,
    TENURE_DIMENSION,
    ...PLAN_DIMENSIONS,
    ...SUBSCRIPTION_DIMENSIONS,
    PENDING_CANCELLATION_DIMENSION,
    ...BAND_DIMENSIONS,
  ],
}

const COHORT: QueryInputs = {
  ...SIMPLE,
  dates: 'range',
  dimensions: [...WHO, PAYING_COHORT_FIELD, ...COHORT_DIMENSIONS.filter(({ key }) => key !== PAYING_COHORT_FIELD.key)],
  time_fields: [PAID_AT_FIELD],
  compare: 'union',
  own_parameters: ['per_segment'],
}

const PER_CUSTOMER = { top: ['mrr'], bottom: ['active_customers'] } as const

const arpu = average('MRR per paying customer in cents; null when there are none', PER_CUSTOMER)

/** Groups by anything else may share a customer. */
const OF_CUSTOMERS = {
  only_by: [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS, ...COHORT_DIMENSIONS, TENURE_DIMENSION].map(({ key }) => key),
}

/** Lifetime value and ARPU (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'ltv',
  summary: 'Lifetime value of customers',
  depends_on: ['churn', 'mrr'],
  reads: ['mrr_span', 'customer'],
  time_fields: [PAID_AT_FIELD],
  queries: {
    simple: defineFigure({
      summary: 'Lifetime value of a customer: ARPU divided by the monthly logo churn rate',
      inputs: SIMPLE,
      measures: {
        ltv: average('Lifetime value of a customer in cents; null without churn or without paying customers'),
        arpu,
        logo_churn_rate: share('Monthly logo churn rate that ARPU is divided by'),
      },
      plain: 'ltv',
      read: readSimple,
    }),
    arpu: defineFigure({
      summary: 'MRR per paying customer at a day, or as a series',
      inputs: ARPU,
      measures: { arpu, mrr: cents('MRR in cents'), active_customers: count('Customers with MRR', OF_CUSTOMERS) },
      plain: 'arpu',
      read: readArpu,
    }),
    cohort: defineList({
      summary: 'What the customers of each monthly cohort paid in the range',
      inputs: COHORT,
      reads: ['invoice'],
      keys: { cohort_month: day('Month in which the customers first had MRR') },
      measures: {
        customer_count: count('Customers of the cohort'),
        total_revenue: cents('What they paid in the range, in cents'),
        avg_revenue_per_customer: average('total_revenue / customer_count; null for an empty cohort', {
          top: ['total_revenue'],
          bottom: ['customer_count'],
        }),
      },
      is_comparable: false,
      read: readCohorts,
    }),
  },
  routes: [
    {
      path: 'ltv',
      command: {
        description: 'Lifetime value of a customer: ARPU divided by the monthly logo churn rate of a range',
      },
    },
    {
      path: 'ltv/arpu',
      query_type: 'arpu',
      command: {
        description: 'MRR per paying customer at a day, or as a series with --start and --end',
        takes_interval: false,
      },
    },
    {
      path: 'ltv/cohort',
      query_type: 'cohort',
      command: {
        description: 'What the customers of each monthly cohort paid in a range',
      },
    },
  ],
  docs: {
    formula:
      'ARPU at a day = MRR / customers with MRR above 0. Simple LTV = ARPU at the end of the range / mean of the logo churn rates of its full calendar months. Cohort LTV = paid invoices in the range of the customers that first had MRR in a month / number of those customers.',
    assumptions: [
      'Months in which nobody was live are left out of the mean, months without churn are not.',
      'An invoice counts when it was settled, with the amount charged up to then, at the exchange rate of that day; later refunds and chargebacks change nothing.',
      'Drafts, voided, written-off and migrated invoices never count; a credit-only invoice counts negatively.',
    ],
    edge_cases: [
      'If no full month lies in the range, its logo churn rate is scaled to a month of 365/12 days, at most 1.',
      'LTV is null without churn and without paying customers.',
      'A customer that never had MRR is in no cohort; paused customers pay nothing while they are paused.',
      'Every month of the range is a row of cohort LTV, also without customers; a filter on paid_at narrows the revenue, not the customers.',
      'Comparing segments gives one cohort LTV for the customers of any of them, or with per_segment=true one for each.',
    ],
    example: {
      text: 'ARPU at 31 May is 33433 / 4 = 8358.25, the monthly churn rates are 0, 0.2 and 0.25, their mean 0.15: 8358.25 / 0.15 = 55721.67.',
      params: { query_type: 'simple', start: '2025-03-01', end: '2025-05-31' },
      answer: 55721.67,
    },
  },
})

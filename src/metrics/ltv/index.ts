import { fn, relation, sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { BAND_DIMENSIONS, PENDING_CANCELLATION_DIMENSION } from '../../query/dimensions/level.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, FIRST_DAYS, type Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { average, cents, count, day, FLOW, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { madeOf, rowsBehind } from '../formula.ts'
import { cohortCustomers, cohortRevenue } from './counted.ts'
import { ARPU as PAYING } from './paying.ts'
import { readCohorts, readSimple } from './read.ts'
import { SALE_PRICE } from './sale-price.ts'

/** Time of payment, as a filter on the revenue of cohorts only. */
const PAID_AT_FIELD = defineField({
  key: 'paid_at',
  shows: 'totals',
  type: 'timestamp',
  description: 'Time when the invoice was paid.',
  reads: ['invoice'],
  constant: 'always',
  expression: () => sql`fact.paid_at`,
})

/** Cohort of cohort LTV: the first month with MRR, not the month of the first activity (D51). */
const PAYING_COHORT_FIELD = defineField({
  key: 'cohort_month',
  shows: 'totals',
  type: 'date',
  description: 'Month in which the customer first had MRR.',
  constant: 'always',
  possible: FIRST_DAYS,
  held_in: sql`(
    select ${fn('month_start', fn('clock', sql`min(span.valid_from)`))} as first_month from ${relation('mrr_span')} as span
    where span.mrr_cents > 0 group by span.customer_key
  )`,
  expression: () => sql`fact.first_month`,
})

const WHO: readonly Field[] = [...SOURCE_DIMENSIONS, CURRENCY_DIMENSION, ...CUSTOMER_DIMENSIONS]

const NO_PLAN =
  'a lifetime belongs to a customer, and a customer can have several plans and change them; group ARPU (ltv/arpu) or revenue churn by plan'

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

const SALE: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'granularity',
  dimensions: [...WHO, ...COHORT_DIMENSIONS, TENURE_DIMENSION, ...PLAN_DIMENSIONS, ...SUBSCRIPTION_DIMENSIONS],
  can_group: true,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
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

const arpu = average('MRR per paying customer in cents; null if there are none', PER_CUSTOMER)

/** Groups by these dimensions never share a customer. Groups by other dimensions may share customers. */
const OF_CUSTOMERS = {
  only_by: [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS, ...COHORT_DIMENSIONS, TENURE_DIMENSION].map(({ key }) => key),
}

/** Lifetime value and ARPU (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'ltv',
  summary: 'Lifetime value of customers',
  words: ['lifetime_value', 'customer_lifetime_value', 'clv', 'cltv'],
  depends_on: ['churn', 'mrr'],
  reads: ['mrr_span', 'customer'],
  time_fields: [PAID_AT_FIELD],
  queries: {
    simple: defineFigure({
      figures: [
        {
          id: 'ltv',
          label: 'Lifetime value',
          measure: 'ltv',
          chart: 'bars',
          place: 12,
          headline: 'ltv',
          search: 'clv cltv lifetime',
          rows: {
            measures: ['mrr', 'active_customers'],
            note: 'Lifetime value is revenue per customer divided by customer churn. The rows are the MRR and the customers at the end of the period.',
          },
        },
      ],
      page: { path: 'ltv', figure: 'ltv' },
      shows: 'totals',
      summary: 'Lifetime value of a customer: ARPU divided by the monthly logo churn rate',
      inputs: SIMPLE,
      measures: {
        ltv: average('Lifetime value of a customer in cents; null without churn or without paying customers'),
        arpu,
        logo_churn_rate: share('Monthly logo churn rate, the divisor of ARPU', { label: 'Logo churn', good: 'down' }),
      },
      plain: 'ltv',
      // The parts of ARPU, at the instant of the ARPU.
      rows: rowsBehind(PAYING),
      read: readSimple,
    }),
    arpu: defineFigure({
      figures: [
        {
          id: 'arpu',
          label: 'Revenue per customer',
          measure: 'arpu',
          chart: 'line',
          place: 4,
          headline: 'arpu',
          search: 'arpa average account user',
        },
        {
          id: 'customers',
          label: 'Paying customers',
          measure: 'active_customers',
          chart: 'line',
          place: 5,
          headline: 'active_customers',
          search: 'paying subscribers logos accounts',
          rows: { measures: ['active_customers', 'mrr'] },
          alone: 'summary',
        },
      ],
      page: { path: 'ltv', isGrouped: true, figure: 'arpu' },
      words: ['average_revenue_per_user', 'average_revenue_per_account', 'arpa'],
      shows: 'totals',
      summary: 'MRR per paying customer on a day, or as a series',
      inputs: ARPU,
      measures: {
        arpu,
        mrr: cents('MRR in cents'),
        active_customers: count('Customers with MRR above 0', { ...OF_CUSTOMERS, label: 'Paying customers' }),
      },
      plain: 'arpu',
      ...madeOf(PAYING),
    }),
    sale_price: defineFigure({
      shows: 'totals',
      words: ['average_sale_price', 'asp', 'average_selling_price'],
      summary: 'Average first MRR of the customers that were won in the range',
      inputs: SALE,
      measures: {
        average_sale_price: average('First MRR per new customer in cents; null if there are none', {
          top: ['new_customer_mrr'],
          bottom: ['new_customers'],
        }),
        new_customer_mrr: cents('First MRR of the new customers', FLOW),
        new_customers: count('Customers that had MRR for the first time', FLOW),
      },
      plain: 'average_sale_price',
      ...madeOf(SALE_PRICE),
    }),
    cohort: defineList({
      page: { path: 'ltv' },
      shows: 'totals',
      summary: 'Revenue in the range from the customers of each monthly cohort',
      inputs: COHORT,
      reads: ['invoice'],
      keys: { cohort_month: day('Month in which the customers first had MRR') },
      measures: {
        customer_count: count(
          'Customers that first had MRR in this month. A retention cohort has those that were first live in it, also without MRR',
          FLOW,
        ),
        total_revenue: cents('Amount they paid in the range, in cents', FLOW),
        avg_revenue_per_customer: average('total_revenue / customer_count; null for an empty cohort', {
          top: ['total_revenue'],
          bottom: ['customer_count'],
          label: 'Revenue per customer',
        }),
      },
      is_comparable: false,
      rows: { total_revenue: cohortRevenue, customer_count: cohortCustomers },
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
        description: 'MRR per paying customer on a day, or as a series with --start and --end',
        takes_interval: false,
      },
    },
    {
      path: 'ltv/sale-price',
      query_type: 'sale_price',
      command: { description: 'Average first MRR of the customers that were won in a range' },
    },
    {
      path: 'ltv/cohort',
      query_type: 'cohort',
      command: {
        description: 'Revenue in a range from the customers of each monthly cohort',
      },
    },
  ],
  docs: {
    formula:
      'ARPU on a day = MRR / customers with MRR above 0. Simple LTV = ARPU at the end of the range / mean of the logo churn rates of its full calendar months. Cohort LTV = invoices paid in the range by the customers that first had MRR in a month / number of those customers.',
    assumptions: [
      'The mean leaves out months in which no customer was live. Months without churn count as 0.',
      'An invoice counts on the day it was paid, with the amount charged up to then, at the exchange rate of that day. Later refunds and chargebacks change nothing, unless refunds = subtract.',
      'Draft, voided, written-off and migrated invoices never count. A credit-only invoice counts as negative.',
    ],
    edge_cases: [
      'If the range has no full month, its logo churn rate is scaled to a month of 365/12 days, up to 1.',
      'LTV is null if there is no churn, or if there are no paying customers.',
      'A customer that never had MRR is in no cohort. Paused customers pay nothing while paused.',
      'A customer that begins without MRR is in its retention cohort at once, and in its LTV cohort from its first month with MRR.',
      'Cohort LTV has a row for every month of the range, even without customers. A filter on paid_at narrows the revenue, not the customers.',
      'If you compare segments, cohort LTV covers the customers of any segment. With per_segment=true, each segment has its own.',
    ],
    example: {
      text: 'ARPU on 31 May is 33433 / 4 = 8358.25. The monthly churn rates are 0, 0.2 and 0.25, with a mean of 0.15. LTV is 8358.25 / 0.15 = 55721.67.',
      params: { query_type: 'simple', start: '2025-03-01', end: '2025-05-31' },
      answer: 55721.67,
    },
  },
})

import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { cents, count, FLOW, fraction, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure } from '../define-query.ts'
import { type Formula, madeOf } from '../formula.ts'
import type { MetricContext } from '../readings/context.ts'
import { OF_CUSTOMERS, OF_MRR } from './facts.ts'

const LOGO: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'granularity',
  dimensions: [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS, ...COHORT_DIMENSIONS, TENURE_DIMENSION],
  can_group: true,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  reasons: { currency: 'a customer may have several' },
  own_parameters: ['net_terms'],
}

const REVENUE: QueryInputs = {
  ...LOGO,
  dimensions: [...LOGO.dimensions, CURRENCY_DIMENSION, ...PLAN_DIMENSIONS, ...SUBSCRIPTION_DIMENSIONS, PHASE_DIMENSION],
  reasons: {},
}

/** Numbers with the warning that whether a customer did not pay is inferred. */
function inferred<const F extends Readonly<Record<string, Formula>>>(numbers: F) {
  const made = madeOf(numbers)
  return {
    ...made,
    read: (context: MetricContext) => {
      context.warn({ code: 'inferred', message: 'Involuntary churn is inferred from failed payments and overdue states.' })
      return made.read(context)
    },
  }
}

/** The part of churn of customers that did not pay (D94). */
export const metric = defineMetric({
  name: 'involuntary_churn',
  summary: 'Churn of customers that did not pay',
  words: ['involuntary', 'delinquent_churn', 'passive_churn'],
  depends_on: [],
  reads: ['mrr_span', 'customer', 'overdue_stretch', 'ledger_attempt', 'ledger_invoice'],
  time_fields: [],
  queries: {
    logo: defineFigure({
      shows: 'totals',
      summary: 'Share of the churned customers that did not pay when they churned',
      inputs: LOGO,
      measures: {
        involuntary_share: share('Churned customers that did not pay / churned customers; null if none churned', {
          top: ['involuntary_count'],
          bottom: ['churn_count'],
          good: 'down',
        }),
        involuntary_count: count('Churned customers that were overdue, or whose last payment had failed', { good: 'down' }),
        churn_count: count('Customers live at the start that churned in the range', { label: 'Churned', good: 'down' }),
      },
      plain: 'involuntary_share',
      ...inferred(OF_CUSTOMERS),
    }),
    revenue: defineFigure({
      shows: 'totals',
      summary: 'Share of the lost MRR of customers that did not pay when they lost it',
      inputs: REVENUE,
      measures: {
        involuntary_mrr_share: fraction('Lost MRR of customers that did not pay / lost MRR; null if nothing was lost', {
          top: ['involuntary_lost'],
          bottom: ['revenue_lost'],
          good: 'down',
        }),
        involuntary_lost: cents('Lost MRR of customers that were overdue, or whose last payment had failed', {
          ...FLOW,
          good: 'down',
        }),
        revenue_lost: cents('MRR lost by churn, from customers with MRR at the start', { label: 'Churned MRR', good: 'down' }),
      },
      plain: 'involuntary_mrr_share',
      ...inferred(OF_MRR),
    }),
  },
  routes: [
    {
      path: 'churn/involuntary',
      query_type: 'logo',
      command: {
        named: 'involuntary-churn',
        description: 'Share of the churned customers that did not pay',
      },
    },
    {
      path: 'churn/involuntary/revenue',
      query_type: 'revenue',
      command: {
        named: 'involuntary-churn revenue',
        description: 'Share of the lost MRR of customers that did not pay',
      },
    },
  ],
  docs: {
    formula:
      'Involuntary share of churned customers = churned customers that did not pay / churned customers. Of lost MRR = MRR lost by churn movements of customers that did not pay / MRR lost by churn movements. A customer does not pay at an instant if it is in an overdue state, or if an invoice is past due and its last attempt failed.',
    assumptions: [
      'Churned customers and lost MRR are those of the churn rates: customers live, or with MRR, just before the start.',
      'An invoice is past due if it was open at the end of the day before, and its due day has passed: the issue and `net_terms` days. Days are those of the account.',
      'It is inferred: nobody records why a customer left.',
    ],
    edge_cases: [
      'A pause by an overdue state is lost MRR and no logo churn.',
      'A write-off pays nothing, so a customer whose invoices are written off does not pay.',
      'The shares are null if nobody churned, or no MRR was lost.',
    ],
    example: {
      text: 'F left on 20 April, and B on 24 May. Both had paid.',
      params: { start: '2025-03-01', end: '2025-05-31' },
      answer: 0,
    },
  },
})

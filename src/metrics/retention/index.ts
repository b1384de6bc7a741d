import * as z from 'zod'
import { sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { cents, count, day, notAdditive, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { readMatrix, readRetained } from './read.ts'

/** Cohort of the matrix itself: a key column, and a filter. */
const MATRIX_COHORT_FIELD = defineField({
  key: 'cohort_month',
  type: 'date',
  description: 'UTC month in which the customer was first live.',
  constant: 'always',
  expression: () => sql`fact.cohort_month`,
})

const WHO: readonly Field[] = [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS]

const RATIO: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'granularity',
  dimensions: [
    ...WHO,
    CURRENCY_DIMENSION,
    ...COHORT_DIMENSIONS,
    TENURE_DIMENSION,
    ...PLAN_DIMENSIONS,
    ...SUBSCRIPTION_DIMENSIONS,
  ],
  can_group: true,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: ['query_type'],
}

const MATRIX: QueryInputs = {
  ...RATIO,
  step: 'none',
  dimensions: [...WHO, MATRIX_COHORT_FIELD, ...COHORT_DIMENSIONS.filter(({ key }) => key !== MATRIX_COHORT_FIELD.key)],
  compare: 'union',
  own_parameters: ['query_type', 'per_segment'],
}

const start_mrr = cents('MRR of the start cohort just before the start, in cents')
const contraction = cents('Contraction of the start cohort, uncapped, negative')
const churn = cents('Churn of the start cohort, uncapped, negative')

/** Net and gross revenue retention and the cohort matrix (http-api.md 3.4). */
export const metric = defineMetric({
  name: 'retention',
  summary: 'Customers and recurring revenue kept',
  depends_on: ['mrr'],
  reads: ['mrr_span', 'customer'],
  time_fields: [MATRIX_COHORT_FIELD],
  queries: {
    cohort_matrix: defineList({
      summary: 'Customers of each monthly cohort that are still live, month by month',
      inputs: MATRIX,
      keys: {
        cohort_month: day('Month in which the customers were first live'),
        active_month: day('Month looked at'),
      },
      measures: {
        months_since: notAdditive(count('Months from the cohort to that month')),
        cohort_size: notAdditive(count('Customers of the cohort')),
        active_count: notAdditive(count('Those live at the end of the month')),
        retention_rate: share('active_count / cohort_size'),
        is_complete: z.boolean().describe('The month has ended by the end of the range and by now'),
      },
      is_comparable: false,
      read: readMatrix,
    }),
    nrr: defineFigure({
      summary: 'Net revenue retention of the customers that had MRR at the start',
      inputs: RATIO,
      measures: {
        retention_rate: z
          .number()
          .nonnegative()
          .nullable()
          .describe('MRR kept, with growth / MRR at the start; null when that is 0'),
        start_mrr,
        expansion: cents('Expansion of the start cohort, uncapped'),
        contraction,
        churn,
        reactivation: cents('0: returns do not count'),
        reactivation_excluded: cents(
          'What returns of the start cohort would have added, in cents; null where a price or an exchange rate is missing',
        ).nullable(),
      },
      plain: 'retention_rate',
      read: (context) => readRetained(context, 'net_sum'),
    }),
    grr: defineFigure({
      summary: 'Gross revenue retention of the customers that had MRR at the start',
      inputs: RATIO,
      measures: {
        retention_rate: share('MRR kept, without growth / MRR at the start; null when that is 0'),
        start_mrr,
        contraction,
        churn,
      },
      plain: 'retention_rate',
      read: (context) => readRetained(context, 'gross_sum'),
    }),
  },
  routes: [
    {
      path: 'retention',
      summary: 'Cohort matrix, or net or gross revenue retention by query_type',
      inputs: { ...RATIO, own_parameters: MATRIX.own_parameters },
      command: {
        description: 'Customers still live by monthly cohort, or net or gross revenue retention with --query-type nrr or grr',
      },
    },
  ],
  docs: {
    formula:
      'M(c) is the MRR of customer c just before the start; only customers with M(c) > 0 count. NRR = sum of max(0, M(c) + gain(c) − loss(c)) / sum of M(c); GRR = sum of max(0, M(c) − loss(c)) / sum of M(c), where gain and loss are the positive and negative expansion, contraction and churn amounts of the range. Cohort retention = customers of a monthly cohort still live at the end of a month / size of the cohort.',
    assumptions: [
      'new and reactivation do not count; bundle transfers are left out. reactivation_excluded says how much MRR of the start cohort came back by reactivation in the range.',
      'A pause is lost MRR: NRR and GRR count it as churn when it begins, and its end, a reactivation, does not make up for it. Logo churn and the cohort matrix go on counting the customer.',
      'A swap of subscriptions at one instant counts by its net amount.',
      'Both rates are capped per customer at what it had, so 0 ≤ GRR ≤ NRR and GRR ≤ 1; the amounts beside the rates are not capped.',
      'A cohort is the UTC month in which a customer was first live; paused and free customers are retained.',
    ],
    edge_cases: [
      'A customer that is paused, resumes and then cancels in the range would be lost twice without the cap.',
      'The first month of a cohort counts everybody, so its rate is 1.',
      'A month that has not ended by the end of the range or by now is counted as of then, and is_complete is false; later months are absent.',
      'Groups are decided by the value just before the start; the cap then applies per customer and group.',
      'A rate is null when the start cohort is empty.',
      'Comparing segments gives nrr and grr for each; the cohort matrix is one for the customers of any of them, or with per_segment=true one for each.',
    ],
    example: {
      text: 'A keeps 8333; B grows by 5000 and leaves; C grows to 19200; E ends at 1900; F leaves, and its second loss is capped. 29433 / 28833 = 1.020809.',
      params: { query_type: 'nrr', start: '2025-03-01', end: '2025-05-31' },
      answer: 1.020809,
    },
  },
})

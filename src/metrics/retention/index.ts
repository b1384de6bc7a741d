import * as z from 'zod'
import { sql } from '../../compiler/fragment.ts'
import { declared } from '../../core/column.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, FIRST_DAYS, type Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { cents, count, day, FLOW, notAdditive, ofOneMonth, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { madeOf } from '../formula.ts'
import { activeCount, cohortMrr, cohortSize, cohortStart, leftCount } from './counted.ts'
import { GROSS, NET } from './kept.ts'
import { readMatrix } from './read.ts'
import { readRevenueMatrix } from './revenue-matrix.ts'

/** Cohort of the matrix, as a key column and a filter. */
const MATRIX_COHORT_FIELD = defineField({
  key: 'cohort_month',
  shows: 'totals',
  type: 'date',
  description: 'Month in which the customer was first live.',
  constant: 'always',
  possible: FIRST_DAYS,
  same_as: COHORT_DIMENSIONS.find(({ key }) => key === 'cohort_month'),
  expression: () => sql`fact.cohort_month`,
})

const WHO: readonly Field[] = [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS]

const MATRIX_COHORTS: readonly Field[] = [
  MATRIX_COHORT_FIELD,
  ...COHORT_DIMENSIONS.filter(({ key }) => key !== MATRIX_COHORT_FIELD.key),
]

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
  dimensions: [...WHO, ...MATRIX_COHORTS],
  compare: 'union',
  own_parameters: ['query_type', 'per_segment'],
}

const COHORT_KEYS = {
  cohort_month: day('Month in which the customers were first live'),
  active_month: day('Month of the count'),
}

/** A share that growth may bring above 1. */
const keptShare = (description: string) =>
  declared(z.number().nonnegative().nullable().describe(description), { unit: 'fraction', adds: 'never' })

const months_since = notAdditive(count('Months from the cohort month to the active month'))
const is_complete = z.boolean().describe('True if the month is over now, and was over at the end of the range')

const start_mrr = cents('MRR of the start cohort just before the start, in cents', { label: 'Starting MRR' })
const contraction = cents('Contraction of the start cohort, not capped; negative', FLOW)
const churn = cents('Churn of the start cohort, not capped; negative', FLOW)

/** Net and gross revenue retention and the cohort matrix (http-api.md 3.4). */
export const metric = defineMetric({
  name: 'retention',
  summary: 'Retained customers and retained recurring revenue',
  depends_on: ['mrr'],
  reads: ['mrr_span', 'customer'],
  time_fields: [MATRIX_COHORT_FIELD],
  queries: {
    cohort_matrix: defineList({
      page: { path: 'retention' },
      words: ['cohort', 'cohorts'],
      shows: 'totals',
      summary: 'Customers of each monthly cohort that are still live, for each later month',
      inputs: MATRIX,
      keys: COHORT_KEYS,
      measures: {
        months_since,
        cohort_size: ofOneMonth(count('Customers that were first live in this month, also without MRR')),
        active_count: ofOneMonth(
          count('Customers of the cohort that are live at the end of the active month', { label: 'Active' }),
        ),
        retention_rate: share('active_count / cohort_size'),
        is_complete,
      },
      is_comparable: false,
      rows: { active_count: activeCount, cohort_size: cohortSize, left_count: leftCount },
      read: readMatrix,
    }),
    revenue_cohort_matrix: defineList({
      page: { path: 'retention', kept: 'net' },
      words: ['revenue_cohorts'],
      shows: 'totals',
      summary: 'MRR of each monthly cohort at the end of each month, compared with the end of its first month',
      inputs: {
        ...MATRIX,
        dimensions: [...WHO, CURRENCY_DIMENSION, ...MATRIX_COHORTS],
      },
      keys: COHORT_KEYS,
      measures: {
        months_since,
        start_mrr: ofOneMonth(cents('MRR of the cohort at the end of its first month, in cents', { label: 'Starting MRR' })),
        mrr: ofOneMonth(cents('MRR of the cohort at the end of the active month, in cents')),
        net_retention_rate: keptShare('mrr / start_mrr; null if start_mrr is 0'),
        gross_retention_rate: share('The same rate, with at most the start MRR of each customer; null if start_mrr is 0'),
        is_complete,
      },
      is_comparable: false,
      rows: { mrr: cohortMrr, start_mrr: cohortStart },
      read: readRevenueMatrix,
    }),
    nrr: defineFigure({
      figures: [
        {
          id: 'nrr',
          label: 'Net revenue retention',
          measure: 'retention_rate',
          chart: 'line',
          place: 10,
          headline: 'nrr_12_months',
          search: 'ndr net dollar',
          asks: { query_type: 'nrr' },
          rows: { measures: ['start_mrr', 'expansion', 'contraction', 'churn', 'reactivation'] },
        },
      ],
      page: { path: 'retention', isGrouped: true, figure: 'nrr' },
      words: ['net_revenue_retention', 'net_dollar_retention', 'ndr'],
      shows: 'totals',
      summary: 'Net revenue retention of the customers that had MRR at the start',
      inputs: RATIO,
      measures: {
        retention_rate: keptShare('Retained MRR with growth / MRR at the start; null if that is 0'),
        start_mrr,
        expansion: cents('Expansion of the start cohort, not capped', FLOW),
        contraction,
        churn,
        reactivation: cents('MRR of the start cohort that came back by reactivation; 0 unless nrr_reactivation = include', FLOW),
        reactivation_excluded: cents(
          'MRR that returns of the start cohort would add, in cents; null if a price or an exchange rate is missing',
          { adds: 'never' },
        ).nullable(),
      },
      plain: 'retention_rate',
      ...madeOf(NET),
    }),
    grr: defineFigure({
      figures: [
        {
          id: 'grr',
          label: 'Gross revenue retention',
          measure: 'retention_rate',
          chart: 'line',
          place: 11,
          headline: 'grr_12_months',
          search: 'gdr gross dollar',
          asks: { query_type: 'grr' },
          rows: { measures: ['start_mrr', 'contraction', 'churn'] },
        },
      ],
      page: { path: 'retention', view: 'grr', isGrouped: true, figure: 'grr' },
      words: ['gross_revenue_retention', 'gross_dollar_retention', 'gdr'],
      shows: 'totals',
      summary: 'Gross revenue retention of the customers that had MRR at the start',
      inputs: RATIO,
      measures: {
        retention_rate: share('Retained MRR without growth / MRR at the start; null if that is 0'),
        start_mrr,
        contraction,
        churn,
      },
      plain: 'retention_rate',
      ...madeOf(GROSS),
    }),
  },
  routes: [
    {
      path: 'retention',
      summary: 'Cohort matrix of customers or revenue; with query_type nrr or grr, net or gross revenue retention',
      inputs: { ...RATIO, own_parameters: MATRIX.own_parameters },
      command: {
        description: 'Customers or revenue kept, by monthly cohort; with --query-type nrr or grr, net or gross revenue retention',
      },
    },
  ],
  docs: {
    formula:
      'M(c) is the MRR of customer c just before the start; only customers with M(c) > 0 count. NRR = sum of max(0, M(c) + gain(c) − loss(c)) / sum of M(c); GRR = sum of max(0, M(c) − loss(c)) / sum of M(c), where gain and loss are the positive and negative expansion, contraction and churn amounts of the range. Cohort retention = customers of a monthly cohort that are still live at the end of a month / size of the cohort. Net cohort revenue = MRR of the cohort at the end of a month / its MRR at the end of its first month; gross counts at most the first MRR of each customer.',
    assumptions: [
      'new, reactivation and bundle transfers do not count. reactivation_excluded is the MRR of the start cohort that came back by reactivation in the range. With nrr_reactivation = include, NRR counts it as a gain.',
      'A pause is lost MRR. NRR and GRR count it as churn when it begins, and its end (a reactivation) does not add the MRR back. Logo churn and the cohort matrix still count the customer as live.',
      'A swap of subscriptions at one instant counts by its net amount.',
      'Both rates cap the loss of each customer, so that none counts below 0: 0 ≤ GRR ≤ NRR and GRR ≤ 1. The amounts next to the rates are not capped.',
      'A cohort is the month in which a customer was first live. Paused and free customers are retained.',
    ],
    edge_cases: [
      'Without the cap, a customer that pauses, resumes and then cancels in the range would be lost twice.',
      'In the first month of a cohort all its customers count, so the rate is 1.',
      'A month that is not over at the end of the range, or not over now, is counted as of that moment, and is_complete is false. Later months are left out.',
      'The value just before the start decides the group. The cap then applies per customer and group.',
      'A rate is null if the start cohort is empty.',
      'Revenue cohorts compare levels, so MRR that returns counts again. A customer that is gone or paused at the end of its first month starts with 0.',
      'If you compare segments, each has its own nrr and grr. The cohort matrix covers the customers of any segment; with per_segment=true there is one matrix per segment.',
    ],
    example: {
      text: 'A keeps 8333. B grows by 5000 and leaves. C grows to 19200. E ends at 1900. F leaves, and its second loss is capped. 29433 / 28833 = 1.020809.',
      params: { query_type: 'nrr', start: '2025-03-01', end: '2025-05-31' },
      answer: 1.020809,
    },
  },
})

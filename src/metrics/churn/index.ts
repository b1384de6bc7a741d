import * as z from 'zod'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import {
  CHURNED_AT_FIELD,
  churnType,
  LOGO_REASON_DIMENSION,
  MOVEMENT_SOURCE_DIMENSION,
  OCCURRED_AT_FIELD,
  REVENUE_REASON_DIMENSION,
} from '../../query/dimensions/movement.ts'
import { PHASE_DIMENSION, PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import type { Field } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { mustBe, oneOf, refuse } from '../../query/issues.ts'
import { isAbsent } from '../../query/raw-parameters.ts'
import { CUSTOMER_COLUMNS, cents, count, FLOW, fraction, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure, defineList } from '../define-query.ts'
import { madeOf, rowsBehind } from '../formula.ts'
import { LOGO_CHURN, LOST as LOST_BY, OF_ALL, REVENUE_CHURN } from './facts.ts'
import { readDetail, readRevenueEvents } from './tables.ts'

const CUSTOMER_LEVEL: readonly Field[] = [
  ...SOURCE_DIMENSIONS,
  CURRENCY_DIMENSION,
  ...CUSTOMER_DIMENSIONS,
  ...COHORT_DIMENSIONS,
  TENURE_DIMENSION,
]

const LOGO: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'granularity',
  dimensions: [...CUSTOMER_LEVEL, churnType('logo'), LOGO_REASON_DIMENSION],
  can_group: true,
  time_fields: [CHURNED_AT_FIELD],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: ['type'],
}

const REVENUE: QueryInputs = {
  ...LOGO,
  dimensions: [
    ...CUSTOMER_LEVEL,
    ...PLAN_DIMENSIONS,
    ...SUBSCRIPTION_DIMENSIONS,
    PHASE_DIMENSION,
    MOVEMENT_SOURCE_DIMENSION,
    churnType('revenue'),
    REVENUE_REASON_DIMENSION,
  ],
  time_fields: [OCCURRED_AT_FIELD],
}

/** Groups by churn type or reason share the denominator (http-api.md 1.6). */
const ONCE = { shared_by: ['churn_type', 'cancel_reason'] } as const

const LOST = { label: 'Churned MRR', good: 'down' } as const

/** Inputs of the tables that list the customers of a rate. */
const LISTED = { step: 'none', can_group: false, compare: 'union' } as const

const QUERIES = {
  logo: defineFigure({
    figures: [
      {
        id: 'logo_churn',
        label: 'Logo churn',
        measure: 'logo_churn_rate',
        chart: 'line',
        place: 7,
        headline: 'logo_churn_rate',
        search: 'customer',
      },
      {
        id: 'churned_customers',
        label: 'Churned customers',
        measure: 'churn_count',
        chart: 'bars',
        place: 8,
        rows: { measures: ['churn_count', 'active_at_start'] },
      },
    ],
    page: { path: 'churn', isGrouped: true, figure: 'logo_churn' },
    words: ['logo_churn', 'customer_churn', 'churn_rate'],
    shows: 'totals',
    summary: 'Share of the customers live at the start that churned in the range',
    inputs: LOGO,
    measures: {
      logo_churn_rate: share('Churned customers / customers live at the start; null if there were none', {
        top: ['churn_count'],
        bottom: ['active_at_start'],
        label: 'Logo churn',
        good: 'down',
      }),
      churn_count: count('Customers live at the start that churned in the range', { label: 'Churned', good: 'down' }),
      active_at_start: count('Customers live just before the start', ONCE),
    },
    plain: 'logo_churn_rate',
    ...madeOf(LOGO_CHURN),
  }),
  revenue: defineFigure({
    figures: [
      {
        id: 'revenue_churn',
        label: 'Revenue churn',
        measure: 'revenue_churn_rate',
        chart: 'line',
        place: 9,
        headline: 'revenue_churn_rate',
        asks: { type: 'revenue' },
      },
    ],
    page: { path: 'churn', view: 'revenue', isGrouped: true, figure: 'revenue_churn' },
    shows: 'totals',
    summary: 'Share of the MRR at the start that was lost by churn in the range',
    inputs: REVENUE,
    measures: {
      revenue_churn_rate: fraction('MRR lost by churn / MRR at the start; null if that is 0', {
        top: ['revenue_lost'],
        bottom: ['start_mrr'],
        label: 'Revenue churn',
        words: ['revenue_churn', 'mrr_churn'],
        good: 'down',
      }),
      revenue_lost: cents('MRR lost by churn, from customers with MRR at the start, in cents', LOST),
      start_mrr: cents('MRR just before the start, in cents', { ...ONCE, label: 'Starting MRR' }),
    },
    plain: 'revenue_churn_rate',
    ...madeOf(REVENUE_CHURN),
  }),
  detail: defineList({
    page: { path: 'churn' },
    summary: 'Every customer live at the start, with its churn in the range',
    inputs: { ...LOGO, ...LISTED },
    reads: ['cancellation'],
    keys: CUSTOMER_COLUMNS,
    measures: {
      active_at_start: z.boolean().describe('Live just before the start; true on every row'),
      fully_churned: z.boolean().describe('Churned and not live at the end of the range'),
      churned_at: z.string().nullable().describe('First logo churn in the range').meta({ format: 'date-time' }),
      cancel_reason: z.string().nullable().describe('Recorded reason of that churn'),
      churned_mrr_cents: cents('MRR lost by pauses and ends in the range, in base cents', { ...FLOW, good: 'down' }),
      starting_mrr_cents: cents('MRR just before the start, in base cents'),
    },
    is_comparable: false,
    rows: rowsBehind(OF_ALL),
    read: readDetail,
  }),
  revenue_events: defineList({
    page: { path: 'churn', view: 'revenue' },
    summary: 'Customers that lost MRR by churn in the range, largest loss first',
    inputs: { ...REVENUE, ...LISTED },
    keys: CUSTOMER_COLUMNS,
    measures: {
      mrr_cents: cents('MRR lost by churn, in base cents', { ...FLOW, ...LOST }),
      events: count('Number of churn movements', FLOW),
    },
    rows: rowsBehind(LOST_BY),
    read: readRevenueEvents,
  }),
}

/** Logo churn, revenue churn and their tables (http-api.md 3.3). */
export const metric = defineMetric({
  name: 'churn',
  summary: 'Lost customers and lost recurring revenue',
  words: ['attrition'],
  depends_on: ['mrr'],
  reads: ['mrr_span', 'customer'],
  time_fields: [CHURNED_AT_FIELD],
  queries: QUERIES,
  choose: (query_type, params) => chosenType(query_type, params['type'], QUERIES),
  routes: [
    {
      path: 'churn',
      summary: 'Logo churn rate; with type=revenue, revenue churn rate',
      command: {
        description: 'Share of the customers at the start that were lost in a range; with --type revenue, share of the MRR',
      },
    },
    { path: 'churn/customers', query_type: 'detail', command: false },
    {
      path: 'churn/revenue-events',
      query_type: 'revenue_events',
      command: false,
    },
  ],
  docs: {
    formula:
      'Logo churn rate = customers live just before the start that had a logo churn event in the range / customers live just before the start. Revenue churn rate = MRR lost by churn movements of customers with MRR just before the start / that MRR. A logo churn event is the instant at which the last live subscription of a customer ends.',
    assumptions: [
      'Live means activated and not ended, at any price, paused or not; a running trial does not make a customer live.',
      'A customer that churns and returns in the range counts once, as churned. A customer won in the range does not count.',
      'Revenue churn includes pauses and partial losses. It is not capped, so it equals the sum of its table.',
      'The value just before the start decides the group, for numerator and denominator.',
      'The reason of a cancellation is the text in a custom field of the subscription, or else the reason code recorded with it.',
    ],
    edge_cases: [
      'A pause is revenue churn and not logo churn.',
      'The cancellation of a customer that is paused or free is logo churn and not revenue churn.',
      'A bundle transfer to another account is neither.',
      'Changes at the same instant count together, so a swap of subscriptions is no logo churn.',
      'cancel_reason and churn_type split only the numerator, so the rates of the groups add up. A customer with several events counts under the first.',
      'If you compare segments, each has its own rates. The tables list the customers of any segment, each once.',
      'The rate is null if no customer was live, or there was no MRR, just before the start.',
    ],
    example: {
      text: 'Five customers were live before March (a sixth was only in a trial). F left on 20 April (1 of 5), came back in May, and B left on 24 May (1 of the 4 live before May). Over the whole range it is 2 of 5, 0.4.',
      params: {
        query_type: 'logo',
        start: '2025-03-01',
        end: '2025-05-31',
        granularity: 'month',
      },
      answer: [
        {
          period: '2025-03-01',
          logo_churn_rate: 0,
          churn_count: 0,
          active_at_start: 5,
        },
        {
          period: '2025-04-01',
          logo_churn_rate: 0.2,
          churn_count: 1,
          active_at_start: 5,
        },
        {
          period: '2025-05-01',
          logo_churn_rate: 0.25,
          churn_count: 1,
          active_at_start: 4,
        },
      ],
    },
  },
})

/** The query named by `type` or `query_type`, which mean the same. AppError if `type` names no query, or if they differ. */
function chosenType<Name extends string>(
  query_type: Name | undefined,
  raw: unknown,
  queries: Readonly<Record<Name, unknown>>,
): Name | undefined {
  const type = Array.isArray(raw) ? raw[0] : raw
  if (isAbsent(type)) return query_type
  const available = Object.keys(queries).sort() as Name[]
  const chosen = available.find((name) => name === type)
  if (chosen === undefined) {
    throw refuse('invalid_value', 'params.type', mustBe('type', oneOf(available), type), {
      value: type,
      known: available,
      context: { available },
    })
  }
  if (query_type !== undefined && query_type !== chosen) {
    const message = mustBe('type', `the same as "query_type", "${query_type}"`, type)
    throw refuse('invalid_value', 'params.type', message, { value: type })
  }
  return chosen
}

import { sql } from '../../compiler/fragment.ts'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS, TENURE_DIMENSION } from '../../query/dimensions/customer.ts'
import { PLAN_DIMENSIONS, SUBSCRIPTION_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { defineField, type Field, onSpan } from '../../query/field.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { count, FLOW, quotient, share } from '../columns.ts'
import { defineMetric } from '../define-metric.ts'
import { defineFigure } from '../define-query.ts'
import { madeOf } from '../formula.ts'
import { DAYS_TO_CONVERT, FUNNEL as NUMBERS, TIME_TO_CONVERT } from './fact.ts'

/** Times of a trial, as filters on the trials of every figure. */
const TRIAL_TIME_FIELDS: readonly Field[] = [
  defineField({
    key: 'started_at',
    shows: 'totals',
    type: 'timestamp',
    description: 'Start of the trial.',
    constant: 'always',
    expression: () => sql`fact.started_at`,
  }),
  defineField({
    key: 'converted_at',
    shows: 'totals',
    type: 'timestamp',
    description: 'Time when the trial converted; null if it has not.',
    constant: 'always',
    expression: () => sql`fact.converted_at`,
  }),
  defineField({
    key: 'expired_at',
    shows: 'totals',
    type: 'timestamp',
    description: 'End of a trial that did not convert.',
    constant: 'always',
    expression: () => sql`fact.expired_at`,
  }),
]

const INPUTS: QueryInputs = {
  ...RANGE_INPUTS,
  step: 'granularity',
  dimensions: [
    ...SOURCE_DIMENSIONS,
    ...CUSTOMER_DIMENSIONS,
    ...COHORT_DIMENSIONS,
    onSpan(TENURE_DIMENSION),
    ...PLAN_DIMENSIONS.map(onSpan),
    ...SUBSCRIPTION_DIMENSIONS.map((field) => (field.key === 'price_list' ? onSpan(field) : field)),
  ],
  can_group: true,
  time_fields: TRIAL_TIME_FIELDS,
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
}

const PAGE = { path: 'trials', isGrouped: true, figure: 'trial_conversion' } as const

const conversion_rate = share('Converted trials / started trials; null if none started', {
  top: ['converted'],
  bottom: ['started'],
})
const decided_conversion_rate = share('Converted trials / (converted + expired); null if no trial is decided', {
  top: ['converted'],
  bottom: ['converted', 'expired'],
  label: 'Conversion of ended trials',
})
const started = count('Trials that began in the range or period', FLOW)
const converted = count('Trials that have converted so far', FLOW)
const expired = count('Trials that ended without converting', FLOW)
const FUNNEL = {
  started,
  converted,
  expired,
  pending: count('Trials still open: started - converted - expired', { ...FLOW, label: 'In trial', good: 'neither' }),
  conversion_rate,
  decided_conversion_rate,
}

const { pending: _, ...OUTCOMES } = NUMBERS

/** Trials and their outcomes (http-api.md 3.5). */
export const metric = defineMetric({
  name: 'trials',
  summary: 'Trials and their conversion',
  words: ['trial_conversion', 'conversion'],
  depends_on: [],
  reads: ['trial'],
  time_fields: TRIAL_TIME_FIELDS,
  queries: {
    conversion_rate: defineFigure({
      figures: [
        {
          id: 'trial_conversion',
          label: 'Trial conversion',
          measure: 'conversion_rate',
          chart: 'line',
          place: 13,
          headline: 'trial_conversion_rate',
          search: 'rate',
          rows: { query_type: 'funnel' },
        },
        {
          id: 'trials',
          label: 'Trials started',
          measure: 'started',
          chart: 'bars',
          place: 14,
          rows: { query_type: 'funnel', measures: ['started', 'converted', 'pending', 'expired'] },
          alone: 'trials/funnel',
        },
      ],
      page: PAGE,
      shows: 'totals',
      summary: 'Share of the trials begun in the range that converted',
      inputs: INPUTS,
      measures: {
        conversion_rate,
        decided_conversion_rate,
        started,
        converted,
        expired,
      },
      plain: 'conversion_rate',
      ...madeOf(OUTCOMES),
    }),
    funnel: defineFigure({
      page: PAGE,
      shows: 'totals',
      summary: 'Trials begun in the range: converted, expired and pending',
      inputs: INPUTS,
      measures: FUNNEL,
      ...madeOf(NUMBERS),
    }),
    time_to_convert: defineFigure({
      page: PAGE,
      shows: 'totals',
      words: ['days_to_convert', 'time_to_conversion'],
      summary: 'Trials begun in the range that converted, by the days until then',
      inputs: { ...INPUTS, dimensions: [...INPUTS.dimensions, DAYS_TO_CONVERT] },
      measures: {
        conversion_rate: share('Converted trials / all trials that began; null if none started', {
          top: ['converted'],
          bottom: ['all_started'],
        }),
        converted: count('Trials that have converted so far', FLOW),
        average_days: quotient('Mean of the days to the conversion; null if none converted', { good: 'down' }),
        all_started: count('All trials that began in the range or period', { label: 'Trials', shared_by: [DAYS_TO_CONVERT.key] }),
      },
      plain: 'average_days',
      ...madeOf(TIME_TO_CONVERT),
    }),
    series: defineFigure({
      page: PAGE,
      shows: 'totals',
      summary: 'Trial funnel of each period, by the day a trial began',
      inputs: { ...INPUTS, step: 'interval' },
      measures: FUNNEL,
      ...madeOf(NUMBERS),
    }),
  },
  routes: [
    {
      path: 'trials',
      command: {
        description: 'Share of the trials begun in a range that converted',
        takes_interval: true,
      },
    },
    {
      path: 'trials/funnel',
      query_type: 'funnel',
      command: {
        description: 'Trials that began in a range: converted, expired, pending',
        takes_interval: true,
      },
    },
    {
      path: 'trials/time-to-convert',
      query_type: 'time_to_convert',
      command: { description: 'Days from the start of a trial to its conversion' },
    },
    {
      path: 'trials/series',
      query_type: 'series',
      command: {
        description: 'Trial funnel of each period, by the day a trial began',
      },
    },
  ],
  docs: {
    formula:
      'Conversion rate = converted trials / started trials, over the trials that began in the range. started = converted + expired + pending. Each trial counts with its outcome so far, even if the outcome came after the range. Decided conversion rate = converted trials / (converted + expired trials).',
    assumptions: [
      'A trial is a subscription that begins in a trial phase. Each subscription has at most one.',
      'It converts at the first instant outside a trial phase when the subscription is not blocked. That is the planned end, or earlier if the plan changes, even to a free plan. A payment is not needed.',
      'It expires if the subscription ends first. A cancellation exactly at the planned end is an expiry. Until it converts or expires, it is pending.',
      'A trial belongs to the period in which it began, no matter when its outcome comes.',
      'Plan, price list and tenure are those at the start of the subscription. The cohort is that of the customer.',
    ],
    edge_cases: [
      'As time passes, trials move from pending to converted or expired. Recent ranges change until all their trials have ended.',
      'If a trial ends while the subscription is blocked, it is pending until the block ends.',
      'A trial phase that begins after activation is no trial.',
      'If a bundle was transferred during a trial, the trial counts once, for the receiving customer, at its original start.',
      'A customer that was never live has no cohort_month, so its trials are in the group null.',
      'A filter on started_at, converted_at or expired_at narrows the trials themselves, and so the denominator of the rate.',
      'The rate is null if no trial began. The decided rate is null while every trial is pending.',
      'While trials are pending, the rate can only rise. The decided rate leaves them out, so that you can compare a recent range with an older one.',
    ],
    example: {
      text: 'S2 began its trial on 10 January and converted on 24 January. S4 began on 20 February and was cancelled on 1 March. 1 / 2 = 0.5.',
      params: { query_type: 'series', start: '2025-01-01', end: '2025-03-31' },
      answer: [
        {
          period: '2025-01-01',
          started: 1,
          converted: 1,
          expired: 0,
          pending: 0,
          conversion_rate: 1,
          decided_conversion_rate: 1,
        },
        {
          period: '2025-02-01',
          started: 1,
          converted: 0,
          expired: 1,
          pending: 0,
          conversion_rate: 0,
          decided_conversion_rate: 0,
        },
        {
          period: '2025-03-01',
          started: 0,
          converted: 0,
          expired: 0,
          pending: 0,
          conversion_rate: null,
          decided_conversion_rate: null,
        },
      ],
    },
  },
})

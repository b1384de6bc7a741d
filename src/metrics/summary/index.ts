import * as z from 'zod'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS } from '../../query/dimensions/customer.ts'
import { SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import type { QueryInputs } from '../../query/inputs.ts'
import { defineMetric } from '../define-metric.ts'
import { SUMMARY_ANSWER } from './answers.ts'
import { answerHeadline, FIGURE_READS } from './headline.ts'

const SUMMARY = 'Headline figures for a day or a range'

/** The filters of every metric, without grouping. */
const INPUTS: QueryInputs = {
  dates: 'day_or_range',
  step: 'none',
  dimensions: [...SOURCE_DIMENSIONS, ...CUSTOMER_DIMENSIONS, ...COHORT_DIMENSIONS],
  series_dimensions: [],
  key_columns: [],
  can_group: false,
  time_fields: [],
  filter_fields: CUSTOMER_FIELDS,
  compare: 'rows',
  own_parameters: ['forecast'],
}

/** The headline figures at a glance (http-api.md 3.1). */
export const metric = defineMetric({
  name: 'summary',
  summary: SUMMARY,
  is_overview: true,
  depends_on: [],
  reads: [],
  time_fields: [],
  queries: {
    headline: {
      page: { path: '' },
      shows: 'totals',
      summary: SUMMARY,
      inputs: INPUTS,
      reads_where_supplied: FIGURE_READS,
      plain: SUMMARY_ANSWER,
      row: z.object(SUMMARY_ANSWER.shape),
      run: answerHeadline,
    },
  },
  routes: [],
  docs: {
    formula:
      'Each figure equals the answer of its own endpoint for the same days. Levels are those at the end of the day. Net new MRR, churn and retention cover the rate window. nrr_12_months and grr_12_months cover the year window, and net_new_mrr_so_far the month window. LTV, trial conversion, quick ratio and margins cover the trailing window.',
    assumptions: [
      'The rate window is the last full calendar month that ends on or before the day. The trailing window is the 365 days up to and including the day.',
      'With start and end, both windows are that range.',
      'The year window is the 365 days up to and including the day, and the month window begins with the first day of its month, also with start and end.',
      'Quick ratio = (new + expansion + reactivation) / (contraction + churn), by magnitude.',
      'Gross margin = 1 - cogs / revenue, operating margin = 1 - (cogs + expense) / revenue, where revenue = paid invoices. cogs and expense are the expenses of these account types.',
    ],
    edge_cases: [
      'A day after today counts as today, also with forecast. With forecast, the summary also has mrr_in_trial and mrr_scheduled_to_cancel.',
      'If the connector cannot supply a figure, the figure is null and listed in unsupported.',
      'Margins are null if the window has no expenses of these types or no revenue. They are also null if you narrow the summary to some customers, because expenses belong to no customer.',
      'If you compare segments, the answer is a list with one object per segment. Each begins with segment_id and segment_name.',
    ],
    example: {
      text: 'March to May 2025: MRR is 33433 cents at the end. 2 of the 5 customers live at the start churned. No trial began. Of 58313 cents paid, 35000 went into cogs and 40800 into expenses.',
      params: { start: '2025-03-01', end: '2025-05-31' },
      answer: {
        mrr: 33433,
        arr: 401196,
        arpu: 8358.25,
        active_customers: 4,
        active_subscriptions: 4,
        nrr_12_months: null,
        grr_12_months: null,
        net_new_mrr_so_far: -4000,
        net_new_mrr: 4600,
        logo_churn_rate: 0.4,
        revenue_churn_rate: 0.620816,
        nrr: 1.020809,
        grr: 0.72254,
        ltv: 55721.67,
        trial_conversion_rate: null,
        quick_ratio: 1.255556,
        gross_margin: 0.399791,
        operating_margin: -0.299882,
        as_of: '2025-05-31',
        year_window: { start: '2024-06-01', end: '2025-05-31' },
        month_window: { start: '2025-05-01', end: '2025-05-31' },
        rate_window: { start: '2025-03-01', end: '2025-05-31' },
        trailing_window: { start: '2025-03-01', end: '2025-05-31' },
        data_through: '2025-06-05T00:00:00.000Z',
        base_currency: 'USD',
        unsupported: [],
      },
    },
  },
})

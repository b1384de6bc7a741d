import * as z from 'zod'
import { COHORT_DIMENSIONS, CUSTOMER_DIMENSIONS, CUSTOMER_FIELDS } from '../../query/dimensions/customer.ts'
import { SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import type { QueryInputs } from '../../query/inputs.ts'
import { defineMetric } from '../define-metric.ts'
import { SUMMARY_ANSWER } from './answers.ts'
import { answerHeadline, FIGURE_READS } from './headline.ts'

const SUMMARY = 'The headline figures of a day, or of a range'

/** The filters that every metric offers; nothing to group by. */
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
  own_parameters: [],
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
      'Each figure is what its own endpoint answers for the same days. Levels hold at the end of the day asked for. Net new MRR, churn and retention cover the rate window, LTV, trial conversion, quick ratio and margins the trailing window.',
    assumptions: [
      'The rate window is the last full calendar month that ends on or before the day, the trailing window the 365 days up to and including it.',
      'With start and end both windows are that range.',
      'Quick ratio = (new + expansion + reactivation) / (contraction + churn), by magnitude.',
      'Gross margin = 1 - cogs / revenue, operating margin = 1 - (cogs + expense) / revenue, where revenue = paid invoices; cogs and expense are the expenses of these types of accounts.',
    ],
    edge_cases: [
      'A day after today counts as today.',
      'A figure that the connector cannot supply is null and named in unsupported.',
      'Margins are null where the window has no expenses of these types or no revenue, and where the summary is narrowed to some customers, as expenses belong to none.',
      'Comparing segments gives a list, one object for each segment with its segment_id and segment_name first.',
    ],
    example: {
      text: 'From March to May 2025: 33433 cents of MRR at the end, 2 of the 5 customers live at the start churned; nobody began a trial; of 58313 cents paid, 35000 went into cogs and 40800 into expenses.',
      params: { start: '2025-03-01', end: '2025-05-31' },
      answer: {
        mrr: 33433,
        arr: 401196,
        arpu: 8358.25,
        active_customers: 4,
        active_subscriptions: 4,
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
        rate_window: { start: '2025-03-01', end: '2025-05-31' },
        trailing_window: { start: '2025-03-01', end: '2025-05-31' },
        data_through: '2025-06-05T00:00:00.000Z',
        base_currency: 'USD',
        unsupported: [],
      },
    },
  },
})

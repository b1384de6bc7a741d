import type { MetricDocs } from '../define-metric.ts'

/** What lifetime value means here; the example is executed by a test. */
export const LTV_DOCS: MetricDocs = {
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
}

import type { MetricDocs } from '../define-metric.ts'

/** What churn means here; the example is executed by a test. */
export const CHURN_DOCS: MetricDocs = {
  formula:
    'Logo churn rate = customers live just before the start that had a logo churn event in the range / customers live just before the start. Revenue churn rate = MRR lost by churn movements of customers with MRR just before the start / that MRR. A logo churn event is the instant at which the last live subscription of a customer ends.',
  assumptions: [
    'Live means activated and not ended, at any price, paused or not; a running trial does not make a customer live.',
    'Who churns and returns inside the range is counted once as churned; who was won inside the range is not counted at all.',
    'Revenue churn contains pauses and partial losses and is not capped, so it equals the sum of its table.',
    'The value just before the start decides the group of numerator and denominator.',
    'The reason of a cancellation is the text of a custom field of the subscription, else the reason code under which it was written.',
  ],
  edge_cases: [
    'A pause is revenue churn and not logo churn.',
    'The cancellation of a customer that is paused or free is logo churn and not revenue churn.',
    'A bundle transfer to another account is neither.',
    'Everything of one instant counts together: a swap of subscriptions is no logo churn.',
    'cancel_reason and churn_type split only the numerator, so the rates of the groups add up; a customer with several events counts under its first.',
    'Comparing segments gives rates for each; the tables list the customers of any of them, each once.',
    'The rate is null when nobody was live, or nothing was paid, just before the start.',
  ],
  example: {
    text: 'Five customers were live before March (a sixth was only in a trial). F left on 20 April (1 of 5), came back in May, and B left on 24 May (1 of the 4 live before May). Over the whole range it is 2 of 5, 0.4.',
    params: { query_type: 'logo', start: '2025-03-01', end: '2025-05-31', granularity: 'month' },
    answer: [
      { period: '2025-03-01', logo_churn_rate: 0, churn_count: 0, active_at_start: 5 },
      { period: '2025-04-01', logo_churn_rate: 0.2, churn_count: 1, active_at_start: 5 },
      { period: '2025-05-01', logo_churn_rate: 0.25, churn_count: 1, active_at_start: 4 },
    ],
  },
}

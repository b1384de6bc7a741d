import type { MetricDocs } from '../define-metric.ts'

/** What retention means here; the example is executed by a test. */
export const RETENTION_DOCS: MetricDocs = {
  formula:
    'M(c) is the MRR of customer c just before the start; only customers with M(c) > 0 count. NRR = sum of max(0, M(c) + gain(c) − loss(c)) / sum of M(c); GRR = sum of max(0, M(c) − loss(c)) / sum of M(c), where gain and loss are the positive and negative expansion, contraction and churn amounts of the range. Cohort retention = customers of a monthly cohort still live at the end of a month / size of the cohort.',
  assumptions: [
    'new and reactivation do not count; bundle transfers are left out.',
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
}

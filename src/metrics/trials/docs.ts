import type { MetricDocs } from '../define-metric.ts'

/** What trials mean here; the example is executed by a test. */
export const TRIALS_DOCS: MetricDocs = {
  formula:
    'Conversion rate = converted trials / started trials, over the trials that began in the range. started = converted + expired + pending, each trial by what has become of it by now, also after the range.',
  assumptions: [
    'A trial is a subscription that begins in a trial phase; each subscription has at most one.',
    'It converts at the first instant outside a trial phase at which the subscription is not blocked: at the planned end, or earlier by a change of plan, also to a free plan. A payment is not needed.',
    'It expires when the subscription ends before that; a cancellation exactly at the planned end is an expiry. Until either happens it is pending.',
    'A trial belongs to the period in which it began, whenever its outcome comes.',
    'Plan, price list and tenure are those at the begin of the subscription; the cohort is that of the customer.',
  ],
  edge_cases: [
    'A later now moves trials from pending to converted or expired: recent ranges change until all their trials have ended.',
    'A trial that ends while the subscription is blocked is pending until the block ends.',
    'A trial phase entered after activation is no trial.',
    'A trial that was running when its bundle was transferred is counted once, under the receiving customer, at its original start.',
    'A customer that was never live has no cohort_month: its trials stand under null.',
    'A filter on started_at, converted_at or expired_at narrows the trials themselves, so also the denominator of the rate.',
    'The rate is null when no trial began.',
  ],
  example: {
    text: 'S2 began its trial on 10 January and converted on the 24th; S4 began on 20 February and was cancelled on 1 March. 1 / 2 = 0.5.',
    params: { query_type: 'series', start: '2025-01-01', end: '2025-03-31' },
    answer: [
      { period: '2025-01-01', started: 1, converted: 1, expired: 0, pending: 0, conversion_rate: 1 },
      { period: '2025-02-01', started: 1, converted: 0, expired: 1, pending: 0, conversion_rate: 0 },
      { period: '2025-03-01', started: 0, converted: 0, expired: 0, pending: 0, conversion_rate: null },
    ],
  },
}

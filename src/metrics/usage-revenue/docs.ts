import type { MetricDocs } from '../define-metric.ts'

/** What usage revenue means here; the example is executed by a test. */
export const USAGE_REVENUE_DOCS: MetricDocs = {
  formula:
    'Usage revenue = sum of the paid usage charges whose service begins in the range. A charge is a usage item of a paid invoice, less what had been adjusted on it by the payment.',
  assumptions: [
    'It is not smoothed: the usage component of MRR is a mean of three months of the same charges.',
    'A charge counts on the first day of its service, not when it was invoiced or paid. An item over several calendar months is split evenly, its further parts dated on the first of the following months.',
    'Only usage paid by now counts, so recent months still grow; later refunds and chargebacks change nothing.',
    'Each charge is converted at the exchange rate of the day on which it was paid.',
    'The plan is that of the charge, the price list and the bundle are those of its subscription when it was paid.',
  ],
  edge_cases: [
    'The customer is the owner of the subscription, also where a parent account paid.',
    'Charges paid after the end of the subscription count here and in no MRR.',
    'Charges of 0 add nothing; customers whose charges add up to 0 are not listed by customer, in a period or at all.',
    'The total of nothing is 0.',
    'A charge without an exchange rate fails the request, one of 0 needs none.',
  ],
  example: {
    text: 'E used 6.00 in January, 9.00 in February, 15.00 in March and 3.00 in April; the usage of May is not paid yet.',
    params: { query_type: 'series', start: '2025-01-01', end: '2025-05-31' },
    answer: [
      { period: '2025-01-01', revenue: 600 },
      { period: '2025-02-01', revenue: 900 },
      { period: '2025-03-01', revenue: 1500 },
      { period: '2025-04-01', revenue: 300 },
      { period: '2025-05-01', revenue: 0 },
    ],
  },
}

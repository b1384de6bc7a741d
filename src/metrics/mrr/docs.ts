import type { MetricDocs } from '../define-metric.ts'

/** What MRR means here; feeds the documents and discovery. The example is executed by a test. */
export const MRR_DOCS: MetricDocs = {
  formula:
    'MRR at T is the sum, over active subscriptions, of the recurring component (price in force × quantity, brought to one month, floored to a cent) and the usage component (mean of the newest three service months with paid usage). ARR = 12 × MRR. Net movement of a period = MRR at its end − MRR just before its start = new + expansion + contraction + churn + reactivation + transfer.',
  assumptions: [
    'All instants are UTC; a day counts as a whole, and a level at a day is the level at its end.',
    'Amounts are cents of the base currency, each fixed at the exchange rate of the day on which the original amount last changed; with the dimension currency they are original cents.',
    'A trial has no MRR, a paused subscription has none while it is paused; one-off charges, taxes and invoice discounts never count.',
    'Accounts tagged as test accounts are left out.',
  ],
  edge_cases: [
    'A movement at the first instant of a range belongs to the range, not to its opening.',
    'Plan, phase and other values of a movement are those just after it; where the subscription pauses or ends, those just before it.',
    'transfer is MRR that entered or left a group because the value itself changed, for example by a plan switch; over all groups it sums to 0. A filter on occurred_at leaves it out.',
    'When a subscription ends at the instant another of the same customer and bundle line begins, all their rows are one expansion or contraction.',
    'A price or exchange rate that is needed and missing fails the request instead of counting as 0.',
    'Dates after today are answered as of now; periods that have not begun are left out.',
  ],
  example: {
    text: 'Two plan changes, a pause of three weeks, and price × quantity in euro: the movements of March to May of the worked example. Opening 28833, net 4600, closing 33433.',
    params: { query_type: 'breakdown', start: '2025-03-01', end: '2025-05-31' },
    answer: [
      { movement_type: 'new', amount_base: 0, event_count: 0 },
      { movement_type: 'expansion', amount_base: 13600, event_count: 4 },
      { movement_type: 'contraction', amount_base: -100, event_count: 1 },
      { movement_type: 'churn', amount_base: -17900, event_count: 3 },
      { movement_type: 'reactivation', amount_base: 9000, event_count: 2 },
    ],
  },
}

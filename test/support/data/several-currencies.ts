import type { FxRate } from '../../../src/core/currency.ts'
import { exampleConnector, paid, RATES, span } from './worked-example.ts'

/** Customers A, B and C with subscriptions in euros and dollars. One euro is 1.10 dollars, and 1.20 from March on. */
const SPANS = [
  span('S1', 1, '2025-01-05', '2025-04-10', 3, { subscription_mrr_cents: 10_000 }),
  span('S1', 1, '2025-04-10', null, 3, { subscription_mrr_cents: 7_000, start_reason: 'price' }),
  // Lost twice in April: its return does not count (D45).
  span('S2', 1, '2025-02-01', '2025-04-05', 4, euros(5_000)),
  span('S2', 1, '2025-04-05', '2025-04-08', 4, { currency: 'EUR', status: 'paused', start_reason: 'pause' }),
  span('S2', 1, '2025-04-08', '2025-04-20', 4, { ...euros(5_000), start_reason: 'resume', end_reason: 'cancel' }),
  // Grows, and is then lost whole.
  span('S3', 2, '2025-01-10', '2025-04-03', 4, euros(2_000)),
  span('S3', 2, '2025-04-03', '2025-04-15', 4, { ...euros(4_000), start_reason: 'quantity', end_reason: 'cancel' }),
  span('S4', 2, '2025-02-10', '2025-04-20', 6, { subscription_mrr_cents: 1_000 }),
  span('S4', 2, '2025-04-20', null, 6, { subscription_mrr_cents: 4_000, start_reason: 'price' }),
  // The customer leaves ten days after its last euro.
  span('S5', 3, '2025-03-05', '2025-05-10', 4, { ...euros(1_000), end_reason: 'cancel' }),
  span('S6', 3, '2025-03-05', '2025-05-20', 6, { subscription_mrr_cents: 500, end_reason: 'cancel' }),
]

const INVOICES = [
  ...paid(1, 'USD', [['2025-01-05', 10_000]]),
  ...paid(1, 'EUR', [
    ['2025-02-01', 5_000],
    ['2025-03-01', 5_000],
  ]),
  ...paid(2, 'EUR', [['2025-01-10', 2_000]]),
  ...paid(2, 'USD', [['2025-02-10', 1_000]]),
  ...paid(3, 'EUR', [['2025-03-05', 1_000]]),
  ...paid(3, 'USD', [['2025-03-06', 500]]),
]

/** A connector to three customers that pay in two currencies. */
export function severalCurrencies(rates: readonly FxRate[] = RATES) {
  return exampleConnector({ spans: SPANS, invoices: INVOICES, rates })
}

function euros(cents: number) {
  return { currency: 'EUR', subscription_mrr_cents: cents }
}

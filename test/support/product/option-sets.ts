import type { SetOptions } from '../../../src/core/definitions.ts'

/** Definition sets of which each differs from the default in one option. */
export const OPTION_SETS = {
  paused: { pause: 'keep' },
  units: { quantity: 'one' },
  months: { billing_periods: 'MONTHLY' },
  unused: { mrr_usage: 'off' },
  customers: { grain: 'customer' },
  swapped: { swap_window: 10_080 },
  lapsed: { reactivation_window: 30 },
  // Recorded instants are at 06:00 or later, and many of them are on the day before there.
  zoned: { time_zone: 'America/Los_Angeles' },
  revalued: { fx: 'period_end' },
  constant: { fx: 'constant:2026-03-31' },
  returned: { nrr_reactivation: 'include' },
  taxless: { tax: 'exclude' },
  refunded: { refunds: 'subtract' },
  lifelong: { lifetime: true },
} as const satisfies Readonly<Record<string, SetOptions>>

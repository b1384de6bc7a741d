import type { DefinitionSet } from '../definitions.ts'

/** The sets that every service has, next to those of its connector and its configuration. */
export const BUILT_IN_SETS: readonly DefinitionSet[] = [
  {
    name: 'plumbline',
    description:
      'The defaults of Plumbline, whatever the configuration says, except about who counts, fixed terms and unknown prices.',
    options: {
      mrr_usage: 'mean3',
      pause: 'churn',
      quantity: 'agreed',
      billing_periods: 'all',
      grain: 'subscription',
      swap_window: 0,
      reactivation_window: 'none',
      time_zone: 'UTC',
      fx: 'span_start',
      nrr_reactivation: 'exclude',
      tax: 'include',
      refunds: 'ignore',
      lifetime: false,
      spread: 'day',
      one_off: 'at_once',
      unbilled: 'accrue',
      revenue_kinds: 'all',
      net_terms: 0,
      buckets: '30,60,90',
      receivables_rate: 'issued',
      recovery_window: 30,
    },
  },
  {
    name: 'customer-grain',
    description:
      'Movements of customers: a second subscription is expansion, the loss of one of two is contraction, and pauses change nothing.',
    options: { grain: 'customer', pause: 'keep' },
  },
  {
    name: 'constant-currency',
    description:
      'All amounts at the exchange rates of the last day of the last full month, so that exchange rates change no figure.',
    options: { fx: 'constant:last_month_end' },
  },
]

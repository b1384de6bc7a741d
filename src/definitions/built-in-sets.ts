import type { DefinitionSet } from '../core/definitions.ts'

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
      fx: 'span_start',
      nrr_reactivation: 'exclude',
      tax: 'include',
      refunds: 'ignore',
      lifetime: false,
    },
  },
  {
    name: 'constant-currency',
    description:
      'All amounts at the exchange rates of the last day of the last full month, so that exchange rates change no figure.',
    options: { fx: 'constant:last_month_end' },
  },
]

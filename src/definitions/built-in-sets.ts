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
      nrr_reactivation: 'exclude',
      tax: 'include',
      refunds: 'ignore',
      lifetime: false,
    },
  },
]

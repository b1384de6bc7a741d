import type { DefinitionSet } from '../../src/core/definitions.ts'

/** Definition sets that count as tools of Kill Bill do. */
export const DEFINITION_SETS: readonly DefinitionSet[] = [
  {
    name: 'killbill-analytics',
    description:
      'MRR as the analytics plugin of Kill Bill counts it: the recurring price of one unit for five billing periods, without usage, unchanged while a subscription is paused. Rules: getMrrFromBillingPeriod in BusinessSubscription.java, added up by reports/mrr_daily/v_report_mrr_daily.ddl (github.com/killbill/killbill-analytics-plugin, commit de3f6c6). Two differences remain: the plugin ends a subscription with its entitlement, and it counts an unknown price as 0.',
    options: {
      mrr_usage: 'off',
      pause: 'keep',
      quantity: 'one',
      billing_periods: 'MONTHLY,QUARTERLY,BIANNUAL,ANNUAL,BIENNIAL',
    },
  },
]

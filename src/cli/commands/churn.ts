import { metricCommand } from './metric.ts'

/** Customers and revenue lost. */
export const CHURN_COMMAND = metricCommand({
  name: 'churn',
  description: 'Share of the customers, or with --type revenue of the MRR, at the start that was lost in a range',
  metric: 'churn',
  options: ['start', 'end', 'type'],
  isOfRange: true,
})

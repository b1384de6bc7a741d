import { metricCommand } from './metric.ts'

const arpu = metricCommand({
  name: 'ltv arpu',
  description: 'MRR per paying customer at a day, or as a series with --start and --end',
  metric: 'ltv',
  query_type: 'arpu',
  options: ['at', 'start', 'end'],
})

const cohort = metricCommand({
  name: 'ltv cohort',
  description: 'What the customers of each monthly cohort paid in a range',
  metric: 'ltv',
  query_type: 'cohort',
  options: ['start', 'end'],
  isOfRange: true,
})

/** Lifetime value. */
export const LTV_COMMAND = metricCommand({
  name: 'ltv',
  description: 'Lifetime value of a customer: ARPU divided by the monthly logo churn rate of a range',
  metric: 'ltv',
  options: ['at', 'start', 'end'],
  isOfRange: true,
  subCommands: [arpu, cohort],
})

import { metricCommand } from './metric.ts'

const series = metricCommand({
  name: 'usage-revenue series',
  description: 'Paid usage of each period',
  metric: 'usage_revenue',
  query_type: 'series',
  options: ['start', 'end', 'interval'],
  isOfRange: true,
})

const byCustomer = metricCommand({
  name: 'usage-revenue by-customer',
  description: 'Paid usage of each customer, largest first',
  metric: 'usage_revenue',
  query_type: 'by_customer',
  options: ['start', 'end', 'interval'],
  isOfRange: true,
})

/** Revenue from usage. */
export const USAGE_REVENUE_COMMAND = metricCommand({
  name: 'usage-revenue',
  description: 'Paid usage whose service lies in a range',
  metric: 'usage_revenue',
  options: ['start', 'end', 'interval'],
  isOfRange: true,
  subCommands: [series, byCustomer],
})

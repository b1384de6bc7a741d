import { metricCommand } from './metric.ts'

/** Customers and revenue kept. */
export const RETENTION_COMMAND = metricCommand({
  name: 'retention',
  description: 'Customers still live by monthly cohort, or net or gross revenue retention with --query-type nrr or grr',
  metric: 'retention',
  options: ['start', 'end', 'query-type'],
  isOfRange: true,
})

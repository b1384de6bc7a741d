import { metricCommand } from './metric.ts'

const funnel = metricCommand({
  name: 'trials funnel',
  description: 'Trials that began in a range: converted, expired, pending',
  metric: 'trials',
  query_type: 'funnel',
  options: ['start', 'end', 'interval'],
  isOfRange: true,
})

const series = metricCommand({
  name: 'trials series',
  description: 'The funnel of each period, by the day a trial began',
  metric: 'trials',
  query_type: 'series',
  options: ['start', 'end', 'interval'],
  isOfRange: true,
})

/** Trials and what became of them. */
export const TRIALS_COMMAND = metricCommand({
  name: 'trials',
  description: 'Share of the trials begun in a range that converted',
  metric: 'trials',
  options: ['start', 'end', 'interval'],
  isOfRange: true,
  subCommands: [funnel, series],
})

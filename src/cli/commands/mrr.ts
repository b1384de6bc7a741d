import type { Command } from '../command.ts'
import { metricCommand } from './metric.ts'

const components = metricCommand({
  name: 'mrr components',
  description: 'MRR split into its subscription and usage parts',
  metric: 'mrr',
  query_type: 'components',
  options: ['at', 'start', 'end', 'interval'],
})

const breakdown = metricCommand({
  name: 'mrr breakdown',
  description: 'MRR movements of a range by type',
  metric: 'mrr',
  query_type: 'breakdown',
  options: ['start', 'end'],
  isOfRange: true,
})

/** The waterfall, under `mrr` and by itself. */
function waterfallCommand(name: string): Command {
  return metricCommand({
    name,
    description: 'From starting to ending MRR, period by period',
    metric: 'mrr',
    query_type: 'waterfall',
    options: ['start', 'end', 'interval'],
    isOfRange: true,
  })
}

/** Commands of the MRR family. */
export const MRR_COMMANDS: readonly Command[] = [
  metricCommand({
    name: 'mrr',
    description: 'Monthly recurring revenue at a day, or as a series with --start and --end',
    metric: 'mrr',
    options: ['at', 'start', 'end', 'interval'],
    subCommands: [components, breakdown, waterfallCommand('mrr waterfall')],
  }),
  metricCommand({
    name: 'arr',
    description: 'Annual recurring revenue, twelve times MRR',
    metric: 'mrr',
    query_type: 'arr',
    options: ['at', 'start', 'end', 'interval'],
  }),
  waterfallCommand('waterfall'),
]

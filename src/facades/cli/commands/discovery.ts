import type { Command } from '../command.ts'
import { fieldsText } from '../fields-text.ts'
import { writeWarnings } from '../output.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { tableLines } from '../table.ts'
import { withEngine } from './with-engine.ts'

const LEFT = { title: '', align: 'left' } as const

const metricsCommand: Command = {
  name: 'metrics',
  description: 'All metrics; no database is asked',
  options: [],
  run: async ({ input, io, product }) => {
    const listed = (await product.metrics()).filter(({ is_overview }) => is_overview !== true)
    const metrics = listed.map(({ name, summary }) => ({ metric: name, summary })).sort((a, b) => (a.metric < b.metric ? -1 : 1))
    const cells = metrics.map(({ metric, summary }) => [metric, summary])
    const text = tableLines([LEFT, LEFT], cells).slice(1)
    const json = metrics.map(({ metric }) => metric)
    writeRecords(
      {
        json,
        rows: metrics,
        columns: ['metric'],
        text: text.map((line) => `${line}\n`).join(''),
      },
      input,
      io,
    )
    return 0
  },
}

/** Commands that tell what can be asked. */
export function discoveryCommands(names: readonly string[]): readonly Command[] {
  return [
    metricsCommand,
    {
      name: 'fields',
      description: 'Dimensions, filters, attributes and query types of a metric',
      options: [],
      positionals: [
        {
          name: 'metric',
          description: 'Name of the metric, as `plumbline metrics` lists it',
          values: names,
        },
      ],
      examples: ['fields mrr', 'fields usage-revenue --json'],
      run: (invocation) =>
        withEngine(invocation, async (engine) => {
          const { input, io } = invocation
          const { data, meta } = await engine.fields((input.positionals[0] ?? '').replaceAll('-', '_'))
          writeRecord(data, fieldsText(data, io.stdout.color === true), input, io)
          writeWarnings(meta, io)
        }),
    },
  ]
}

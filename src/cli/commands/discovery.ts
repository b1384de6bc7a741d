import type { Command } from '../command.ts'
import { fieldsText } from '../fields-text.ts'
import { writeWarnings } from '../output.ts'
import { writeRecord, writeRecords } from '../records.ts'
import { withEngine } from './with-engine.ts'

/** Commands that tell what can be asked. */
export const DISCOVERY_COMMANDS: readonly Command[] = [
  {
    name: 'metrics',
    description: 'Names of all metrics',
    options: [],
    run: (invocation) =>
      withEngine(invocation, async (engine) => {
        const names = engine.metrics()
        const rows = names.map((metric) => ({ metric }))
        const text = names.map((name) => `${name}\n`).join('')
        writeRecords({ json: names, rows, columns: ['metric'], text }, invocation.input, invocation.io)
      }),
  },
  {
    name: 'fields',
    description: 'Dimensions, filters, attributes and query types of a metric',
    options: [],
    positionals: [{ name: 'metric', description: 'Name of the metric, as `plumbline metrics` lists it' }],
    run: (invocation) =>
      withEngine(invocation, async (engine) => {
        const { input, io } = invocation
        const { data, meta } = await engine.fields((input.positionals[0] ?? '').replaceAll('-', '_'))
        writeRecord(data, fieldsText(data, io.stdout.isTTY === true), input, io)
        writeWarnings(meta, io)
      }),
  },
]

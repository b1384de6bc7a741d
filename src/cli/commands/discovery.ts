import type { Command } from '../command.ts'
import { optionValue } from '../command.ts'
import { fieldsText } from '../fields-text.ts'
import { writeRecord, writeRecords } from '../records.ts'

/** Commands that tell what can be asked. */
export const DISCOVERY_COMMANDS: readonly Command[] = [
  {
    name: 'metrics',
    description: 'Names of all metrics',
    options: [],
    run: async ({ input, io, product }) => {
      const opened = await product.open({ config: optionValue(input, 'config') })
      try {
        const names = opened.engine.metrics()
        const rows = names.map((metric) => ({ metric }))
        writeRecords({ json: names, rows, columns: ['metric'], text: names.map((name) => `${name}\n`).join('') }, input, io)
        return 0
      } finally {
        await opened.close()
      }
    },
  },
  {
    name: 'fields',
    description: 'Dimensions, filters, attributes and query types of a metric',
    options: [],
    positionals: [{ name: 'metric', description: 'Name of the metric, as `plumbline metrics` lists it' }],
    run: async ({ input, io, product }) => {
      const opened = await product.open({ config: optionValue(input, 'config') })
      try {
        const fields = await opened.engine.fields((input.positionals[0] ?? '').replaceAll('-', '_'))
        writeRecord(fields, fieldsText(fields, io.stdout.isTTY === true), input, io)
        return 0
      } finally {
        await opened.close()
      }
    },
  },
]

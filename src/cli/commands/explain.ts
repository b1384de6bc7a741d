import type { MetricDefinition } from '../../engine/engine.ts'
import { type Command, optionValue } from '../command.ts'
import { definitionText } from '../definition-text.ts'
import { writeRecord } from '../records.ts'

/** What a metric means. */
export const EXPLAIN_COMMAND: Command = {
  name: 'explain',
  description: 'What a metric means: formula, assumptions, edge cases and a worked example',
  options: [],
  positionals: [{ name: 'metric', description: 'Name of the metric, as `plumbline metrics` lists it' }],
  run: async ({ input, io, product }) => {
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const name = (input.positionals[0] ?? '').replaceAll('-', '_')
      const definition = opened.engine.supported(name)
      writeRecord(recordOf(definition), definitionText(definition, io.stdout.isTTY === true), input, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

function recordOf({ name, summary, queries, docs }: MetricDefinition) {
  const query_types = Object.entries(queries).map(([query_type, query]) => ({ query_type, summary: query.summary }))
  return { metric: name, summary, query_types, ...docs }
}

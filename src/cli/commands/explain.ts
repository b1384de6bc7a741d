import type { MetricDefinition } from '../../engine/engine.ts'
import type { Command } from '../command.ts'
import { definitionText } from '../definition-text.ts'
import { writeRecord } from '../records.ts'
import { withEngine } from './with-engine.ts'

/** What a metric means. */
export const EXPLAIN_COMMAND: Command = {
  name: 'explain',
  description: 'What a metric means: formula, assumptions, edge cases and a worked example',
  options: [],
  positionals: [{ name: 'metric', description: 'Name of the metric, as `plumbline metrics` lists it' }],
  run: (invocation) =>
    withEngine(invocation, async (engine) => {
      const { input, io } = invocation
      const definition = engine.supported((input.positionals[0] ?? '').replaceAll('-', '_'))
      writeRecord(recordOf(definition), definitionText(definition, io.stdout.isTTY === true), input, io)
    }),
}

function recordOf({ name, summary, queries, docs }: MetricDefinition) {
  const query_types = Object.entries(queries).map(([query_type, query]) => ({ query_type, summary: query.summary }))
  return { metric: name, summary, query_types, ...docs }
}

import type { MetricDefinition } from '../../../engine/engine.ts'
import { figureNamed } from '../../presentation/figure-words.ts'
import type { Command } from '../command.ts'
import { definitionText, figureText } from '../definition-text.ts'
import { writeRecord } from '../records.ts'

/** What a metric means, and what is meant by the words that people use; neither a database nor a configuration is needed. */
export function explainCommand(words: readonly string[]): Command {
  return {
    name: 'explain',
    description: 'What a metric or a word of finance means: formula, assumptions, edge cases and a worked example',
    options: [],
    positionals: [
      {
        name: 'metric',
        description: 'Name of a metric, or a word such as nrr, arpu or quick ratio',
        many: true,
        values: words,
      },
    ],
    examples: ['explain mrr', 'explain nrr', 'explain quick ratio'],
    run: async ({ input, io, product }) => {
      const { metric, figure, command } = figureNamed(input.positionals.join(' '), await product.metrics())
      const isStyled = io.stdout.color === true
      const about = figure === undefined ? '' : figureText(figure, command, isStyled)
      writeRecord(recordOf(metric, figure?.name), `${about}${definitionText(metric, isStyled)}`, input, io)
      return 0
    },
  }
}

function recordOf({ name, summary, queries, docs }: MetricDefinition, figure: string | undefined) {
  const query_types = Object.entries(queries).map(([query_type, query]) => ({
    query_type,
    summary: query.summary,
  }))
  return {
    metric: name,
    ...(figure === undefined ? {} : { figure }),
    summary,
    query_types,
    ...docs,
  }
}

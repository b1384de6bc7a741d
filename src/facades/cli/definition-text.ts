import type { MetricDefinition } from '../../engine/engine.ts'
import { answerLines } from '../presentation/example-lines.ts'
import { paint } from './paint.ts'
import { tableLines } from './table.ts'
import { wrapped } from './wrapped.ts'

/** The definition of a metric for people, wrapped; the example in the form of the wire: cents and fractions. */
export function definitionText({ name, summary, queries, docs }: MetricDefinition, bold: boolean): string {
  const heading = (text: string) => paint('bold', text, bold)
  const { text, params, spec, answer } = docs.example
  const sections = [
    [heading(name), ...wrapped(summary)],
    [heading('Query types'), ...queryLines(queries)],
    [heading('Formula'), ...sentences(docs.formula).flatMap((sentence) => wrapped(sentence))],
    [heading('Assumptions'), ...docs.assumptions.flatMap((item) => wrapped(item, '- '))],
    [heading('Edge cases'), ...docs.edge_cases.flatMap((item) => wrapped(item, '- '))],
    [
      heading('Example'),
      ...wrapped(text),
      '',
      `  ${JSON.stringify({ params, spec })}`,
      '  answers',
      ...answerLines(answer).map((line) => `  ${line}`),
    ],
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function queryLines(queries: MetricDefinition['queries']): string[] {
  const columns = [1, 2].map(() => ({ title: '', align: 'left' as const }))
  const rows = Object.entries(queries).map(([query_type, query]) => [`  ${query_type}`, query.summary])
  return tableLines(columns, rows).slice(1)
}

function sentences(text: string): string[] {
  return text.split(/(?<=\.) (?=[A-Z])/)
}

/** What one figure of a metric is, and the command that answers it, before the definition of the metric. */
export function figureText(
  { name, summary }: { readonly name: string; readonly summary: string },
  command: string | undefined,
  bold: boolean,
): string {
  const asked = command === undefined ? [] : [`  Asked with: plumbline ${command}`]
  return `${[paint('bold', name, bold), ...wrapped(summary), ...asked].join('\n')}\n\n`
}

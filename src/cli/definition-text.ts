import { styleText } from 'node:util'
import type { MetricDefinition } from '../engine/engine.ts'
import { answerLines } from '../engine/facade/example-lines.ts'
import { tableLines } from './table.ts'

const WIDTH = 96

/** The definition of a metric for people, wrapped; the example in the form of the wire: cents and fractions. */
export function definitionText({ name, summary, queries, docs }: MetricDefinition, bold: boolean): string {
  const heading = (text: string) => (bold ? styleText('bold', text) : text)
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

function wrapped(text: string, bullet = ''): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line, index) => `  ${index === 0 ? bullet : ' '.repeat(bullet.length)}${line}`)
}

import type { MetricDefinition } from '../../engine/engine.ts'
import { answerLines } from '../../engine/facade/example-lines.ts'

/** What a metric means, as Markdown: formula, assumptions, edge cases and the worked example. */
export function metricText({ name, summary, docs }: Pick<MetricDefinition, 'name' | 'summary' | 'docs'>): string {
  const { text, params, spec, answer } = docs.example
  return [
    `${summary}.`,
    `**Formula**\n\n${docs.formula}`,
    list('Assumptions', docs.assumptions),
    list('Edge cases', docs.edge_cases),
    `**Worked example**\n\n${text}`,
    `\`POST /api/metrics/${name}\` with`,
    code([JSON.stringify({ params, spec })]),
    'answers',
    code(answerLines(answer)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `**${title}**\n\n${items.map((item) => `- ${item}`).join('\n')}`
}

function code(lines: readonly string[]): string {
  return ['```json', ...lines, '```'].join('\n')
}

import type { MetricDefinition } from '../../engine/engine.ts'

/** What a metric means, as Markdown: formula, assumptions, edge cases and the worked example. */
export function metricText({ summary, docs }: Pick<MetricDefinition, 'summary' | 'docs'>): string {
  return [
    summary,
    `**Formula.** ${docs.formula}`,
    list('Assumptions', docs.assumptions),
    list('Edge cases', docs.edge_cases),
    `**Example.** ${docs.example.text}\n\n${code({ params: docs.example.params, spec: docs.example.spec })}\n\nanswers\n\n${code(docs.example.answer)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `**${title}**\n\n${items.map((item) => `- ${item}`).join('\n')}`
}

function code(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``
}

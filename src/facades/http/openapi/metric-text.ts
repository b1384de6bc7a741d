import type { MetricDefinition } from '../../../engine/engine.ts'
import { answerLines } from '../../presentation/render.ts'

/** The definition of a metric as Markdown: formula, assumptions, edge cases and the worked example. */
export function metricText({ name, summary, docs }: Pick<MetricDefinition, 'name' | 'summary' | 'docs'>): string {
  const { text, params, spec, answer } = docs.example
  return [
    `${summary}.`,
    `**Formula**\n\n${docs.formula}`,
    list('Assumptions', docs.assumptions),
    list('Edge cases', docs.edge_cases),
    `**Worked example**\n\n${text}`,
    `Request: \`POST /api/metrics/${name}\``,
    code([JSON.stringify({ params, spec })]),
    'Response:',
    code(answerLines(answer)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The description of a metric's path: the first path has the definition, the others link to it. */
export function routeText(definition: Pick<MetricDefinition, 'name' | 'summary' | 'docs' | 'routes'>, path: string): string {
  const [first] = definition.routes
  if (first === undefined || first.path === path) return metricText(definition)
  return `For the definitions, see \`GET /api/metrics/${first.path}\`.`
}

/** A metric's name for people. */
export function metricLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.length <= 3 ? words.toUpperCase() : words.charAt(0).toUpperCase() + words.slice(1)
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `**${title}**\n\n${items.map((item) => `- ${item}`).join('\n')}`
}

function code(lines: readonly string[]): string {
  return ['```json', ...lines, '```'].join('\n')
}

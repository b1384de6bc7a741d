import type * as z from 'zod'
import { errorFromIssues, suggest } from '../core/errors.ts'
import { wordsOf } from './columns.ts'
import type { MetricDefinition } from './define-metric.ts'

/** The meaning of a word: a metric, or one query or column of it. */
interface NamedFigure {
  readonly metric: MetricDefinition
  /** Undefined if the word means the whole metric. */
  readonly figure: { readonly name: string; readonly summary: string } | undefined
  /** The query that answers it. Undefined if the word means the whole metric. */
  readonly query_type: string | undefined
  /** CLI command without the program name. Undefined if there is none. */
  readonly command: string | undefined
}

/** The name that each declared synonym stands for. */
function synonymsIn(metrics: readonly MetricDefinition[]): ReadonlyMap<string, string> {
  const named = (name: string, words: readonly string[] = []) => words.map((word) => [word, name] as const)
  return new Map(
    metrics.flatMap(({ name, words, queries }) => [
      ...named(name, words),
      ...Object.entries(queries).flatMap(([query, { words, row }]) => [
        ...named(query, words),
        ...Object.entries(row.shape).flatMap(([column, schema]) => named(column, wordsOf(schema as z.ZodType))),
      ]),
    ]),
  )
}

/**
 * Finds the metric, query or column with this name or synonym. Hyphens, spaces and case do not matter. AppError `unknown_metric` with similar
 * words.
 */
export function figureNamed(word: string, metrics: readonly MetricDefinition[]): NamedFigure {
  const found = lookUp(word, metrics)
  if (found !== undefined) return found
  const did_you_mean = suggest(writtenAs(word), figureWords(metrics))
  const message = `Unknown metric or figure "${word}".`
  const issue = { code: 'unknown_metric', where: 'path.metric', value: word, message, did_you_mean } as const
  throw errorFromIssues([issue], { available: metrics.map(({ name }) => name).sort() })
}

function lookUp(word: string, metrics: readonly MetricDefinition[]): NamedFigure | undefined {
  const known = knownFigures(metrics)
  const written = writtenAs(word)
  return known.get(written) ?? known.get(synonymsIn(metrics).get(written) ?? '')
}

function writtenAs(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}

/**
 * Where a word belongs that is no metric, or no query of `inside`: a sentence for a message, and names of metrics to try. A query, a column or a
 * synonym leads to its metric, and a misspelt word to the metrics of similar words.
 */
export function placeOf(
  word: string,
  metrics: readonly MetricDefinition[],
  inside?: MetricDefinition,
): { readonly sentence: string; readonly near: readonly string[] } {
  const found = lookUp(word, metrics)
  if (found === undefined || found.metric.name === inside?.name) {
    const known = knownFigures(metrics)
    const written = writtenAs(word)
    const synonyms = synonymsIn(metrics)
    // A synonym of two letters, such as AR, is near to words that mean something else.
    const synonymsToTry = [...synonyms.keys()].filter((synonym) => synonym.length > 2)
    const [nearest = ''] = suggest(written, [...known.keys(), ...synonymsToTry])
    const { metric } = known.get(nearest) ?? known.get(synonyms.get(nearest) ?? '') ?? {}
    const names = suggest(
      written,
      metrics.map(({ name }) => name),
    )
    return { sentence: '', near: [...new Set([...(metric === undefined ? [] : [metric.name]), ...names])] }
  }
  const { metric, query_type } = found
  const choice = query_type === undefined || metric.is_overview === true ? '' : ` with the query_type "${query_type}"`
  return { sentence: ` Use the metric "${metric.name}"${choice}.`, near: [metric.name] }
}

/** AppError `unknown_metric`. It leads to the metric that has a query or figure of this name. */
export function unknownMetric(name: string, metrics: readonly MetricDefinition[]): Error {
  const { sentence, near } = placeOf(name, metrics)
  const message = `Unknown metric "${name}".${sentence}`
  const issue = { code: 'unknown_metric', where: 'path.metric', value: name, message, did_you_mean: [...near] } as const
  const listed = metrics.filter(({ is_overview }) => is_overview !== true)
  return errorFromIssues([issue], { available: listed.map((metric) => metric.name).sort() })
}

/** The command that answers each word of `figureWords`, without the name of the program. */
export function figureCommands(metrics: readonly MetricDefinition[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    figureWords(metrics).flatMap((word) => {
      const command = lookUp(word, metrics)?.command
      return command === undefined ? [] : [[word, command] as const]
    }),
  )
}

/** All words that `figureNamed` finds, metrics first. */
export function figureWords(metrics: readonly MetricDefinition[]): readonly string[] {
  return [...new Set([...knownFigures(metrics).keys(), ...synonymsIn(metrics).keys()])]
}

// Metrics take precedence over queries, queries over columns, and earlier metrics over later metrics. A query name that several
// metrics have is ambiguous and left out.
function knownFigures(metrics: readonly MetricDefinition[]): ReadonlyMap<string, NamedFigure> {
  const known = new Map<string, NamedFigure>()
  const add = (name: string, named: NamedFigure): void => {
    if (!known.has(name)) known.set(name, named)
  }
  for (const metric of metrics)
    add(metric.name, { metric, figure: undefined, query_type: undefined, command: commandOf(metric, undefined) })
  const queryNames = metrics.flatMap(({ queries }) => Object.keys(queries))
  for (const metric of metrics) {
    for (const [name, { summary }] of Object.entries(metric.queries))
      if (queryNames.indexOf(name) === queryNames.lastIndexOf(name))
        add(name, { metric, figure: { name, summary }, query_type: name, command: commandOf(metric, name) })
  }
  for (const metric of metrics) {
    for (const [query_type, { row }] of Object.entries(metric.queries)) {
      for (const [name, column] of Object.entries(row.shape)) {
        const figure = { name, summary: column.description ?? name }
        if (isFigure(column)) add(name, { metric, figure, query_type, command: commandOf(metric, query_type) })
      }
    }
  }
  return known
}

// A measure is a number or null. Key columns hold text or flags.
function isFigure(column: MetricDefinition['queries'][string]['row']['shape'][string]): boolean {
  return [0, 0.5].some((number) => column.safeParse(number).success) && !column.safeParse('').success
}

function commandOf({ name, is_overview, routes, queries }: MetricDefinition, query_type: string | undefined): string | undefined {
  if (is_overview === true) return name
  const named = (type: string | undefined) =>
    routes.find((route) => route.command !== undefined && route.query_type === type)?.command
  const own = named(undefined) ?? routes.find(({ command }) => command !== undefined)?.command
  if (query_type === undefined) return own?.names[0]
  const exact = named(query_type)
  if (exact !== undefined) return exact.names[0]
  if (own?.parameters.includes('query_type') === true) return `${own.names[0]} --query-type ${query_type}`
  return own?.parameters.includes('type') === true && Object.hasOwn(queries, query_type)
    ? `${own.names[0]} --type ${query_type}`
    : own?.names[0]
}

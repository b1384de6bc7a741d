import type { Engine, MetricDefinition } from '../../../engine/engine.ts'
import { figureNamed } from '../../presentation/figure-words.ts'
import { ALL_PARAMETERS, PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf, textArgument, wordArgument } from '../arguments.ts'
import { defineTool, type Tool } from '../tool.ts'
import { answered, LISTING, listingText } from './answered.ts'

/** The headline figures. */
export function summaryTool(engine: Pick<Engine, 'metric'>) {
  const parameters = engine.metric('summary')?.routes[0]?.params ?? [PARAMETERS.start, PARAMETERS.end, PARAMETERS.range]
  return defineTool({
    name: 'summary',
    title: 'Headline figures',
    description: 'MRR, customers, churn, retention and the other headline figures at the end of a day, or of a range.',
    own: {},
    parameters: argumentsOf(parameters),
    run: (call) => answered(call, (params, spec, options) => call.engine.summary(params, spec, options), 'summary'),
  })
}

/** Any figure of any metric. */
export function queryMetricTool(engine: Pick<Engine, 'metrics' | 'metric'>): Tool {
  const names = engine.metrics()
  const types = names.flatMap((name) => {
    const definition = engine.metric(name)
    return definition === undefined ? [] : [`${name}: ${Object.keys(definition.queries).join(', ')}`]
  })
  return defineTool({
    name: 'query_metric',
    title: 'Ask a metric',
    description:
      'Any figure of any metric: at a day, over a range, as a series, grouped by dimensions, filtered, for a segment, beside other segments or beside ' +
      `an earlier time. \`query_type\` is one of these, the first by default. ${types.join('. ')}. ` +
      'What a metric can be grouped and filtered by says `metric_fields`.',
    own: { metric: wordArgument('metric', names).describe('Name of the metric') },
    parameters: argumentsOf(ALL_PARAMETERS.filter(({ known_to }) => known_to !== 'records')),
    run: (call) => {
      const { metric } = call.own
      const type = call.request.params['query_type']
      const title = typeof type === 'string' ? `${metric} ${type}` : metric
      return answered(call, (params, spec, options) => call.engine.query(metric, params, spec, options), metric, title)
    },
  })
}

/** What can be asked, and what it means. */
export function discoveryTools(engine: Pick<Engine, 'metrics' | 'metric'>): readonly Tool[] {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  return [metricsTool(definitions), fieldsTool(engine.metrics()), definitionTool(definitions)]
}

function metricsTool(definitions: readonly MetricDefinition[]): Tool {
  return defineTool({
    name: 'list_metrics',
    title: 'List metrics',
    description: 'Every metric with its query types and what each of them answers.',
    own: {},
    parameters: [],
    run: async () =>
      definitions
        .map(({ name, summary, queries }) =>
          [`${name}: ${summary}`, ...Object.entries(queries).map(([type, query]) => `- ${type}: ${query.summary}`)].join('\n'),
        )
        .join('\n'),
  })
}

function fieldsTool(names: readonly string[]): Tool {
  return defineTool({
    name: 'metric_fields',
    title: 'Fields of a metric',
    description:
      'What a metric can be grouped by (`queries` says in which query types) and filtered by, with the operators that each filter takes. ' +
      'Attributes of customers are named `attr.<key>`.',
    own: { metric: wordArgument('metric', names).describe('Name of the metric'), ...LISTING },
    parameters: [],
    run: async ({ own, engine, options }) => {
      const { data, meta } = await engine.fields(own.metric, options)
      const queriesOf = new Map([...data.dimensions, ...data.attributes].map(({ key, queries }) => [key, queries.join(', ')]))
      const rows = data.filters.map(({ key, type, operators }) => ({
        field: key,
        type,
        groups: queriesOf.get(key) ?? 'no',
        operators: operators.join(' '),
      }))
      const warnings = meta.warnings.map(({ message }) => `\nWarning: ${message}`)
      return `${listingText(['field', 'type', 'groups', 'operators'], rows, own)}${warnings.join('')}`
    },
  })
}

function definitionTool(definitions: readonly MetricDefinition[]): Tool {
  return defineTool({
    name: 'explain_definition',
    title: 'Explain a definition',
    description: 'What a metric or a word of finance means here: formula, assumptions and edge cases.',
    own: { word: textArgument('word').describe('Name of a metric or figure, or a word such as nrr, arpu or quick ratio') },
    parameters: [],
    run: async ({ own }) => {
      const { metric, figure } = figureNamed(own.word, definitions)
      const { name, summary, docs } = metric
      return [
        ...(figure === undefined ? [] : [`${figure.name}: ${figure.summary}`]),
        `${name}: ${summary}`,
        `Formula: ${docs.formula}`,
        ...listed('Assumptions', docs.assumptions),
        ...listed('Edge cases', docs.edge_cases),
      ].join('\n')
    },
  })
}

function listed(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item}`)]
}

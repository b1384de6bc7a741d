import { type Engine, figureNamed, type MetricDefinition } from '../../../engine/engine.ts'
import type { Operation } from '../../presentation/ask.ts'
import { ALL_PARAMETERS, BRIDGE_PARAMETERS, PARAMETERS, ROWS_PARAMETERS, STEP_TEXTS } from '../../presentation/parameters.ts'
import { argumentsOf, metricArgument, textArgument } from '../arguments.ts'
import { defineTool, type Tool } from '../tool.ts'
import { answered, LISTING, listAnswered, listingText, WITH_IDS } from './answered.ts'

/** The headline metrics. */
export function summaryTool(engine: Pick<Engine, 'metric'>) {
  const parameters = engine.metric('summary')?.routes[0]?.params ?? [
    PARAMETERS.start,
    PARAMETERS.end,
    PARAMETERS.range,
    PARAMETERS.forecast,
  ]
  return defineTool({
    name: 'summary',
    title: 'Headline metrics',
    description:
      'MRR, customers, churn, retention and other headline metrics, at the end of a day or for a range. NRR and GRR of a company are ' +
      '`nrr_12_months` and `grr_12_months`; `nrr` and `grr` are those of one month.',
    own: {},
    parameters: argumentsOf(parameters),
    run: (call) => answered(call, (params, spec, options) => call.engine.summary(params, spec, options), 'summary'),
  })
}

/** Any query of any metric. */
export function queryMetricTool(engine: Pick<Engine, 'metrics' | 'metric'>): Tool {
  const names = engine.metrics()
  const types = names.flatMap((name) => {
    const definition = engine.metric(name)
    return definition === undefined ? [] : [`${name}: ${Object.keys(definition.queries).join(', ')}`]
  })
  return defineTool({
    name: 'query_metric',
    title: 'Query a metric',
    description:
      'Query any metric: at a day, over a range or as a time series. You can group by dimensions, filter, select a segment, compare segments ' +
      `or compare with an earlier period. Values of \`query_type\` by metric, the default first: ${types.join('. ')}. ` +
      'For dimensions and filters, call `metric_fields`.',
    own: { metric: metricArgument(names).describe('Metric name') },
    parameters: argumentsOf(ALL_PARAMETERS.filter(({ known_to }) => known_to !== 'records' && known_to !== 'cells')),
    run: (call) => {
      const { metric } = call.own
      const type = call.request.params['query_type']
      const title = typeof type === 'string' ? `${metric} ${type}` : metric
      return answered(call, (params, spec, options) => call.engine.query(metric, params, spec, options), metric, title)
    },
  })
}

/** A figure under two definition sets. */
export function bridgeTool(engine: Pick<Engine, 'metrics'>): Tool {
  const set = (which: string) => textArgument('definitions').describe(`Definition set at which the bridge ${which}`)
  return defineTool({
    name: 'bridge',
    title: 'Bridge between definition sets',
    description:
      'Explains why a figure differs between two definition sets: each option in turn, with the difference that it makes. ' +
      'The query must answer one number. Without a valid name, the refusal lists the sets.',
    own: { metric: metricArgument(engine.metrics()).describe('Metric name'), from: set('begins'), to: set('ends') },
    parameters: argumentsOf(BRIDGE_PARAMETERS),
    run: (call) => {
      const { metric, from, to } = call.own
      return answered(
        { ...call, page: undefined },
        (params, spec, options) => call.engine.bridge(metric, { ...params, from, to }, spec, options),
        metric,
        `${metric} bridge`,
      )
    },
  })
}

/** The rows behind one number of a metric. */
export function metricRowsTool(engine: Pick<Engine, 'metrics'>): Tool {
  return defineTool({
    name: 'metric_rows',
    title: 'Rows behind a number',
    description:
      'The rows that one number of a metric counts, the largest first: subscriptions, movements, customers, invoices, charges or trials. ' +
      'They add up to the number exactly. Use the arguments of the query, `measure`, and the keys of the row in its answer: `period`, ' +
      '`movement_type`, `cohort_month`, `active_month`, and `group` for each dimension.',
    own: {
      metric: metricArgument(engine.metrics()).describe('Metric name'),
      from: textArgument('from').optional().describe(STEP_TEXTS.from),
      to: textArgument('to').optional().describe(STEP_TEXTS.to),
      bridge_step: textArgument('bridge_step').optional().describe(STEP_TEXTS.bridge_step),
      ...WITH_IDS,
    },
    parameters: argumentsOf(ROWS_PARAMETERS),
    run: (call) => {
      const { metric, ids: _, ...step } = call.own
      const operation: Operation = (params, spec, options) =>
        call.engine.metricRows(metric, { ...params, ...step }, spec, options)
      return listAnswered(call, operation, 'metric_rows')
    },
  })
}

/** Metrics, their fields and their definitions. */
export function discoveryTools(engine: Pick<Engine, 'metrics' | 'metric'>): readonly Tool[] {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  return [metricsTool(definitions), fieldsTool(engine.metrics()), definitionTool(definitions)]
}

function metricsTool(definitions: readonly MetricDefinition[]): Tool {
  return defineTool({
    name: 'list_metrics',
    title: 'List metrics',
    description: 'All metrics with their query types and descriptions.',
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
      'Dimensions and filters of a metric. `groups` lists the query types that can be grouped by a field, `operators` those of the filter. ' +
      'Customer attributes are `attr.<key>`.',
    own: { metric: metricArgument(names).describe('Metric name'), ...LISTING },
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
    description: 'Definition of a metric or a finance term: formula, assumptions and edge cases.',
    own: { word: textArgument('word').describe('Metric, figure, or a term such as nrr, arpu or quick ratio') },
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

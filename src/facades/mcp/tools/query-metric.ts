import type { Engine } from '../../../engine/engine.ts'
import { ALL_PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf } from '../arguments.ts'
import { wordArgument } from '../own-arguments.ts'
import { defineTool, type Tool } from '../tool.ts'
import { answered } from './answered.ts'

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

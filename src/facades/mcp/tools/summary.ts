import type { Engine } from '../../../engine/engine.ts'
import { PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf } from '../arguments.ts'
import { defineTool } from '../tool.ts'
import { answered } from './answered.ts'

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

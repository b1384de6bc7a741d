import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { BRIDGE_ANSWER } from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { BRIDGE_PARAMETERS, refuseParameters } from '../../presentation/parameters.ts'
import { askOptions } from '../access/ask-options.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { inAnyFormat, NUMBER_HEADERS, UNCHANGED } from '../openapi/answers.ts'
import { DATABASE_CODES, errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { metricParameter } from '../openapi/metric-parameters.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { jsonResponse } from '../openapi/response.ts'
import { fromQuery, parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const value = z.union([z.string(), z.number(), z.boolean()])

const ANSWER = z
  .object({
    name: z.string().describe('Name of the set'),
    description: z.string(),
    version: z.string().describe('Version of Plumbline'),
    hash: z.string().describe('`x-definitions` of answers under this set'),
    options: z
      .array(
        z.object({
          key: z.string(),
          value,
          default: value.nullable(),
          choices: z.array(value).readonly().nullable().describe('The values of an option that has few; else null'),
          description: z.string(),
        }),
      )
      .readonly()
      .describe('Every option with its value in this set'),
    sets: z.array(z.string()).readonly().describe('Names of all sets'),
  })
  .meta({ id: 'Definitions', description: 'A definition set' })

const definitions = createRoute({
  method: 'get',
  path: '/api/definitions',
  operationId: 'definitions',
  tags: ['Discovery'],
  summary: 'Get a definition set',
  description: 'The options of a definition set, and the names of all sets. Without `definitions`, the set of the configuration.',
  request: { query: queryOf(named(['definitions'])) },
  responses: {
    200: jsonResponse('The set', ANSWER),
    ...errorResponses(['invalid_value', ...DATABASE_CODES]),
  },
})

const ABOUT = `A figure under two definition sets, and what each option contributes to the difference. The options are changed one after the other,
in a fixed order, and all figures come from one snapshot. \`residual\` is what the steps do not explain: always 0. The query must answer one
number, so dimensions, periods and comparisons are refused.`

const bridge = (metrics: readonly string[]) =>
  createRoute({
    method: 'get',
    path: '/api/metrics/{metric}/bridge',
    operationId: 'metric_bridge',
    tags: ['Generic query'],
    summary: 'Explain the difference between two definition sets',
    description: ABOUT,
    request: {
      params: metricParameter(metrics),
      query: z.object({
        from: z.string().meta({ param: { description: 'Definition set at which the bridge begins' }, example: 'plumbline' }),
        to: z.string().meta({ param: { description: 'Definition set at which it ends' }, example: 'default' }),
        ...queryOf(BRIDGE_PARAMETERS).shape,
      }),
    },
    responses: {
      200: inAnyFormat('The bridge', BRIDGE_ANSWER, NUMBER_HEADERS),
      304: UNCHANGED,
      ...errorResponses(['unknown_metric', ...QUERY_CODES]),
    },
  })

/** Definition sets, and the bridge between two of them. */
export function registerDefinitions(app: App, engine: Pick<Engine, 'bridge' | 'definitions' | 'metric' | 'metrics'>): void {
  serve(app, definitions, async (context) => {
    const { definitions: set, ...others } = parametersOf(context)
    refuseParameters(others)
    return context.json(await engine.definitions(set), 200)
  })
  serve(
    app,
    bridge(engine.metrics()),
    async (context) => {
      const metric = context.req.param('metric')
      context.set('query', engine.metrics().includes(metric) ? `${metric}.bridge` : 'unknown')
      const request = fromQuery(context)
      const answer = await askOperation(
        (params, spec, options) => engine.bridge(metric, params, spec, options),
        request,
        askOptions(context),
      )
      return answerResponse(answer, request, context, engine.metric(metric))
    },
    conditional(),
  )
}

import { createRoute, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { ask } from '../../presentation/ask.ts'
import { QUERY_PARAMETERS, STAGED_PARAMETERS } from '../../presentation/parameters.ts'
import { askOptions } from '../access/ask-options.ts'
import { answerResponse } from '../answer.ts'
import { answerDocs } from '../openapi/answers.ts'
import { errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { metricParameter } from '../openapi/metric-parameters.ts'
import { named, queryOf, specSchema } from '../openapi/query-parameters.ts'
import { jsonBody } from '../openapi/response.ts'
import { fromBody } from '../request.ts'
import { type App, serve } from '../serve.ts'

const BODY_CODES: readonly ErrorCode[] = ['payload_too_large', 'unknown_metric', 'invalid_json', 'validation_failed']

/** Any query of a metric by name, as one engine query. */
export function registerGenericQuery(app: App, engine: Engine): void {
  serve(app, describedQuery(engine), async (context) => {
    const metric = context.req.param('metric')
    context.set('query', engine.metrics().includes(metric) ? `${metric}.post` : 'unknown')
    const request = await fromBody(context)
    const answer = await ask(engine, metric, request, askOptions(context))
    return answerResponse(answer, request, context, engine.metric(metric))
  })
}

function describedQuery(engine: Pick<Engine, 'metrics' | 'metric'>) {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  const types = definitions.map((definition) => `${definition.name}: ${Object.keys(definition.queries).join(', ')}`)
  return createRoute({
    method: 'post',
    path: '/api/metrics/{metric}',
    operationId: 'query_metric',
    tags: ['Generic query'],
    summary: 'Query a metric',
    description: `Runs any query of a metric. Filters can use operators. Values of \`params.query_type\` by metric, the default first: ${types.join('. ')}.`,
    request: {
      params: metricParameter(engine.metrics()),
      query: queryOf(named(['format'])),
      body: jsonBody(bodySchema()),
    },
    responses: { 200: answerDocs(), ...errorResponses([...BODY_CODES, ...QUERY_CODES]) },
  })
}

function bodySchema() {
  return z
    .strictObject({
      params: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .optional()
        .meta({ propertyNames: { enum: [...QUERY_PARAMETERS, ...STAGED_PARAMETERS] } })
        .describe('`query_type` and the single-valued parameters of the GET endpoint. `segment` can be here or in `spec`'),
      spec: specSchema().optional(),
    })
    .meta({ id: 'MetricQuery', description: 'A query of a metric' })
}

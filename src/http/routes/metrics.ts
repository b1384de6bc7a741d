import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Issue } from '../../core/errors.ts'
import type { Engine, MetricRoute } from '../../engine/engine.ts'
import { ask } from '../../engine/facade/ask.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import type { Environment } from '../environment.ts'
import { limitBody } from '../limit-body.ts'
import { metricRoute } from '../paths.ts'
import { fromBody, fromQuery, type MetricRequest } from '../request.ts'

/** Every route that a metric's definition declares, and the generic POST: each is one engine query. */
export function registerMetrics(app: OpenAPIHono<Environment>, engine: Engine, bodyBytes: number): void {
  for (const metric of engine.metrics()) {
    for (const route of engine.metric(metric)?.routes ?? []) {
      app.get(metricRoute(route.path), conditional(), async (context) => {
        context.set('query', [metric, route.query_type ?? 'default'].join('.'))
        const request = withoutForeignQueryType(fromQuery(context), route)
        const fixed = route.query_type === undefined ? {} : { query_type: route.query_type }
        const full = { ...request, params: { ...request.params, ...fixed } }
        const answer = await ask(engine, metric, full, { signal: context.req.raw.signal })
        return answerResponse(answer, request.format)
      })
    }
  }
  app.post('/api/metrics/:metric', limitBody(bodyBytes), async (context) => {
    const metric = context.req.param('metric')
    context.set('query', engine.metrics().includes(metric) ? `${metric}.post` : 'unknown')
    const request = await fromBody(context)
    const answer = await ask(engine, metric, request, { signal: context.req.raw.signal })
    return answerResponse(answer, request.format)
  })
}

// A path that stands for one query type takes no other: `query_type` is a parameter only where the route offers it.
function withoutForeignQueryType(request: MetricRequest, route: MetricRoute): MetricRequest {
  const { query_type, ...params } = request.params
  if (query_type === undefined || route.params.some((parameter) => parameter.name === 'query_type')) return request
  const message = 'Unknown parameter "query_type": the path says which query it answers.'
  const issue: Issue = { code: 'invalid_value', where: 'params.query_type', value: query_type, message, did_you_mean: [] }
  return { ...request, params, issues: [...request.issues, issue] }
}

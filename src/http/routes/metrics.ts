import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Issue } from '../../core/errors.ts'
import type { Answer, Engine, MetricRoute } from '../../engine/engine.ts'
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
        const { request, ignored } = offeredBy(route, fromQuery(context))
        const fixed = route.query_type === undefined ? {} : { query_type: route.query_type }
        const full = { ...request, params: { ...request.params, ...fixed } }
        const answer = await ask(engine, metric, full, { signal: context.req.raw.signal })
        return answerResponse(withUnused(answer, ignored), request.format)
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

// What chooses among the queries of a metric has no effect on a path that stands for one (http-api.md 1.1).
const CHOICES = ['query_type', 'type']

function offeredBy(route: MetricRoute, request: MetricRequest): { request: MetricRequest; ignored: readonly string[] } {
  const isForeign = (name: string) => CHOICES.includes(name) && !route.params.some((parameter) => parameter.name === name)
  const foreign = Object.entries(request.params).filter(([name]) => isForeign(name))
  const params = Object.fromEntries(Object.entries(request.params).filter(([name]) => !isForeign(name)))
  const issues = foreign.flatMap(([name, value]) => (Array.isArray(value) ? severalValues(name, value) : []))
  return { request: { ...request, params, issues: [...request.issues, ...issues] }, ignored: foreign.map(([name]) => name) }
}

function severalValues(name: string, value: unknown): Issue[] {
  const message = 'This takes one value and was given several.'
  return [{ code: 'invalid_value', where: `params.${name}`, value, message, did_you_mean: [] }]
}

function withUnused(answer: Answer, names: readonly string[]): Answer {
  if (names.length === 0) return answer
  const message = `Without effect on this path: ${names.join(', ')}.`
  const warning = { code: 'unused_parameter', message, count: names.length } as const
  return { ...answer, meta: { ...answer.meta, warnings: [...answer.meta.warnings, warning] } }
}

import { createRoute } from '@hono/zod-openapi'
import type { Answer, Engine, MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import { ask } from '../../presentation/ask.ts'
import { requestOfRoute } from '../../presentation/route-request.ts'
import { askOptions } from '../access/ask-options.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { answerDocs, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { metricParameters } from '../openapi/metric-parameters.ts'
import { metricLabel, routeText } from '../openapi/metric-text.ts'
import { queryOf } from '../openapi/query-parameters.ts'
import { fromQuery } from '../request.ts'
import { type App, serve } from '../serve.ts'

/** The routes of the metric definitions. Each is one engine query. */
export function registerMetrics(app: App, engine: Engine): void {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  for (const definition of definitions) for (const route of definition.routes) registerRoute(app, engine, definition, route)
}

function registerRoute(app: App, engine: Engine, definition: MetricDefinition, route: MetricRoute): void {
  const { name } = definition
  serve(
    app,
    describedRoute(definition, route),
    async (context) => {
      context.set('query', [name, route.query_type ?? 'default'].join('.'))
      const { request, ignored } = requestOfRoute(route, fromQuery(context))
      const answer = await ask(engine, name, request, askOptions(context))
      return answerResponse(withUnused(answer, ignored), request, context, definition)
    },
    conditional(),
  )
}

function describedRoute(definition: MetricDefinition, route: MetricRoute) {
  return createRoute({
    method: 'get',
    path: `/api/metrics/${route.path}`,
    operationId: route.path.replaceAll(/[/-]/g, '_'),
    tags: [metricLabel(definition.name)],
    summary: route.summary,
    description: routeText(definition, route.path),
    request: { query: queryOf(metricParameters(definition, route)) },
    responses: { 200: answerDocs(definition, route), 304: UNCHANGED, ...errorResponses(QUERY_CODES) },
  })
}

function withUnused(answer: Answer, names: readonly string[]): Answer {
  if (names.length === 0) return answer
  const message = `No effect on this path: ${names.join(', ')}.`
  const warning = { code: 'unused_parameter', message, count: names.length } as const
  return { ...answer, meta: { ...answer.meta, warnings: [...answer.meta.warnings, warning] } }
}

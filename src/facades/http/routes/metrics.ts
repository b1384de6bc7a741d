import { createRoute } from '@hono/zod-openapi'
import type { Issue } from '../../../core/errors.ts'
import type { Answer, Engine, MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import { ask } from '../../presentation/ask.ts'
import { mustBeOne } from '../../presentation/parameters.ts'
import { askOptions } from '../access/ask-options.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { answerDocs, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { metricParameters } from '../openapi/metric-parameters.ts'
import { metricLabel, routeText } from '../openapi/metric-text.ts'
import { queryOf } from '../openapi/query-parameters.ts'
import { fromQuery, type MetricRequest } from '../request.ts'
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
      const { request, ignored } = withoutIgnored(route, fromQuery(context))
      const fixed = route.query_type === undefined ? {} : { query_type: route.query_type }
      const full = { ...request, params: { ...request.params, ...fixed } }
      const answer = await ask(engine, name, full, askOptions(context))
      return answerResponse(withUnused(answer, ignored), full, context, definition)
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

// Parameters that choose a query have no effect on a path with a fixed query (http-api.md 1.1).
const CHOICES = ['query_type', 'type']

function withoutIgnored(route: MetricRoute, request: MetricRequest): { request: MetricRequest; ignored: readonly string[] } {
  const isForeign = (name: string) => CHOICES.includes(name) && !route.params.some((parameter) => parameter.name === name)
  const foreign = Object.entries(request.params).filter(([name]) => isForeign(name))
  const params = Object.fromEntries(Object.entries(request.params).filter(([name]) => !isForeign(name)))
  const issues = foreign.flatMap(([name, value]) => (Array.isArray(value) ? contradiction(name, value) : []))
  return { request: { ...request, params, issues: [...request.issues, ...issues] }, ignored: foreign.map(([name]) => name) }
}

function contradiction(name: string, value: readonly unknown[]): Issue[] {
  return [{ code: 'invalid_value', where: `params.${name}`, value, message: mustBeOne(name, value), did_you_mean: [] }]
}

function withUnused(answer: Answer, names: readonly string[]): Answer {
  if (names.length === 0) return answer
  const message = `No effect on this path: ${names.join(', ')}.`
  const warning = { code: 'unused_parameter', message, count: names.length } as const
  return { ...answer, meta: { ...answer.meta, warnings: [...answer.meta.warnings, warning] } }
}

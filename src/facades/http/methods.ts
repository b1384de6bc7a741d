import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import type { Environment } from './environment.ts'
import { MethodNotAllowed, pathNotFound } from './errors.ts'

const ANY_METRIC = '/api/metrics/:metric'

/**
 * Answers unsupported methods of registered paths with 405 and `allow`. Call it after all routes. A GET of an unknown path below
 * `/api/metrics` is `unknown_metric` if no metric has that name.
 */
export function registerOtherMethods(app: OpenAPIHono<Environment>, engine: Pick<Engine, 'metrics' | 'metric'>): void {
  const metrics = engine.metrics()
  const byPath = new Map<string, Set<string>>()
  for (const route of app.routes) {
    if (route.method === 'ALL') continue
    const methods = byPath.get(route.path) ?? new Set()
    methods.add(route.method)
    byPath.set(route.path, methods)
  }
  const onAnyMetric = byPath.get(ANY_METRIC) ?? new Set()
  for (const [path, own] of byPath) {
    if (path === ANY_METRIC) continue
    const isMetric = metrics.some((metric) => path === `/api/metrics/${metric}`)
    const allow = allowed(isMetric ? new Set([...own, ...onAnyMetric]) : own)
    app.all(path, (context) => {
      throw new MethodNotAllowed(context.req.method, allow)
    })
  }
  app.all(ANY_METRIC, (context) => {
    const metric = context.req.param('metric')
    engine.metric(metric)
    if (context.req.method === 'GET' || context.req.method === 'HEAD') throw pathNotFound()
    throw new MethodNotAllowed(context.req.method, allowed(onAnyMetric))
  })
}

function allowed(methods: ReadonlySet<string>): string[] {
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort()
}

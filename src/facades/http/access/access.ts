import { matchedRoutes } from 'hono/route'
import { InternalError } from '../../../core/errors.ts'
import type { Engine, MetricDefinition, MetricRoute } from '../../../engine/engine.ts'
import type { RequestContext } from '../environment.ts'
import { queriesOf } from '../openapi/metric-parameters.ts'
import { matchedPath } from '../paths.ts'
import type { App } from '../serve.ts'
import { ACCESS, type RouteAccess } from './table.ts'

/** Required access of operations, by method and documented path. */
export interface AccessTable {
  of(method: string, path: string): RouteAccess | undefined
}

/** The documented operation of a request. */
export interface Operation {
  /** `GET /api/customers/{id}`. */
  readonly name: string
  readonly access: RouteAccess
}

type Metrics = Pick<Engine, 'metrics' | 'metric'>

/** The access table, extended by the paths of the registered metrics. */
export function accessTable(engine: Metrics, table: Readonly<Record<string, RouteAccess>> = ACCESS): AccessTable {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  const ofMetrics = definitions.flatMap((definition) =>
    definition.routes.map((route) => [`GET /api/metrics/${route.path}`, accessOfRoute(definition, route)] as const),
  )
  const known = new Map([...ofMetrics, ...Object.entries(table)].map(([name, access]) => [matched(name), access]))
  return { of: (method, path) => known.get(matched(`${method} ${path}`)) }
}

/** Checks that the table has every operation of the service. InternalError if one is missing. */
export function checkAccess(app: App, table: AccessTable): void {
  const missing = app.routes
    .filter(({ method, path }) => method !== 'ALL' && table.of(method, documented(path)) === undefined)
    .map(({ method, path }) => `${method} ${documented(path)}`)
  if (missing.length === 0) return
  throw new InternalError(`src/facades/http/access/table.ts has no entry for ${[...new Set(missing)].join(', ')}`)
}

/** The operation of a request. Undefined if the path or the method is unknown. */
export function operationOf(context: RequestContext, table: AccessTable): Operation | undefined {
  const route = matchedRoutes(context).find(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
  if (route === undefined || route.method === 'ALL') return undefined
  const name = `${route.method} ${documented(route.path)}`
  const access = table.of(route.method, documented(route.path))
  if (access === undefined) throw new InternalError(`the access table has no entry for ${name}`)
  return { name, access }
}

// If the request chooses the query, access is checked again after the request is parsed (ask-options.ts).
function accessOfRoute(definition: MetricDefinition, route: MetricRoute): RouteAccess {
  const showsTotals = queriesOf(definition, route).some((query) => definition.queries[query]?.shows === 'totals')
  return { needs: showsTotals ? 'read:aggregate' : 'read' }
}

function documented(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function matched(name: string): string {
  const at = name.indexOf(' ')
  return `${name.slice(0, at)} ${matchedPath(name.slice(at + 1))}`
}

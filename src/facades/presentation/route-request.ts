import type { Issue } from '../../core/errors.ts'
import type { Engine, MetricRoute } from '../../engine/engine.ts'
import { mustBeOne } from './parameters.ts'
import type { RawRequest } from './raw-request.ts'

/** The query of a path. */
interface MetricPath {
  readonly metric: string
  /** Undefined for the summary, which has one query. */
  readonly route: MetricRoute | undefined
}

const SUMMARY = 'summary'

/** The metric of a path such as `/api/metrics/mrr/breakdown`. Undefined if no metric has it. */
export function metricPath(engine: Pick<Engine, 'metrics' | 'metric'>, path: string): MetricPath | undefined {
  const tail = canonical(path.replace(/^\/api\/metrics\//, ''))
  if (tail === SUMMARY) return { metric: SUMMARY, route: undefined }
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  for (const { name, routes } of definitions) {
    const route = routes.find((one) => canonical(one.path) === tail)
    if (route !== undefined) return { metric: name, route }
  }
  return undefined
}

function canonical(path: string): string {
  return path.replaceAll('-', '_')
}

// Parameters that choose a query have no effect on a path with a fixed query (http-api.md 1.1).
const CHOICES = ['query_type', 'type']

/** The request of a path, with its fixed query, and the names of its parameters that have no effect. */
export function requestOfRoute<R extends RawRequest>(route: MetricRoute, request: R): { request: R; ignored: readonly string[] } {
  const isForeign = (name: string) => CHOICES.includes(name) && !route.params.some((parameter) => parameter.name === name)
  const foreign = Object.entries(request.params).filter(([name]) => isForeign(name))
  const params = Object.fromEntries(Object.entries(request.params).filter(([name]) => !isForeign(name)))
  const issues = foreign.flatMap(([name, value]) => (Array.isArray(value) ? contradiction(name, value) : []))
  const fixed = route.query_type === undefined ? {} : { query_type: route.query_type }
  return {
    request: { ...request, params: { ...params, ...fixed }, issues: [...request.issues, ...issues] },
    ignored: foreign.map(([name]) => name),
  }
}

function contradiction(name: string, value: readonly unknown[]): Issue[] {
  return [{ code: 'invalid_value', where: `params.${name}`, value, message: mustBeOne(name, value), did_you_mean: [] }]
}

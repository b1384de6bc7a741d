import type { components } from '../../client/index.ts'
import type { AskedPath, Query } from './asked-path.ts'

/** A question as a body, in which filters have operators (http-api.md 2). */
export type MetricQuery = components['schemas']['MetricQuery']

interface Asked {
  readonly metric: string
  readonly body: MetricQuery
}

/** Metric and query type of the paths that are asked customer by customer, the type where the address does not name it. */
const METRICS: Readonly<Partial<Record<AskedPath, readonly [metric: string, type: string]>>> = {
  '/api/metrics/mrr': ['mrr', 'current'],
  '/api/metrics/arr': ['mrr', 'arr'],
  '/api/metrics/mrr/components': ['mrr', 'components'],
  '/api/metrics/mrr/breakdown': ['mrr', 'breakdown'],
  '/api/metrics/churn': ['churn', 'logo'],
  '/api/metrics/churn/customers': ['churn', 'detail'],
  '/api/metrics/churn/revenue-events': ['churn', 'revenue_events'],
  '/api/metrics/retention': ['retention', 'cohort_matrix'],
  '/api/metrics/trials': ['trials', 'conversion_rate'],
  '/api/metrics/usage-revenue': ['usage_revenue', 'total'],
  '/api/metrics/usage-revenue/by-customer': ['usage_revenue', 'by_customer'],
}

/** True for a path whose question can also be asked of what has no value. */
export function isOfMetric(path: AskedPath): boolean {
  return METRICS[path] !== undefined
}

/** The same question about what has no value under some names; undefined where the path has no metric to be posted to. */
export function metricQueryOf(path: AskedPath, query: Query, without: readonly string[]): Asked | undefined {
  const known = METRICS[path]
  if (known === undefined) return undefined
  const [metric, usual] = known
  const { filter, dimensions, type, query_type, ...single } = query
  const filters = Map.groupBy(listOf(filter).map(parted), ([key]) => key)
  return {
    metric,
    body: {
      params: { query_type: String(query_type ?? type ?? usual), ...plain(single) },
      spec: {
        ...(dimensions === undefined ? {} : { dimensions: String(dimensions).split(',') }),
        filters: {
          ...Object.fromEntries([...filters].map(([key, own]) => [key, own.map(([, value]) => value)])),
          ...Object.fromEntries(without.map((name) => [name, { is_empty: true }])),
        },
      },
    },
  }
}

function listOf(value: Query[string]): readonly string[] {
  return value === undefined ? [] : [value].flat().map(String)
}

function parted(entry: string): readonly [key: string, value: string] {
  const at = entry.indexOf('=')
  return [entry.slice(0, at), entry.slice(at + 1)]
}

function plain(query: Query): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') kept[name] = value
  return kept
}

import type { components } from '../../client/index.ts'
import { BASE_URL } from './client.ts'
import type { Query, RowsPath } from './query.ts'

export type { Query, RowsPath } from './query.ts'

/** One call of the API: what a figure, chart or table shows, and what anybody else can ask too. */
export interface Question {
  readonly path: RowsPath
  readonly query: Query
  /** Names that must have no value. No address can say so: the same question is then posted to the metric. */
  readonly without?: readonly string[]
}

/** Files that the API makes of an answer. */
export type FileFormat = 'csv' | 'xlsx'

/** A question as it is sent. */
interface Call {
  readonly url: string
  /** What is posted; a question without it is got. */
  readonly body?: MetricQuery
}

/** A question with further parameters, which win. */
export function withParams(question: Question, query: Query): Question {
  return { ...question, query: { ...question.query, ...query } }
}

/** The filters of a question, `key=value` each. */
export function filtersOf({ filter }: Query): readonly string[] {
  return Array.isArray(filter) ? filter : filter === undefined ? [] : [String(filter)]
}

/** Filters narrowed to one value of a field: a second filter on a field would widen the first. */
export function filteredTo(filters: readonly string[], field: string, value: string): readonly string[] {
  return [...filters.filter((filter) => !filter.startsWith(`${field}=`)), `${field}=${value}`]
}

/** What is posted to which metric; undefined for a question that an address can say. */
export function postedOf({ path, query, without = [] }: Question) {
  return without.length === 0 ? undefined : metricQueryOf(path, query, without)
}

/** Where a question goes and what goes with it. */
export function callOf(question: Question, format?: FileFormat): Call {
  const posted = postedOf(question)
  if (posted === undefined) return { url: addressOf(question.path, { ...question.query, format }) }
  return { url: addressOf(`/api/metrics/${posted.metric}`, { format }), body: posted.body }
}

/** The question as a command for a shell. */
export function curlOf(question: Question): string {
  const { url, body } = callOf(question)
  const address = `'${url.replaceAll("'", '%27')}'`
  if (body === undefined) return `curl ${address}`
  return `curl ${address} -H 'content-type: application/json' -d '${JSON.stringify(body).replaceAll("'", String.raw`\u0027`)}'`
}

function addressOf(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one))
  const text = search.toString()
  return `${BASE_URL}${path}${text === '' ? '' : `?${text}`}`
}

/** A question as a body, in which filters have operators (http-api.md 2). */
type MetricQuery = components['schemas']['MetricQuery']

interface PostedQuery {
  readonly metric: string
  readonly body: MetricQuery
}

/** Metric and query type of the paths that are asked customer by customer, the type where the address does not name it. */
const METRICS: Readonly<Partial<Record<RowsPath, readonly [metric: string, type: string]>>> = {
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
export function isOfMetric(path: RowsPath): boolean {
  return METRICS[path] !== undefined
}

/** The same question about what has no value under some names; undefined where the path has no metric to be posted to. */
function metricQueryOf(path: RowsPath, query: Query, without: readonly string[]): PostedQuery | undefined {
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
  const params: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') params[name] = value
  return params
}

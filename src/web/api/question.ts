import type { components } from '../../client/index.ts'
import { BASE_URL } from './client.ts'
import type { Query, Question } from './query.ts'

export type { Query, Question, RowsPath } from './query.ts'

/** File formats of an answer. */
export type FileFormat = 'csv' | 'xlsx'

/** A question as an HTTP request. */
interface Call {
  readonly url: string
  /** Body of a POST. Absent: the question is a GET. */
  readonly body?: MetricQuery
}

/** A question with more parameters. They replace parameters of the question with equal names. */
export function withParams(question: Question, query: Query): Question {
  return { ...question, query: { ...question.query, ...query } }
}

/** The filters of a question, `key=value` each. */
export function filtersOf({ filter }: Query): readonly string[] {
  return Array.isArray(filter) ? filter : filter === undefined ? [] : [String(filter)]
}

/**
 * Filters restricted to one value of a field. Removes other filters on this field, because filters on one field are alternatives.
 */
export function filteredTo(filters: readonly string[], field: string, value: string): readonly string[] {
  return [...filters.filter((filter) => !filter.startsWith(`${field}=`)), `${field}=${value}`]
}

/** Metric and body for a POST; undefined if a query string is enough. */
export function postedOf({ path, query, without = [] }: Question) {
  return without.length === 0 ? undefined : metricQueryOf(path, query, without)
}

/** URL and body of a question. */
export function callOf(question: Question, format?: FileFormat): Call {
  const posted = postedOf(question)
  if (posted === undefined) return { url: addressOf(question.path, { ...question.query, format }) }
  return { url: addressOf(`/api/metrics/${posted.metric}`, { format }), body: posted.body }
}

/** The question as a curl command. */
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

/** A question as a body. Its filters have operators (http-api.md 2). */
type MetricQuery = components['schemas']['MetricQuery']

interface PostedQuery {
  readonly metric: string
  readonly body: MetricQuery
}

/** Metric and default query type of the paths that can list single customers. */
const METRICS: Readonly<Partial<Record<Question['path'], readonly [metric: string, type: string]>>> = {
  '/api/metrics/mrr': ['mrr', 'current'],
  '/api/metrics/arr': ['mrr', 'arr'],
  '/api/metrics/mrr/components': ['mrr', 'components'],
  '/api/metrics/mrr/breakdown': ['mrr', 'breakdown'],
  '/api/metrics/churn': ['churn', 'logo'],
  '/api/metrics/churn/customers': ['churn', 'detail'],
  '/api/metrics/churn/revenue-events': ['churn', 'revenue_events'],
  '/api/metrics/retention': ['retention', 'cohort_matrix'],
  '/api/metrics/trials': ['trials', 'conversion_rate'],
  '/api/metrics/trials/funnel': ['trials', 'funnel'],
  '/api/metrics/usage-revenue': ['usage_revenue', 'total'],
  '/api/metrics/usage-revenue/by-customer': ['usage_revenue', 'by_customer'],
}

/** Whether the API can select rows without a value on this path. */
export function isOfMetric(path: Question['path']): boolean {
  return METRICS[path] !== undefined
}

/** The question restricted to rows without a value in the named fields. Undefined if the path has no metric. */
function metricQueryOf(path: Question['path'], query: Query, without: readonly string[]): PostedQuery | undefined {
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

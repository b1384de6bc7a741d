import type { AskedPath, Query } from './asked-path.ts'
import { BASE_URL } from './base.ts'
import { type MetricQuery, metricQueryOf } from './metric-query.ts'

export type { AskedPath, Query } from './asked-path.ts'

/** One call of the API: what a figure, chart or table shows, and what anybody else can ask too. */
export interface Question {
  readonly path: AskedPath
  readonly query: Query
  /** Names that must have no value. No address can say so: the same question is then posted to the metric. */
  readonly without?: readonly string[]
}

/** Files that the API makes of an answer. */
export type FileFormat = 'csv' | 'xlsx'

/** A question as it is sent. */
export interface Call {
  readonly url: string
  /** What is posted; a question without it is got. */
  readonly body?: MetricQuery
}

/** A question with further parameters, which win. */
export function narrowed(question: Question, query: Query): Question {
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

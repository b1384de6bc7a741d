import { isObject } from '../../core/json.ts'
import type { DashboardPage, MetricQuery } from '../../engine/engine.ts'
import type { RawRequest } from '../presentation/raw-request.ts'

/** A query with the page that shows it. Lists have no inputs. */
type Shown = Pick<MetricQuery, 'page'> & Partial<Pick<MetricQuery, 'inputs'>>

/** API parameters that dashboard pages read from their URL. */
const TAKEN = ['segment', 'search', 'status', 'order', 'compare_to']

/**
 * URL of the dashboard page that shows a query or a list. Undefined if no page shows it: a filter that pages do not have, a
 * range that is open on one side, or rows that no page groups.
 */
export function pageLink(
  page: string,
  { page: place, inputs }: Shown,
  { params, spec }: Pick<RawRequest, 'params' | 'spec'>,
): string | undefined {
  const dimensions = listIn(spec['dimensions'])
  const days = daysOf(params)
  const filters = filtersOf(spec['filters'])
  if (place === undefined || days === undefined || filters === undefined) return undefined
  const found = placeFor(place, dimensions, isSeries(inputs, params, spec))
  if (found === undefined) return undefined
  const search = new URLSearchParams([...found.state, ...days])
  append(search, 'interval', params['interval'] ?? params['granularity'] ?? spec['granularity'])
  for (const name of TAKEN) append(search, name, params[name] ?? spec[name])
  append(search, 'dimensions', dimensions.join(',') || undefined)
  for (const id of listIn(spec['compare'])) append(search, 'compare_segments', id)
  for (const filter of filters) append(search, 'filter', filter)
  const text = search.toString()
  return `${page}/${found.path}${text === '' ? '' : `?${text}`}`
}

function placeFor(
  { path, view, kept, isGrouped, figure }: DashboardPage,
  dimensions: readonly string[],
  isSeries: boolean,
): { readonly path: string; readonly state: [string, string][] } | undefined {
  const isShown = dimensions.length === 0 || (isGrouped === true && dimensions.length === 1)
  const state = Object.entries({ view, kept }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  if (path !== 'explore' && isShown) return { path, state }
  if (figure === undefined) return undefined
  return { path: 'explore', state: [['metric', figure], ...(isSeries ? [] : [['view', 'total'] as [string, string]])] }
}

const DAYS = ['start', 'end'] as const

function isSeries(inputs: Shown['inputs'], params: RawRequest['params'], spec: RawRequest['spec']): boolean {
  const { dates, step } = inputs ?? {}
  if (step === 'interval' && dates !== 'point_or_range') return true
  if (params['granularity'] !== undefined || spec['granularity'] !== undefined) return true
  const hasRange = params['range'] !== undefined || DAYS.every((name) => params[name] !== undefined)
  return dates === 'point_or_range' && hasRange
}

// A page has a range. The state of one day is that of the range that ends on it. Undefined for a range without an end or a start.
function daysOf(params: RawRequest['params']): [string, string][] | undefined {
  const { range, start, end = start === undefined ? params['at'] : undefined } = params
  if (range !== undefined)
    return [['range', String(range).replace(/^(last-\d+-.*[a-z])$/, (name) => (name.endsWith('s') ? name : `${name}s`))]]
  if (start === undefined && end === undefined) return []
  if (end === undefined) return undefined
  return [
    ['start', String(start ?? `${String(end).slice(0, 7)}-01`)],
    ['end', String(end)],
  ]
}

// Undefined for a filter with an operator, which no address has.
function filtersOf(given: unknown): readonly string[] | undefined {
  const entries = Object.entries(isObject(given) ? given : {})
  if (entries.some(([, value]) => [value].flat().some(isObject))) return undefined
  return entries.flatMap(([key, value]) => [value].flat().map((one) => `${key}=${String(one)}`))
}

function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function append(search: URLSearchParams, name: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number') search.append(name, String(value))
}

import { isObject } from '../../core/json.ts'
import type { RawRequest } from '../presentation/raw-request.ts'

/** The place of the dashboard that shows a query. */
interface Place {
  /** The page for the query without groups. */
  readonly path: string
  /** The view of the page. */
  readonly view?: string
  /** The measure of the cohorts on the page, if it is not customers. */
  readonly kept?: 'net'
  /** True if the page groups the query by one dimension. */
  readonly isGrouped?: true
  /** The metric of Explore that shows the query with any groups. */
  readonly figure?: string
}

const LEVEL = { path: 'mrr', isGrouped: true, figure: 'mrr' } as const
const USAGE = { path: 'usage', isGrouped: true, figure: 'usage_revenue' } as const
const TRIALS = { path: 'trials', isGrouped: true, figure: 'trial_conversion' } as const
const BOOKS = { path: 'expenses' } as const

/** Places by metric and query. */
const PLACES: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  mrr: {
    current: LEVEL,
    series: LEVEL,
    arr: { path: 'explore', figure: 'arr' },
    components: { path: 'explore', figure: 'usage_mrr' },
    breakdown: { path: 'explore', figure: 'movements' },
    waterfall: { path: 'mrr' },
    why: { path: 'mrr' },
  },
  churn: {
    logo: { path: 'churn', isGrouped: true, figure: 'logo_churn' },
    revenue: { path: 'churn', view: 'revenue', isGrouped: true, figure: 'revenue_churn' },
    detail: { path: 'churn' },
    revenue_events: { path: 'churn', view: 'revenue' },
  },
  retention: {
    cohort_matrix: { path: 'retention' },
    revenue_cohort_matrix: { path: 'retention', kept: 'net' },
    nrr: { path: 'retention', isGrouped: true, figure: 'nrr' },
    grr: { path: 'retention', view: 'grr', isGrouped: true, figure: 'grr' },
  },
  ltv: {
    simple: { path: 'ltv', figure: 'ltv' },
    arpu: { path: 'ltv', isGrouped: true, figure: 'arpu' },
    cohort: { path: 'ltv' },
  },
  trials: { conversion_rate: TRIALS, funnel: TRIALS, series: TRIALS },
  usage_revenue: { total: USAGE, series: USAGE, by_customer: { path: 'usage' } },
  expenses: { total: BOOKS, by_account_type: BOOKS, by_vendor: BOOKS, series: BOOKS },
  summary: { summary: { path: '' } },
  customers: { customers: { path: 'customers' } },
}

/** API parameters that dashboard pages read from their URL. */
const TAKEN = ['segment', 'search', 'status', 'order', 'compare_to']

/**
 * URL of the dashboard page that shows the query of a metric, or the list. Undefined if no page shows it: a filter that pages do not have, a
 * range that is open on one side, or rows that no page groups.
 */
export function pageLink(
  page: string,
  what: string,
  query: string,
  { params, spec }: Pick<RawRequest, 'params' | 'spec'>,
): string | undefined {
  const queries = Object.hasOwn(PLACES, what) ? PLACES[what] : undefined
  const place = queries !== undefined && Object.hasOwn(queries, query) ? queries[query] : undefined
  const dimensions = listIn(spec['dimensions'])
  const days = daysOf(params)
  const filters = filtersOf(spec['filters'])
  if (place === undefined || days === undefined || filters === undefined) return undefined
  const found = placeFor(place, dimensions, isSeries(query, params, spec))
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
  { path, view, kept, isGrouped, figure }: Place,
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

function isSeries(query: string, params: RawRequest['params'], spec: RawRequest['spec']): boolean {
  if (['series', 'waterfall'].includes(query)) return true
  if (params['granularity'] !== undefined || spec['granularity'] !== undefined) return true
  const hasRange = params['range'] !== undefined || DAYS.every((name) => params[name] !== undefined)
  return ['current', 'arr', 'components', 'arpu'].includes(query) && hasRange
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

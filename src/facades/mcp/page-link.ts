import { isObject } from '../../core/json.ts'
import type { RawRequest } from '../presentation/raw-request.ts'

/** Pages that show what a metric or list answers. */
const PAGES: Readonly<Record<string, string>> = {
  summary: '',
  mrr: 'mrr',
  churn: 'churn',
  retention: 'retention',
  ltv: 'ltv',
  trials: 'trials',
  usage_revenue: 'usage',
  expenses: 'expenses',
  customers: 'customers',
}

/** What a page takes from its address under the names of the API. */
const TAKEN = ['range', 'start', 'end', 'interval', 'segment', 'search', 'status', 'order']

/** Where people see the same; undefined where the address of the page is not known, or no page shows it. */
export function pageLink(
  page: string | undefined,
  what: string,
  { params, spec }: Pick<RawRequest, 'params' | 'spec'>,
): string | undefined {
  const path = Object.hasOwn(PAGES, what) ? PAGES[what] : undefined
  if (page === undefined || path === undefined) return undefined
  const search = new URLSearchParams()
  for (const name of TAKEN) append(search, name, params[name] ?? spec[name])
  append(search, 'dimensions', Array.isArray(spec['dimensions']) ? spec['dimensions'].join(',') : undefined)
  for (const id of Array.isArray(spec['compare']) ? spec['compare'] : []) append(search, 'compare_segments', id)
  for (const [key, value] of Object.entries(isObject(spec['filters']) ? spec['filters'] : {}))
    for (const one of [value].flat()) append(search, 'filter', isObject(one) ? undefined : `${key}=${String(one)}`)
  const text = search.toString()
  return `${page}/${path}${text === '' ? '' : `?${text}`}`
}

function append(search: URLSearchParams, name: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number') search.append(name, String(value))
}

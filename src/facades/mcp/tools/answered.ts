import { isObject } from '../../../core/json.ts'
import { askOperation, type Operation } from '../../presentation/ask.ts'
import type { RawRequest } from '../../presentation/raw-request.ts'
import { answerText } from '../answer-text.ts'
import { countArgument, textArgument } from '../arguments.ts'
import { countText, MOST_ROWS, tableText } from '../table-text.ts'
import type { ToolCall } from '../tool.ts'

/** Runs an engine operation with amounts in units and returns the answer as text. `what` is the metric or list. */
export async function answered(call: ToolCall<unknown>, operation: Operation, what: string, title = what): Promise<string> {
  const { request, options, page } = call
  const inUnits = { ...request, params: { ...request.params, money: 'units' } }
  const answer = await askOperation(operation, inUnits, options)
  const link = pageLink(page, what, request)
  const text = answerText(answer, title, Number(request.params['offset'] ?? 0))
  return link === undefined ? text : `${text}\n${shownAt(link)}`
}

/** A line with a link to the dashboard. */
export function shownAt(link: string): string {
  return `Dashboard: ${link}`
}

/** Dashboard pages by metric or list. */
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

/** API parameters that dashboard pages read from their URL. */
const TAKEN = ['range', 'start', 'end', 'interval', 'segment', 'search', 'status', 'order']

/** URL of the dashboard page with the same query. Undefined if the dashboard URL is unknown or no page shows it. */
function pageLink(
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

/** Arguments of tools that list complete sets. */
export const LISTING = {
  search: textArgument('search').optional().describe('Only entries with this text in their name'),
  offset: countArgument('offset').optional().describe('Number of rows to skip. Default: 0.'),
}

interface Listing {
  readonly search?: string | undefined
  readonly offset?: number | undefined
}

/** The matching rows from `offset` on, and the row count. */
export function listingText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  { search = '', offset = 0 }: Listing,
): string {
  const [name = ''] = columns
  const found = rows.filter((row) => String(row[name]).toLowerCase().includes(search.toLowerCase()))
  const shown = found.slice(offset, offset + MOST_ROWS)
  const count = countText(shown.length, offset, found.length, `For more rows, use offset ${offset + shown.length}.`)
  return shown.length === 0 ? count : `${tableText(columns, shown)}\n${count}`
}

import { isObject } from '../../../core/json.ts'
import { askOperation, type Operation } from '../../presentation/ask.ts'
import type { RawRequest } from '../../presentation/raw-request.ts'
import { answerText } from '../answer-text.ts'
import { countArgument, textArgument } from '../arguments.ts'
import { countText, MOST_ROWS, tableText } from '../table-text.ts'
import type { ToolCall } from '../tool.ts'

/** Asks the engine, amounts in units, and writes its answer; `what` is the metric or list that it is about. */
export async function answered(call: ToolCall<unknown>, operation: Operation, what: string, title = what): Promise<string> {
  const { request, options, page } = call
  const inUnits = { ...request, params: { ...request.params, money: 'units' } }
  const answer = await askOperation(operation, inUnits, options)
  const link = pageLink(page, what, request)
  const text = answerText(answer, title, Number(request.params['offset'] ?? 0))
  return link === undefined ? text : `${text}\n${shownAt(link)}`
}

/** The line that leads people to the page. */
export function shownAt(link: string): string {
  return `Shown to people at ${link}`
}

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

/** Arguments of tools that list what is at hand as a whole. */
export const LISTING = {
  search: textArgument('search').optional().describe('Only what has this text in its name'),
  offset: countArgument('offset').optional().describe('Rows to leave out first. Default 0.'),
}

interface Listing {
  readonly search?: string | undefined
  readonly offset?: number | undefined
}

/** The rows that are asked for, and how many there are. */
export function listingText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  { search = '', offset = 0 }: Listing,
): string {
  const [name = ''] = columns
  const found = rows.filter((row) => String(row[name]).toLowerCase().includes(search.toLowerCase()))
  const shown = found.slice(offset, offset + MOST_ROWS)
  const count = countText(shown.length, offset, found.length, `For the rest ask with offset ${offset + shown.length}.`)
  return shown.length === 0 ? count : `${tableText(columns, shown)}\n${count}`
}

import { askOperation, type Operation } from '../../presentation/ask.ts'
import { answerText } from '../answer-text.ts'
import { countArgument, flagArgument, textArgument } from '../arguments.ts'
import { pageLink } from '../page-link.ts'
import { remarkLines } from '../remarks-text.ts'
import { countText, MOST_ROWS, tableText } from '../table-text.ts'
import type { ToolCall } from '../tool.ts'

/** Runs an engine operation with amounts in units and returns the answer as text. `what` is the metric or list. */
export async function answered(
  call: ToolCall<unknown>,
  operation: Operation,
  what: string,
  title = what,
  isBrief = false,
): Promise<string> {
  const { request, options, page } = call
  const inUnits = { ...request, params: { ...request.params, money: 'units' } }
  const answer = await askOperation(operation, inUnits, options)
  const link = page === undefined ? undefined : pageLink(page, queryOf(call, what), request)
  const numbers = answerText(answer, title, Number(request.params['offset'] ?? 0), isBrief)
  const text = [numbers, ...(await remarkLines(call, what, answer))].join('\n')
  return link === undefined ? text : `${text}\n${shownAt(link)}`
}

/** The argument of lists that shows all columns. */
export const WITH_IDS = {
  ids: flagArgument('ids')
    .optional()
    .describe('True to show ids, sources and addresses, too. Default: only what names a row for people.'),
}

/** A page of a list, without ids unless the call asks for them. */
export function listAnswered(call: ToolCall<{ readonly ids?: boolean | undefined }>, operation: Operation, what: string) {
  return answered(call, operation, what, what, call.own.ids !== true)
}

/** The lists that have a page of their name. */
const LISTED: readonly string[] = ['customers']

// The query that the metric chooses. A list has none, and perhaps a page.
function queryOf({ engine, request: { params, spec } }: ToolCall<unknown>, what: string): Parameters<typeof pageLink>[1] {
  const isMetric = what === 'summary' || engine.metrics().includes(what)
  if (!isMetric) return LISTED.includes(what) ? { page: { path: what } } : {}
  const { query_type } = params
  const definition = engine.metric(what)
  const query = definition?.choose(typeof query_type === 'string' ? query_type : undefined, params, spec) ?? ''
  return definition?.queries[query] ?? {}
}

/** A line with a link to the dashboard. */
export function shownAt(link: string): string {
  return `Dashboard: ${link}`
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

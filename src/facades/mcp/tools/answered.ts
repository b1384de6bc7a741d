import { dayIn, UTC } from '../../../core/calendar.ts'
import { unitsOf } from '../../../core/currency.ts'
import { goalDays, goalText } from '../../../core/goal.ts'
import { isObject } from '../../../core/json.ts'
import { withoutControls } from '../../../core/text.ts'
import type { Answer, Engine, Goal, GoalSubject } from '../../../engine/engine.ts'
import { askOperation, type Operation } from '../../presentation/ask.ts'
import { besideGoal, goalsOf, noteText, remarksOn, subjectsOf } from '../../presentation/remarks.ts'
import { answerText } from '../answer-text.ts'
import { countArgument, flagArgument, textArgument } from '../arguments.ts'
import { pageLink } from '../page-link.ts'
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

/** Most notes and most goals that an answer lists. */
const MOST = 30

/**
 * Lines with the notes and goals in the days of an answer about a metric, or about all metrics. They follow the numbers, which are those without notes.
 * Callers who see only totals get no notes, because a note can name a customer.
 */
async function remarkLines(call: ToolCall<unknown>, what: string, answer: Answer): Promise<readonly string[]> {
  const { engine, request, options } = call
  const isSummary = what === 'summary'
  if (!isSummary && !engine.metrics().includes(what)) return []
  const { days: asked, data_through, time_zone = UTC, base_currency } = answer.meta
  const through = data_through === null ? undefined : dayIn(time_zone, new Date(data_through))
  const days = asked ?? (through === undefined ? undefined : { start: through, end: through })
  if (days === undefined) return []
  const { notes, goals, warnings } = await remarksOn(engine, days, isSummary ? undefined : what)
  const filter = filterTexts(request.spec)
  const tenants = filter?.filter((text) => text.startsWith('tenant=')).map((text) => text.slice('tenant='.length)) ?? []
  const isOfTenant = (tenant: string | null) => tenant === null || tenants.length === 0 || tenants.includes(tenant)
  const shown = options.numbersOnly === true ? [] : notes.filter(({ tenant }) => isOfTenant(tenant))
  const subjects = subjectsAsked(engine, request, what)
  // Without a filter that can be written as text, or with segments, no goal is for these customers.
  const own = filter === undefined ? [] : subjects.flatMap((subject) => goalsIn(goalsOf(goals, subject, filter), days))
  const lines = own.map((goal) => `Goal: ${goal.label}, ${goalLine(goal, subjects, answer, days, through, base_currency)}`)
  return [
    ...limited(
      shown.map((note) => `Note ${noteText(note)}`),
      'notes',
    ),
    ...limited(lines, 'goals'),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ].map(withoutControls)
}

function limited(lines: readonly string[], what: string): readonly string[] {
  return lines.length <= MOST ? lines : [...lines.slice(0, MOST), `(the first ${MOST} of ${lines.length} ${what})`]
}

/** The numbers of the query. */
function subjectsAsked(engine: Engine, { params, spec }: ToolCall<unknown>['request'], what: string): readonly GoalSubject[] {
  const all = subjectsOf(engine)
  if (what === 'summary') return all
  const { query_type } = params
  const type = engine.metric(what)?.choose(typeof query_type === 'string' ? query_type : undefined, params, spec) ?? ''
  return all.filter(({ metric, query_type: own, also }) => metric === what && (own === type || also.includes(type)))
}

/** Goals whose period has a day in common with the days. */
function goalsIn(goals: readonly Goal[], { start, end }: { readonly start: string; readonly end: string }): readonly Goal[] {
  return goals.filter(({ period }) => goalDays(period).start <= end && start <= goalDays(period).end)
}

/** The period and value of a goal, with the share that an answer of one number reaches. */
function goalLine(
  goal: Goal,
  subjects: readonly GoalSubject[],
  { kind, data }: Answer,
  days: { readonly start: string; readonly end: string },
  through: string | undefined,
  base: string,
): string {
  const written = (value: number) => {
    if (goal.unit === 'fraction') return `${Number((value * 100).toFixed(4))}%`
    return goal.unit === 'money' ? `${unitsOf(value, goal.currency ?? base)} ${goal.currency}` : String(value)
  }
  const subject = subjects.find(({ measure, query_type }) => measure === goal.measure && query_type === goal.query_type)
  // Amounts are in units.
  const number = kind === 'scalar' && data !== null ? Number(data) * (goal.unit === 'money' ? 100 : 1) : undefined
  const compared = number === undefined || subject === undefined ? undefined : besideGoal(number, [goal], subject, days, through)
  const reasons = goal.warnings.map((reason) => ` ${reason}`).join('')
  return `${goalText(compared ?? { period: goal.period, value: goal.value, isRunning: false }, written)}.${reasons}`
}

/** The filters of a request as `key=value` each. Undefined if it has others, or segments. */
function filterTexts(spec: ToolCall<unknown>['request']['spec']): readonly string[] | undefined {
  const { filters = {}, segment, compare } = spec
  if (segment !== undefined || compare !== undefined || !isObject(filters)) return undefined
  const texts = Object.entries(filters).flatMap(([key, given]) =>
    [given].flat().map((value) => (typeof value === 'object' ? undefined : `${key}=${String(value)}`)),
  )
  return texts.includes(undefined) ? undefined : texts.filter((text) => text !== undefined)
}

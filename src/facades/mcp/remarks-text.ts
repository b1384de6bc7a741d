import { dayIn, UTC } from '../../core/calendar.ts'
import { unitsOf } from '../../core/currency.ts'
import { goalDays, goalText } from '../../core/goal.ts'
import { isObject } from '../../core/json.ts'
import { withoutControls } from '../../core/text.ts'
import type { Answer, Engine, Goal, GoalSubject } from '../../engine/engine.ts'
import { besideGoal, goalsOf, noteText, remarksOn, subjectsOf } from '../presentation/remarks.ts'
import type { ToolCall } from './tool.ts'

/** Most notes and most goals that an answer lists. */
const MOST = 30

/**
 * Lines with the notes and goals in the days of an answer about a metric, or about all metrics. They follow the numbers, which are those without notes.
 * Callers who see only totals get no notes, because a note can name a customer.
 */
export async function remarkLines(call: ToolCall<unknown>, what: string, answer: Answer): Promise<readonly string[]> {
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

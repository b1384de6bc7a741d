import { FIGURES } from '../../../docs/openapi/figures.ts'
import { goalAt, goalFor, goalShare, goalText, isGoalOf } from '../../core/goal.ts'
import type { Query, Question } from '../api/query.ts'
import type { ChartSpec, NumberedNote } from '../charts/spec.ts'
import { formatDay, formatPeriod } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { traitsOf } from '../format/traits.ts'
import type { Goal, Note } from './use-remarks.ts'

const METRICS = '/api/metrics/'

/** The metric that a path is about, as notes name it. Undefined for paths of records. */
export function metricOf(path: string): string | undefined {
  if (!path.startsWith(METRICS)) return undefined
  const [first = ''] = path.slice(METRICS.length).split('/')
  return FIGURES.find((figure) => figure.path === path)?.metric ?? first.replaceAll('-', '_')
}

/** The notes on the days of a chart, numbered, with their places. Notes of other metrics and other tenants are left out. */
export function notesOn(
  notes: readonly Note[],
  days: NonNullable<ChartSpec['days']>,
  { metric, tenant }: { readonly metric: string | undefined; readonly tenant: string | undefined },
): readonly NumberedNote[] {
  const isOf = (note: Note) =>
    note.warnings.length === 0 &&
    (note.metric === null || note.metric === metric) &&
    (note.tenant === null || tenant === undefined || note.tenant === tenant)
  return notes
    .filter(isOf)
    .flatMap((note) => {
      const place = days.findIndex(({ start, end }) => start <= note.day && note.day <= end)
      return place < 0 ? [] : [{ place, note }]
    })
    .map(({ place, note }, at) => ({ number: at + 1, place, id: note.id, text: noteText(note) }))
}

/** The note as a line: `Oct 5, 2026: New prices`. */
export function noteText({ day, text }: Pick<Note, 'day' | 'text'>): string {
  return `${formatDay(day)}: ${text}`
}

/** The goals of a number of a question, without those in another currency. None for groups and segments. */
export function goalsOf(goals: readonly Goal[], { path, query }: Question, measure: string, currency: string): readonly Goal[] {
  if (['dimensions', 'segment', 'compare_segments', 'definitions'].some((name) => isGiven(query[name]))) return []
  const asked = queryOf(path, query, measure)
  const filter = [query['filter'] ?? []].flat().map(String)
  return goals.filter(
    (goal) =>
      isGoalOf(goal, { ...asked, measure }, filter) &&
      (goal.currency === null || goal.currency === currency) &&
      goal.warnings.length === 0,
  )
}

function isGiven(value: Query[string]): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** The metric and query type that a question asks, as goals name them. */
function queryOf(path: string, query: Query, measure: string): { readonly metric: string; readonly query_type: string } {
  const named = query['query_type'] ?? query['type']
  const figure = FIGURES.find((one) => {
    const chosen: Query = one.query
    const own = chosen['query_type'] ?? chosen['type']
    const isChosen = named === undefined ? own === undefined : named === (own ?? one.query_type)
    return one.measure === measure && (one.path === path || one.alone === path) && isChosen
  })
  if (figure !== undefined) return figure
  const [metric = '', ...tail] = path.slice(METRICS.length).replaceAll('-', '_').split('/')
  return { metric, query_type: String(query['query_type'] ?? tail.join('_')) }
}

/** The goals of a chart, place by place. Undefined if no place has one. */
export function goalLine(goals: readonly Goal[], days: NonNullable<ChartSpec['days']>): ChartSpec['goal'] {
  const isLevel = goals[0]?.is_level ?? false
  const values = days.map((place) => goalAt(goals, place, isLevel)?.value ?? null)
  return values.every((value) => value === null) ? undefined : { name: 'Goal', values }
}

/** A number of some days with its goal, in words: “97% of the goal of Nov 2026 (running): $52,000”. Undefined without a goal. */
export function besideGoal(
  value: number,
  goals: readonly Goal[],
  field: string,
  {
    days,
    today,
    currency,
  }: { readonly days: { readonly start: string; readonly end: string }; readonly today: string; readonly currency: string },
): string | undefined {
  const [first] = goals
  const found = first && goalFor(goals, days, first.is_level, today)
  if (found === undefined) return undefined
  const { goal, isRunning } = found
  const { unit, value: wanted } = goal
  const share = goalShare(value, wanted, unit, traitsOf(field).good)
  return goalText({ period: formatGoalPeriod(goal.period), value: wanted, isRunning, share }, (number) =>
    formatValue(number, unit, { currency }),
  )
}

/** A month or quarter in the user's format: “Oct 2026”, “Q4 2026”. */
export function formatGoalPeriod(period: string): string {
  const [year = '', part = ''] = period.split('-')
  return part.startsWith('Q') ? `${part} ${year}` : formatPeriod(`${period}-01`, 'month')
}

import { AppError } from '../../core/errors.ts'
import { type ComparedGoal, goalFor, goalShare, isGoalOf } from '../../core/goal.ts'
import { type Engine, type Goal, type GoalSubject, goalSubjects, type Note } from '../../engine/engine.ts'

/** Days `YYYY-MM-DD`, both included. */
interface Days {
  readonly start: string
  readonly end: string
}

/** Notes and goals, and why there are none if the store cannot tell. */
export interface Remarks {
  readonly notes: readonly Note[]
  readonly goals: readonly Goal[]
  /** Sentences about what is left out. */
  readonly warnings: readonly string[]
}

const NONE: Remarks = { notes: [], goals: [], warnings: [] }

/** The notes of the days, about everything or about one metric, and all goals. None without a side store. */
export async function remarksOn(
  { notes, goals }: Pick<Engine, 'notes' | 'goals'>,
  days: Days,
  metric?: string,
): Promise<Remarks> {
  try {
    const found = await notes.list({ ...days, ...(metric !== undefined && { metric }) })
    // A note with a warning names a tenant or a metric that the service no longer has.
    return { notes: found.filter(({ warnings }) => warnings.length === 0), goals: await goals.list(), warnings: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'unsupported_by_connector') return NONE
    if (error.code !== 'connector_unavailable') throw error
    return { ...NONE, warnings: [`Notes and goals are left out. ${error.message}`] }
  }
}

/** The note as a sentence: `2026-10-05: New prices (mrr, alpha)`. */
export function noteText({ day, text, metric, tenant }: Note): string {
  const about = [metric, tenant].filter((name) => name !== null)
  return `${day}: ${text}${about.length === 0 ? '' : ` (${about.join(', ')})`}`
}

/** The numbers of the engine's metrics that may have goals. */
export function subjectsOf({ metrics, metric }: Pick<Engine, 'metrics' | 'metric'>): readonly GoalSubject[] {
  return goalSubjects(metrics().flatMap((name) => metric(name) ?? []))
}

/** The goals of a number, for exactly the customers of these filters, `key=value` each. */
export function goalsOf(goals: readonly Goal[], subject: GoalSubject, filter: readonly string[] = []): readonly Goal[] {
  return goals.filter((goal) => isGoalOf(goal, subject, filter))
}

/** A number with its goal. Undefined if it has none for these days. `through` is the last day that is known. */
export function besideGoal(
  value: number,
  goals: readonly Goal[],
  { is_level, unit, good }: Pick<GoalSubject, 'is_level' | 'unit' | 'good'>,
  days: Days,
  through: string = days.end,
): ComparedGoal | undefined {
  const found = goalFor(
    goals.filter(({ warnings }) => warnings.length === 0),
    days,
    is_level,
    through,
  )
  if (found === undefined) return undefined
  const { goal, isRunning } = found
  const share = goalShare(value, goal.value, unit, good)
  return { period: goal.period, value: goal.value, isRunning, ...(share !== undefined && { share }) }
}

import type { Good, Unit } from './column.ts'
import { dayBefore, dayOf, dayStart, periodsOn } from './periods.ts'

/** A month `2026-10` or a quarter `2026-Q4`, of the years 1900 to 2099. */
export const GOAL_PERIOD = String.raw`^(19|20)\d{2}-(0[1-9]|1[0-2]|Q[1-4])$`

/** The part of a goal that decides which number it is compared with. `value` is in the units of answers: cents, fractions. */
export interface GoalOfPeriod {
  readonly period: string
  readonly value: number
}

/** First and last day of a month or quarter. */
export function goalDays(period: string): { readonly start: string; readonly end: string } {
  const [year = '', part = ''] = period.split('-')
  const [month, step] = part.startsWith('Q')
    ? [String(Number(part.slice(1)) * 3 - 2).padStart(2, '0'), 'quarter' as const]
    : [part, 'month' as const]
  const start = dayStart(`${year}-${month}-01`)
  return { start: dayOf(start), end: dayBefore(periodsOn(start, step, 1)) }
}

/** A goal that a number is compared with. `isRunning`: its period goes on after the number's last day. */
export interface MatchedGoal<G extends GoalOfPeriod> {
  readonly goal: G
  readonly isRunning: boolean
}

/**
 * The goal for a number of these days. A level is that of the last day: it has the goal of the month that contains it, or of the quarter. Any other
 * number has the goal of exactly its days, or of the period that they are the known part of. `through` is the last day that is known.
 */
export function goalFor<G extends GoalOfPeriod>(
  goals: readonly G[],
  days: { readonly start: string; readonly end: string },
  isLevel: boolean,
  through: string = days.end,
): MatchedGoal<G> | undefined {
  const last = through < days.end ? through : days.end
  const fits = ({ period }: G) => {
    const { start, end } = goalDays(period)
    if (isLevel) return start <= last && last <= end
    return start === days.start && (end === days.end || (days.end < end && through <= days.end))
  }
  // A month comes before the quarter, which ends no earlier.
  const found = goals.filter(fits).toSorted((one, other) => ranked(one) - ranked(other))
  const goal = (isLevel ? undefined : found.find(({ period }) => goalDays(period).end === days.end)) ?? found[0]
  return goal && { goal, isRunning: last < goalDays(goal.period).end }
}

const ranked = ({ period }: GoalOfPeriod): number => (period.includes('Q') ? 1 : 0)

/**
 * The goal to draw at a place of a chart, which covers the days `start` to `end`. A level has the goal of a period that ends with the place or
 * contains it. Any other number has only the goal of exactly its days, because a part of a period has no goal.
 */
export function goalAt<G extends GoalOfPeriod>(
  goals: readonly G[],
  days: { readonly start: string; readonly end: string },
  isLevel: boolean,
): G | undefined {
  const exact = goals.filter(
    ({ period }) => goalDays(period).end === days.end && (isLevel || goalDays(period).start === days.start),
  )
  return (
    exact.toSorted((one, other) => ranked(one) - ranked(other))[0] ?? (isLevel ? goalFor(goals, days, true)?.goal : undefined)
  )
}

/** The share of a goal that a number reaches, six decimals. Undefined for rates, for numbers that should be low, and for a goal of 0. */
export function goalShare(value: number, goal: number, unit: Unit, good: Good = 'up'): number | undefined {
  if (unit === 'fraction' || good !== 'up' || goal <= 0) return undefined
  return Number((value / goal).toFixed(6))
}

/** A number with its goal. */
export interface ComparedGoal extends GoalOfPeriod {
  readonly isRunning: boolean
  /** Absent if a share says nothing. */
  readonly share?: number | undefined
}

/**
 * The comparison in words: `97% of the goal of 2026-11 (running): 50,000.00`, or `goal of 2026-10: 2.00%`. A share is rounded down, so that `100%`
 * means reached. `written` writes the value of a goal.
 */
export function goalText({ period, value, isRunning, share }: ComparedGoal, written: (value: number) => string): string {
  const reached = share === undefined ? '' : `${Math.floor(Number((share * 100).toFixed(4)))}% of the `
  return `${reached}goal of ${period}${isRunning ? ' (running)' : ''}: ${written(value)}`
}

/** The number that a goal is for. */
interface GoalTarget {
  readonly metric: string
  readonly query_type: string
  readonly measure: string
}

/** Whether a goal is for this number of exactly the customers of these filters, `key=value` each in any order. */
export function isGoalOf(
  goal: GoalTarget & { readonly filter: readonly string[] },
  { metric, query_type, measure }: GoalTarget,
  filter: readonly string[],
): boolean {
  const wanted = [...new Set(filter)].sort()
  const isSame = goal.filter.length === wanted.length && goal.filter.every((one, place) => one === wanted[place])
  return isSame && goal.metric === metric && goal.query_type === query_type && goal.measure === measure
}

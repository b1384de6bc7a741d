import type { Question } from '../api/query.ts'
import { usePage } from '../controls/use-page.ts'
import { besideGoal, goalsOf } from './remarks.ts'
import { useGoals } from './use-remarks.ts'

interface GoalLineProps {
  readonly value: number | null
  /** Field of the number, which decides the good direction. */
  readonly field: string
  /** The question for the number, and its field in the answer. */
  readonly question: Question
  readonly measure: string
  readonly days: { readonly start?: string | undefined; readonly end: string }
  readonly currency: string
  readonly className: string
}

/** A number with its goal, in words. Nothing if the number has no goal for these days. */
export function GoalLine({ value, field, question, measure, days: { start, end }, currency, className }: GoalLineProps) {
  const { today } = usePage()
  const { data: goals = [] } = useGoals()
  if (value === null || start === undefined) return null
  const text = besideGoal(value, goalsOf(goals, question, measure, currency), field, { days: { start, end }, today, currency })
  return text === undefined ? null : <span className={`${className} goal-text`}>{text}</span>
}

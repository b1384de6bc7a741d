import type { MovementCell } from './movements.ts'

/** The plan that most of the movements of one kind came from, by amount, and how many of their number are its own. */
export interface PlanShare {
  readonly plan_id: string
  /** How much of the amount: everything, more than half, or more than any other plan. */
  readonly part: 'all' | 'mostly' | 'largest'
  readonly events: number
  readonly all_events: number
}

type PlanCell = Pick<MovementCell, 'values' | 'amount' | 'events'>

/**
 * The leading plan among the movements of one kind, a cell a plan. Only amounts with the sign of the whole compete: the other side of
 * a swap (D33) is no part of a loss. None where two plans lead alike, and where what leads has no plan.
 */
export function leadingPlan(cells: readonly PlanCell[]): PlanShare | undefined {
  const sign = Math.sign(cells.reduce((sum, { amount }) => sum + amount, 0))
  const ranked = cells
    .map((cell) => ({ ...cell, share: cell.amount * sign }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share)
  const [first, second] = ranked
  const plan = first?.values[0] ?? null
  if (first === undefined || plan === null || first.share === second?.share) return undefined
  const whole = ranked.reduce((sum, { share }) => sum + share, 0)
  return {
    plan_id: String(plan),
    part: cells.length === 1 ? 'all' : 2 * first.share > whole ? 'mostly' : 'largest',
    events: first.events,
    all_events: cells.reduce((sum, { events }) => sum + events, 0),
  }
}

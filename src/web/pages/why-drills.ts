import { narrowed, type Query } from '../api/question.ts'
import type { Why } from '../api/use-why.ts'
import type { Drill } from '../parts/drill.tsx'
import { ofGroups } from '../parts/drill-groups.ts'
import { BY_CUSTOMER, movementsOf } from './drills.ts'

/**
 * The rows behind each sentence, in its order: the change as a whole, each kind of movement the largest first, the plan that moved most. None where
 * there are other sentences than these.
 */
export function sentenceDrills(why: Why, span: Query, when: string, audience: Query): readonly Drill[] {
  const { by_movement, by_plan, sentences } = why
  const all = movementsOf(span, when, audience)
  const kinds = Object.entries(by_movement)
    .filter(([, amount]) => amount !== 0)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .map(([kind]) => byPlanToo(movementsOf(span, when, audience, kind), kind))
  const drills = [all, ...kinds, ...by_plan.slice(0, 1).map((plan) => ofGroups(all, ['plan_id'], plan))]
  return drills.length === sentences.length ? drills : []
}

/** Kinds without movements: among their rows, a plan would only show what passed from one plan to another. */
const WITHOUT_MOVEMENTS = ['transfer', 'fx_effect']

// A sentence says how many movements are of a plan, so its rows name theirs.
function byPlanToo(drill: Drill, kind: string): Drill {
  const { question } = drill
  if (question === undefined || WITHOUT_MOVEMENTS.includes(kind)) return drill
  return { ...drill, question: narrowed(question, { dimensions: `${BY_CUSTOMER},plan_id` }) }
}

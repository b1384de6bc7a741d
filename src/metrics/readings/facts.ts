import { type Fragment, sql, value } from '../../compiler/fragment.ts'
import { BEGINNING } from '../../core/periods.ts'
import type { Condition } from '../../query/condition.ts'
import type { FactContext } from '../../query/field.ts'
import { compileScope, type Scope } from '../../query/scope.ts'
import type { MetricContext } from './context.ts'

/** The facts of a request, looked at from an instant. */
export function factOf(
  { request, connector, definitions }: MetricContext,
  seen: Pick<FactContext, 'fact' | 'instant' | 'isBefore'>,
): FactContext {
  return { ...seen, connector, allowUnpriced: definitions.allow_unpriced, isNarrowed: request.audience !== undefined }
}

/** Levels just before an instant: every value is judged just before it too (D61). */
export function levelFact(context: MetricContext, instant: Fragment): FactContext {
  return factOf(context, { fact: 'level', instant, isBefore: sql`1 = 1` })
}

/** Movements: judged just after; where the subscription pauses or ends, just before (D61). */
export function movementFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.occurred_at`,
    isBefore: sql`(fact.movement_type = 'churn' or (fact.is_swap = true and fact.amount_cents < 0))`,
  })
}

/** Scope of the request for levels just before `before`. */
export function levelScope(
  context: MetricContext,
  before: Date,
  conditions: readonly Condition[] = context.request.conditions,
): Scope {
  return compileScope(context.request.dimensions, conditions, levelFact(context, value(before, 'timestamp')))
}

/** Window for the relations: the whole history where a cohort needs it (D47). */
export function windowOf(
  scope: Scope,
  time: { readonly from: Date; readonly to: Date },
): { readonly from: Date; readonly to: Date } {
  return { from: scope.uses_history ? BEGINNING : time.from, to: time.to }
}

import { type Fragment, join, sql } from '../../compiler/fragment.ts'
import type { Condition } from '../../query/condition.ts'
import { compileCondition } from '../../query/condition-sql.ts'
import type { FactContext, Field } from '../../query/field.ts'
import { comparable, compileScope, joinsOf, type Scope, type Slots } from '../../query/scope.ts'
import type { MetricContext } from './context.ts'
import { factOf } from './facts.ts'

/** Start cohorts: every value is judged just before the period (D61). */
function startFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.starts_at`,
    isBefore: sql`1 = 1`,
  })
}

/**
 * Scope of a ratio. Conditions on event fields narrow the numerator only, so they become the column `event_matched` by which the
 * rows are grouped too, and not a filter (http-api.md 1.6).
 */
export function startScope(context: MetricContext, dimensions: readonly Field[], isEvent: (field: Field) => boolean): Scope {
  const fact = startFact(context)
  const { conditions } = context.request
  const events = conditions.filter(({ field }) => isEvent(field))
  const plain = conditions.filter(({ field }) => !isEvent(field))
  const scope = compileScope(dimensions, plain, fact)
  const matched =
    events.length === 0
      ? sql`1`
      : sql`case when ${join(
          events.map((condition) => test(condition, fact)),
          sql` and `,
        )} then 1 else 0 end`
  const slots: Slots = {
    ...scope.slots,
    joins: joinsOf([...dimensions, ...conditions.map(({ field }) => field)], fact),
    dimensions: sql`${scope.slots.dimensions}, ${matched} as event_matched`,
    dimension_names: sql`${scope.slots.dimension_names}, event_matched`,
    group_by: sql`${scope.slots.group_by}, event_matched`,
  }
  return { ...scope, slots }
}

function test(condition: Condition, fact: FactContext): Fragment {
  return compileCondition(condition, comparable(condition.field, condition.field.expression(fact) ?? sql`null`))
}

import { type Fragment, join, sql, value } from '../../compiler/fragment.ts'
import { BEGINNING } from '../../core/periods.ts'
import { audienceReadsBase } from '../../query/audience.ts'
import type { Condition } from '../../query/condition.ts'
import { compileCondition } from '../../query/condition-sql.ts'
import type { FactContext, Field } from '../../query/field.ts'
import type { QueryRequest } from '../../query/request.ts'
import { comparable, compileScope, joinsOf, type Scope, type Slots } from '../../query/scope.ts'
import type { MetricContext } from './context.ts'

/** The fact context of a request at an instant. */
export function factOf(
  { request, connector, definitions }: MetricContext,
  seen: Pick<FactContext, 'fact' | 'instant' | 'isBefore'>,
): FactContext {
  return { ...seen, connector, allowUnpriced: definitions.allow_unpriced, isNarrowed: request.audience !== undefined }
}

/** Levels just before an instant. Dimensions have their values just before this instant (D61). */
export function levelFact(context: MetricContext, instant: Fragment): FactContext {
  return factOf(context, { fact: 'level', instant, isBefore: sql`1 = 1` })
}

/**
 * Movements. Dimensions have their values just after the movement, or just before it if the subscription pauses or ends (D61).
 */
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

/** Window of the relations: the whole history if a cohort needs it (D47). */
export function windowOf(
  scope: Scope,
  time: { readonly from: Date; readonly to: Date },
): { readonly from: Date; readonly to: Date } {
  return { from: scope.uses_history ? BEGINNING : time.from, to: time.to }
}

/** Start cohorts. Dimensions have their values just before the period (D61). */
function startFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.starts_at`,
    isBefore: sql`1 = 1`,
  })
}

/**
 * Scope of a ratio (http-api.md 1.6). Conditions on event fields narrow only the numerator. So they do not filter rows. They
 * become the column `event_matched`, and the rows are also grouped by this column.
 */
export function startScope(context: MetricContext, dimensions: readonly Field[], isEvent: (field: Field) => boolean): Scope {
  return eventScope(context, dimensions, startFact(context), isEvent)
}

/** The same for other facts, in a statement with the column `event_matched`. */
export function eventScope(
  context: MetricContext,
  dimensions: readonly Field[],
  fact: FactContext,
  isEvent: (field: Field) => boolean,
): Scope {
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

/**
 * Parameters of a statement that reads which customers are live, and no amounts. The usage component changes no state (D22, D29),
 * and without it the statement skips the paid invoices, which halves its time. A segment with a condition on MRR needs the
 * amounts.
 */
export function liveOnly({ audience }: Pick<QueryRequest, 'audience'>): { readonly usage_in_mrr?: false } {
  return audienceReadsBase(audience) ? {} : { usage_in_mrr: false }
}

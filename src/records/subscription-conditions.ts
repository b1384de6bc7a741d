import { type Fragment, relation, sql } from '../compiler/fragment.ts'
import { BEGINNING, dayOf } from '../core/periods.ts'
import { compileData, type RunContext, refuseFilterGaps } from '../execution/run.ts'
import type { Row } from '../ports/rows.ts'
import type { Condition } from '../query/condition.ts'
import { compileCondition } from '../query/condition-sql.ts'
import type { FactContext } from '../query/field.ts'
import { compileJoins } from '../query/joins.ts'
import type { RowsOfSubscriptions } from '../query/lists/definition.ts'
import { comparable } from '../query/scope.ts'
import { pointAt } from '../query/timeframe.ts'
import { allOf, listFact } from './filters.ts'

/** The slots of a template that narrow its rows. */
interface NarrowingSlots {
  readonly joins: Fragment
  /** Conditions that begin with `and`. */
  readonly filters: Fragment
}

/** Conditions on the rows of a list of subscriptions, by the values that the rows show. */
export function onRows(
  conditions: readonly Condition[],
  { fields, joined }: RowsOfSubscriptions,
  fact: FactContext,
): NarrowingSlots {
  const shown = conditions.map((condition) => {
    const name = condition.field.key.replace(/^subscription\./, '')
    const own = fields.find(({ key }) => key === name)
    return own === undefined ? condition : { ...condition, field: { ...own, key: condition.field.key } }
  })
  const joins = shown.flatMap(({ field }) => field.joins).filter((name) => !joined.includes(name))
  const tests = shown.map((condition) => {
    const value = condition.field.expression(fact)
    return value === null ? sql`1 = 0` : compileCondition(condition, comparable(condition.field, value))
  })
  return { joins: compileJoins(joins), filters: allOf(tests) }
}

/** The condition that the subscription of a row of `fact` meets all conditions now. It begins with `and`. */
export function bySubscription(conditions: readonly Condition[], fact: FactContext): Fragment {
  if (conditions.length === 0) return sql``
  const { joins, filters } = onRows(conditions, { fields: [], joined: [] }, fact)
  return allOf([
    sql`fact.subscription_id in (select fact.subscription_id from ${relation('subscription_state')} as fact ${joins} where 1 = 1 ${filters})`,
  ])
}

/** Refuses conditions on MRR bands if a price or rate is missing, as a metric does: such a subscription has no known band (D14, D26). */
export async function refuseBandGaps(conditions: readonly Condition[], context: RunContext): Promise<void> {
  const { now } = context.session
  if (conditions.some(({ field }) => field.readsBase)) await refuseFilterGaps(pointAt(dayOf(now), now).before, context)
}

/** The subscriptions that meet all conditions now, with their sources. Undefined without conditions: all. The errors are those of `refuseBandGaps`. */
export async function matchingSubscriptions(
  conditions: readonly Condition[],
  context: RunContext,
): Promise<readonly Row[] | undefined> {
  if (conditions.length === 0) return undefined
  await refuseBandGaps(conditions, context)
  const { now } = context.session
  const slots = onRows(conditions, { fields: [], joined: [] }, listFact(context))
  const window = { from: BEGINNING, to: pointAt(dayOf(now), now).before }
  return context.run(await compileData({ template: 'data/subscription_ids', slots, params: {}, window }, undefined, context))
}

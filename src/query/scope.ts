import { empty, type Fragment, fn, ident, join, sql } from '../compiler/fragment.ts'
import type { Condition } from './condition.ts'
import { compileCondition } from './condition-sql.ts'
import type { FactContext, Field } from './field.ts'
import { compileJoins } from './joins.ts'

/** Content of the slots of a metric template. Each list begins with its separator, so that an empty one leaves valid SQL. */
export interface Slots {
  readonly dimensions: Fragment
  readonly dimension_names: Fragment
  readonly joins: Fragment
  readonly filters: Fragment
  readonly group_by: Fragment
}

/** Dimensions and conditions for one kind of fact: the part for SQL and the part for TypeScript. */
export interface Scope {
  readonly slots: Slots
  /** Dimensions that SQL groups by, in request order. */
  readonly grouped: readonly Field[]
  /** Dimensions and conditions that TypeScript applies to columns of the result rows. */
  readonly local: readonly Field[]
  readonly local_conditions: readonly Condition[]
  /** True if a joined relation needs a window that begins before all spans. */
  readonly uses_history: boolean
}

/** Compiles the scope of a request for one kind of fact (sql/README.md). */
export function compileScope(dimensions: readonly Field[], conditions: readonly Condition[], context: FactContext): Scope {
  const isLocal = (field: Field) => field.expression(context) === null
  const grouped = dimensions.filter((field) => !isLocal(field))
  const filtered = conditions.filter((condition) => !isLocal(condition.field))
  const names = join(
    grouped.map((field) => sql`, ${ident(field.column)}`),
    empty,
  )
  const used = [...grouped, ...filtered.map((condition) => condition.field)]
  return Object.freeze({
    slots: {
      dimensions: join(
        grouped.map((field) => sql`, ${fieldExpression(field, context)} as ${ident(field.column)}`),
        empty,
      ),
      dimension_names: names,
      group_by: names,
      joins: joinsOf(used, context),
      filters: join(
        filtered.map(
          (condition) => sql`
    and ${compileFilter(condition, context)}`,
        ),
        empty,
      ),
    },
    grouped,
    local: dimensions.filter(isLocal),
    local_conditions: conditions.filter((condition) => isLocal(condition.field)),
    uses_history: used.some((field) => field.joins.includes('cohort')),
  })
}

/** Joins of the fields, and the join that keeps only the customers of the audience. */
export function joinsOf(fields: readonly Field[], { isNarrowed }: FactContext): Fragment {
  return compileJoins([...(isNarrowed ? (['segment'] as const) : []), ...fields.flatMap((field) => field.joins)])
}

/** Compares and groups text by `exact_text`, so that case and spaces matter on every database (http-api.md 6.2). */
export function comparable(field: Field, expression: Fragment): Fragment {
  return field.type === 'string' ? fn('exact_text', expression) : expression
}

function fieldExpression(field: Field, context: FactContext): Fragment {
  return comparable(field, field.expression(context) ?? empty)
}

/** The condition on a row of `fact`. Rows with an unknown value also pass, so that the check for gaps counts them. */
export function compileFilter(condition: Condition, context: FactContext): Fragment {
  const test = compileCondition(condition, fieldExpression(condition.field, context))
  const unknown = condition.field.unknown(context)
  return unknown === null ? sql`(${test})` : sql`(${unknown} or ${test})`
}

import { type Fragment, fn, join, sql, value } from '../compiler/fragment.ts'
import { InternalError } from '../core/errors.ts'
import type { Condition } from './condition.ts'
import type { FieldType } from './field.ts'
import type { InstantRange, TypedValue } from './values.ts'

/** The condition as SQL on `expression`. A row without a value matches only `is_empty` (http-api.md 6.2). */
export function compileCondition(condition: Condition, expression: Fragment): Fragment {
  const { field, operator } = condition
  if (operator === 'is_empty') {
    return field.type === 'string' ? sql`(${expression} is null or ${expression} = '')` : sql`(${expression}) is null`
  }
  if (operator === 'is_not_empty') {
    return field.type === 'string' ? sql`(${expression} is not null and ${expression} <> '')` : sql`(${expression}) is not null`
  }
  if (field.type === 'timestamp') return compileInstants(condition, expression)
  const bound = condition.values.map((item) => bindValue(item, field.type))
  const [first, second] = bound
  if (operator === 'in') return bound.length === 0 ? sql`1 = 0` : sql`(${expression}) in (${join(bound, sql`, `)})`
  if (operator === 'not in') {
    return bound.length === 0 ? sql`(${expression}) is not null` : sql`(${expression}) not in (${join(bound, sql`, `)})`
  }
  if (first === undefined) throw new InternalError(`condition "${operator}" without a value`)
  switch (operator) {
    case '=':
      return sql`(${expression}) = ${first}`
    case '!=':
      return sql`(${expression}) <> ${first}`
    case '>':
      return sql`(${expression}) > ${first}`
    case '>=':
      return sql`(${expression}) >= ${first}`
    case '<':
      return sql`(${expression}) < ${first}`
    case '<=':
      return sql`(${expression}) <= ${first}`
    case 'between':
      return sql`((${expression}) >= ${first} and (${expression}) <= ${second ?? first})`
    default:
      return compilePattern(operator, String(condition.values[0]), expression)
  }
}

function compilePattern(
  operator: 'contains' | 'not_contains' | 'starts_with' | 'ends_with',
  part: string,
  expression: Fragment,
): Fragment {
  const literal = part.replace(/[!%_]/g, '!$&')
  const pattern = `${operator === 'starts_with' ? '' : '%'}${literal}${operator === 'ends_with' ? '' : '%'}`
  const like = fn('like', fn('lower', expression), fn('lower', value(pattern, 'text')))
  return operator === 'not_contains' ? sql`not (${like})` : like
}

function bindValue(item: TypedValue, type: FieldType): Fragment {
  if (typeof item === 'object') throw new InternalError(`an instant cannot be bound as ${type}`)
  switch (type) {
    case 'number':
      return value(item, 'decimal')
    case 'boolean':
      return value(item, 'boolean')
    case 'date':
      return value(item, 'date')
    default:
      return value(item, 'text')
  }
}

/** A condition on an instant. A date means its whole day and a timestamp one second, so every test uses half-open ranges. */
function compileInstants(condition: Condition, expression: Fragment): Fragment {
  const ranges = condition.values.map(instantRange)
  const [first, second] = ranges
  const anyOf = ranges.length === 0 ? sql`1 = 0` : sql`(${join(ranges.map(inside), sql` or `)})`
  if (condition.operator === 'in') return anyOf
  if (condition.operator === 'not in') return sql`(${expression} is not null and not ${anyOf})`
  if (first === undefined) throw new InternalError(`condition "${condition.operator}" without a value`)
  switch (condition.operator) {
    case '=':
      return anyOf
    case '!=':
      return sql`(${expression} is not null and not ${anyOf})`
    case '>':
      return sql`${expression} >= ${instant(first.to)}`
    case '>=':
      return sql`${expression} >= ${instant(first.from)}`
    case '<':
      return sql`${expression} < ${instant(first.from)}`
    case '<=':
      return sql`${expression} < ${instant(first.to)}`
    case 'between':
      return sql`(${expression} >= ${instant(first.from)} and ${expression} < ${instant((second ?? first).to)})`
    default:
      throw new InternalError(`"${condition.operator}" does not apply to an instant`)
  }

  function inside(range: InstantRange): Fragment {
    return sql`(${expression} >= ${instant(range.from)} and ${expression} < ${instant(range.to)})`
  }
}

function instant(at: Date | string): Fragment {
  return value(at, 'timestamp')
}

function instantRange(item: Condition['values'][number]): InstantRange {
  if (typeof item !== 'object') throw new InternalError('a filter on an instant needs instants')
  return item
}

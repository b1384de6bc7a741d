import { type Fragment, fn, join, sql, value } from '../compiler/fragment.ts'
import { InternalError } from '../core/errors.ts'
import type { Condition } from './condition.ts'
import { compileInstants } from './condition-instants.ts'
import type { FieldType } from './field.ts'
import type { TypedValue } from './values.ts'

/** The condition as SQL on `expression`. A row without a value meets `is_empty` and no other operator (http-api.md 6.2). */
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

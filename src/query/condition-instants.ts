import { type Fragment, join, sql, value } from '../compiler/fragment.ts'
import { InternalError } from '../core/errors.ts'
import type { Condition } from './condition.ts'
import type { InstantRange } from './values.ts'

/** A condition on an instant. A date stands for its whole day, a timestamp for one second, so every test is one on half-open ranges. */
export function compileInstants(condition: Condition, expression: Fragment): Fragment {
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

function instant(at: Date): Fragment {
  return value(at, 'timestamp')
}

function instantRange(item: Condition['values'][number]): InstantRange {
  if (typeof item !== 'object') throw new InternalError('a filter on an instant needs instants')
  return item
}

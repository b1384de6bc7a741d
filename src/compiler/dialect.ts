import { InternalError } from '../core/errors.ts'
import type { FnName, Fragment, ParamType } from './fragment.ts'
import type { InlineRelation } from './inline.ts'

/** Dialects of billing databases. */
export type BillingDialect = 'postgres' | 'mysql'
export type DialectName = BillingDialect | 'duckdb' | 'sqlite'

/** Everything that differs between the SQL of two engines. A closed list: a further function needs a decision record. */
export interface Dialect {
  readonly name: DialectName
  /** Placeholder text for the value at `position` (from 1). */
  placeholder(position: number, type: ParamType): string
  /** True when one placeholder can serve several uses of a value (numbered placeholders). */
  readonly reusesPlaceholders: boolean
  /** True when booleans are a type of their own; otherwise they are bound as 1 and 0. */
  readonly hasBooleans: boolean
  /** True when a CTE can be planned apart from what reads it (`as materialized`), and planning is dear enough for it to pay. */
  readonly fencesCtes: boolean
  /** Values in an `in` list up to which an index on the column serves them, whatever the planner then prefers. */
  readonly longestIndexedList: number
  /**
   * text(x) as characters, of anything but an instant or a boolean · exact_text(x) the same, compared and grouped with
   * its trailing blanks · integer(x) as 64-bit whole number · int_div(a, b) toward zero ·
   * converted(cents, rate) rounded half away from zero, a 64-bit whole number · month_start(t) first day of the UTC month, a date · months_between(a, b) difference of calendar month numbers ·
   * add_period(t, months, days) with the day clamped to the month's last · microseconds_between(a, b) = b - a ·
   * lower(x) · like(x, pattern) with escape '!' · null_safe_equal(a, b) · json_text(doc, path) ·
   * total_of(rows) in a select list: how many rows the CTE has that the statement selects from, whatever page of them it takes
   */
  readonly functions: Readonly<Record<FnName, (args: readonly Fragment[]) => Fragment>>
  /** A parenthesised subquery that yields the rows: typed UNION ALL for few rows, one JSON value for many. */
  inlineRelation(relation: InlineRelation): Fragment
  /** The dialect of a server of this variant, where not all have the same names for everything. */
  ofServer?(variant: string): Dialect
}

/** A dialect function of `arity` arguments; fewer or more are a mistake of ours. */
export function withArguments(arity: 1 | 2 | 3, build: (a: Fragment, b: Fragment, c: Fragment) => Fragment) {
  return (args: readonly Fragment[]): Fragment => {
    const [a, b = a, c = a] = args
    if (a === undefined || b === undefined || c === undefined || args.length !== arity) {
      throw new InternalError(`a dialect function takes ${arity} arguments, found ${args.length}`)
    }
    return build(a, b, c)
  }
}

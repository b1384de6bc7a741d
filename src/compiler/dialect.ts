import { InternalError } from '../core/errors.ts'
import type { DriverValue } from './bound-value.ts'
import { type FnName, type Fragment, type ParamType, sql } from './fragment.ts'
import type { DeclaredType, InlineRelation } from './inline.ts'

/** Dialects of billing databases. */
export type BillingDialect = 'postgres' | 'mysql' | 'trino'
export type DialectName = BillingDialect | 'duckdb' | 'sqlite'

/** All differences between the SQL of two databases. The list is closed: a new function needs a decision record. */
export interface Dialect {
  readonly name: DialectName
  /** Placeholder text for the value at `position` (from 1). A dialect may write a number as digits instead. */
  placeholder(position: number, type: ParamType, value: DriverValue): string
  /** True if one placeholder can serve several uses of a value (numbered placeholders). */
  readonly reusesPlaceholders: boolean
  /** True if booleans are a separate type; otherwise they are bound as 1 and 0. */
  readonly hasBooleans: boolean
  /** True if the database can plan a CTE separately (`as materialized`), and planning is slow enough to make this worthwhile. */
  readonly fencesCtes: boolean
  /** Longest `in` list for which the database can use an index on the column. */
  readonly longestIndexedList: number
  /**
   * The functions of templates:
   *
   * - `text(x)`: characters, for any type except instant and boolean
   * - `exact_text(x)`: characters, compared and grouped with trailing blanks
   * - `integer(x)`: 64-bit whole number
   * - `int_div(a, b)`: division toward zero
   * - `converted(cents, rate)`: rounded half away from zero, 64-bit whole number
   * - `month_start(t)`: first day of the month, a date
   * - `months_between(a, b)`: difference of calendar month numbers
   * - `add_period(t, months, days)`: the day is clamped to the last of the month
   * - `add_seconds(t, n)`: keeps the fraction of t
   * - `whole_second(t)`: without the fraction, not rounded
   * - `microseconds_between(a, b)`: b - a
   * - `day_number(t)`: days from 1970-01-01 to the day of t, a 64-bit whole number
   * - `lower(x)`
   * - `like(x, pattern)`: with escape '!'
   * - `null_safe_equal(a, b)`
   * - `json_text(doc, path)`
   * - `total_of(rows)`: in a select list, the number of rows of the CTE that the statement selects from, independent of the page
   * - `is_among(x, rows)`: x is in a subquery with few rows for the table of x. Each is looked up in an index of x
   *
   * `clock(t)`, the time of a zone's clock, is made of `add_seconds`: clock-time.ts.
   */
  readonly functions: Readonly<Record<Exclude<FnName, 'clock'>, (args: readonly Fragment[]) => Fragment>>
  /** A subquery in parentheses with the rows: a typed UNION ALL for few rows, one JSON value for many. */
  inlineRelation(relation: InlineRelation): Fragment
  /** The end of a statement of which `limit` rows are wanted after the first `offset`. Both are `digits`. */
  page(limit: Fragment, offset: Fragment): Fragment
  /** SHA-256 of a text, as lower-case hexadecimal digits. Absent if no statement of this database needs it. */
  sha256?(text: Fragment): Fragment
  /** Digests that the server makes of its rows. Absent: its rows are read each time. */
  readonly digests?: RowDigests
  /**
   * True if a relation that only reads tables is a subquery in each place, not a CTE. MariaDB loses a CTE that is named in a subquery of a
   * condition, below a CTE that it copies. It evaluates a CTE once for each place in any case.
   */
  readonly repeatsPlainRelations?: boolean
  /** The dialect of a server variant, if variants use different names. */
  ofServer?(variant: string): Dialect
}

/** Digests that a server makes of its own rows. They are compared with digests that this process makes of the rows that it knows. */
export interface RowDigests {
  /** A cell as text, in a form in which the cells of a row can be joined. */
  cell(column: Fragment): Fragment
  /** The sum of the first 60 bits of the SHA-256 of each line, as text. */
  sum(line: Fragment): Fragment
}

/** The dialect of a database in which Plumbline keeps tables. */
export interface TableDialect extends Dialect {
  /** True if the values of a statement travel apart from its text. Otherwise the driver writes them into the text (`literalText`). */
  readonly bindsValues: boolean
  /** True if the database plans and runs a relation again for each place that names it, whether it is a CTE or not. */
  readonly repeatsCtes: boolean
  /** The type of a column of a table. */
  declaredType(type: DeclaredType): Fragment
}

/** The page of a dialect that names the limit first. */
export function limitFirst(limit: Fragment, offset: Fragment): Fragment {
  return sql`limit ${limit} offset ${offset}`
}

/** A dialect function with `arity` arguments. InternalError for any other number. */
export function withArguments(arity: 1 | 2 | 3, build: (a: Fragment, b: Fragment, c: Fragment) => Fragment) {
  return (args: readonly Fragment[]): Fragment => {
    const [a, b = a, c = a] = args
    if (a === undefined || b === undefined || c === undefined || args.length !== arity) {
      throw new InternalError(`a dialect function takes ${arity} arguments, found ${args.length}`)
    }
    return build(a, b, c)
  }
}

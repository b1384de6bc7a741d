import { limitFirst, type TableDialect, withArguments } from '../dialect.ts'
import { digits, type Fragment, ident, join, type ParamType, sql } from '../fragment.ts'
import type { DeclaredType, InlineRelation } from '../inline.ts'
import { inlinedWith, jsonValue, plainRows, trusted } from './inline-rows.ts'

/** DuckDB's name of each type. A decimal has 26 digits before the point and 12 after it. */
const DUCKDB_TYPES: Readonly<Record<ParamType, string>> = {
  text: 'varchar',
  integer: 'bigint',
  integers: 'bigint',
  decimal: 'decimal(38, 12)',
  timestamp: 'timestamp',
  date: 'date',
  boolean: 'boolean',
  json: 'json',
}

/** DuckDB 1.4 or later, the engine of the cache. */
export const duckdb: TableDialect & { readonly name: 'duckdb' } = {
  name: 'duckdb',
  bindsValues: true,
  repeatsCtes: false,
  reusesPlaceholders: true,
  hasBooleans: true,
  fencesCtes: false,
  longestIndexedList: 10_000,
  placeholder: (position, type) => `cast($${position} as ${DUCKDB_TYPES[type]})`,
  functions: {
    text: withArguments(1, (x) => sql`cast(${x} as varchar)`),
    exact_text: withArguments(1, (x) => sql`cast(${x} as varchar)`),
    integer: withArguments(1, (x) => sql`cast(${x} as bigint)`),
    int_div: withArguments(2, integerDivision),
    converted: withArguments(2, converted),
    month_start: withArguments(1, (t) => sql`cast(date_trunc('month', cast(${t} as timestamp)) as date)`),
    months_between: withArguments(2, (a, b) => sql`(${monthNumber(b)} - ${monthNumber(a)})`),
    add_period: withArguments(3, (t, months, days) => {
      const span = (to: 'to_months' | 'to_days', count: Fragment) => sql`${trusted(to)}(cast(${count} as integer))`
      return sql`(cast(${t} as timestamp) + ${span('to_months', months)} + ${span('to_days', days)})`
    }),
    add_seconds: withArguments(2, (t, n) => sql`(cast(${t} as timestamp) + to_seconds(cast(${n} as bigint)))`),
    whole_second: withArguments(1, (t) => sql`date_trunc('second', cast(${t} as timestamp))`),
    microseconds_between: withArguments(
      2,
      (a, b) => sql`(epoch_us(cast(${b} as timestamp)) - epoch_us(cast(${a} as timestamp)))`,
    ),
    day_number: withArguments(1, (t) => sql`date_diff('day', date '1970-01-01', cast(${t} as date))`),
    lower: withArguments(1, (x) => sql`lower(${x})`),
    like: withArguments(2, (x, pattern) => sql`(${x} like ${pattern} escape '!')`),
    null_safe_equal: withArguments(2, (a, b) => sql`((${a}) is not distinct from (${b}))`),
    json_text: withArguments(2, (doc, path) => sql`json_extract_string(${doc}, ${path})`),
    // No `count(*) over ()`: over few rows it can run into a race that ends the database (duckdb#22846, 17 of 3,400 runs of
    // 1.5.5). The subquery costs little, because DuckDB computes a CTE only once.
    total_of: withArguments(1, (rows) => sql`(select count(*) from ${rows})`),
    is_among: withArguments(2, (x, rows) => sql`${x} in (${rows})`),
  },
  inlineRelation: inlinedWith(jsonRows),
  page: limitFirst,
  declaredType,
}

function declaredType(type: DeclaredType): Fragment {
  if (typeof type === 'string') return trusted(DUCKDB_TYPES[type])
  return sql`decimal(${digits(type.precision)}, ${digits(type.scale)})`
}

// A sum may exceed 64 bits. To divide 128 bits takes fifty times as long, so only such numbers take that way. Both ways give null for 0.
function integerDivision(a: Fragment, b: Fragment): Fragment {
  const long = sql`cast(cast(${a} as hugeint) // nullif(cast(${b} as hugeint), 0) as bigint)`
  return sql`coalesce(try_cast(${a} as bigint) // try_cast(${b} as bigint), ${long})`
}

// Rounding a decimal of 38 digits takes a microsecond. Below 10^9, the product as a double is off by less than 10^-6. So it
// rounds to the same number, unless it is within a ten-thousandth of a half. Beyond 10^9 there is no decimal of 14 digits, and the comparison
// is null. DuckDB computes the product again in each place that names it.
function converted(cents: Fragment, rate: Fragment): Fragment {
  const product = sql`(cast(${cents} as double) * cast(${rate} as double))`
  return sql`case when abs(abs(try_cast(${product} as decimal(14, 5)) % 1) - 0.5) > 0.0001
    then cast(${product} as bigint) else cast(round((${cents}) * (${rate}), 0) as bigint) end`
}

function monthNumber(t: Fragment): Fragment {
  return sql`cast(extract(year from ${t}) * 12 + extract(month from ${t}) as bigint)`
}

// The value stays in the process, but its parsing takes several times its size in memory.
const BYTE_LIMIT = 100_000_000

/** One JSON value. Keys are short because each row repeats them. */
function jsonRows(relation: InlineRelation): Fragment {
  const rows = plainRows(relation, true).map((row) => Object.fromEntries(row.map((cell, index) => [`c${index}`, cell])))
  const names = relation.columns.map((column, index) => sql`r.${ident(`c${index}`)} as ${ident(column.name)}`)
  const types = relation.columns.map((column, index) => [`c${index}`, DUCKDB_TYPES[column.type]])
  const structure = trusted(`'[${JSON.stringify(Object.fromEntries(types))}]'`)
  const made = sql`select unnest(from_json(${jsonValue(relation, rows, BYTE_LIMIT)}, ${structure}), recursive := true)`
  return sql`(select ${join(names, sql`, `)} from (${made}) as r)`
}

import { type Dialect, limitFirst, withArguments } from '../dialect.ts'
import { type Fragment, ident, join, type ParamType, sql } from '../fragment.ts'
import type { InlineRelation } from '../inline.ts'
import { inlinedWith, jsonValue, plainRows, trusted } from './inline-rows.ts'

const TYPES: Readonly<Record<ParamType, string>> = {
  text: 'text',
  integer: 'bigint',
  integers: 'bigint',
  decimal: 'numeric',
  timestamp: 'timestamp',
  date: 'date',
  boolean: 'boolean',
  json: 'json',
}

// A tenth of PostgreSQL's limit for one value.
const BYTE_LIMIT = 100_000_000

/** PostgreSQL 13 or later, PGlite included. */
export const postgres: Dialect & { readonly name: 'postgres' } = {
  name: 'postgres',
  reusesPlaceholders: true,
  hasBooleans: true,
  fencesCtes: true,
  longestIndexedList: 10_000,
  placeholder: (position, type) => `$${position}::${TYPES[type]}`,
  functions: {
    text: withArguments(1, (x) => sql`cast(${x} as text)`),
    exact_text: withArguments(1, (x) => sql`cast(${x} as text)`),
    integer: withArguments(1, (x) => sql`cast(${x} as bigint)`),
    // numeric, because a product of cents and factors may exceed 64 bits before it is divided
    int_div: withArguments(2, (a, b) => sql`cast(div(cast(${a} as numeric), nullif(cast(${b} as numeric), 0)) as bigint)`),
    converted: withArguments(2, (cents, rate) => sql`cast(round((${cents}) * (${rate}), 0) as bigint)`),
    month_start: withArguments(1, (t) => sql`cast(date_trunc('month', cast(${t} as timestamp)) as date)`),
    months_between: withArguments(2, (a, b) => sql`(${monthNumber(b)} - ${monthNumber(a)})`),
    add_period: withArguments(
      3,
      (t, months, days) =>
        sql`(cast(${t} as timestamp) + make_interval(months => cast(${months} as integer)) + make_interval(days => cast(${days} as integer)))`,
    ),
    add_seconds: withArguments(2, (t, n) => sql`(cast(${t} as timestamp) + make_interval(secs => cast(${n} as bigint)))`),
    whole_second: withArguments(1, (t) => sql`date_trunc('second', cast(${t} as timestamp))`),
    microseconds_between: withArguments(
      2,
      (a, b) => sql`cast(round(extract(epoch from cast(${b} as timestamp) - cast(${a} as timestamp)) * 1000000) as bigint)`,
    ),
    day_number: withArguments(1, (t) => sql`cast(cast(${t} as date) - date '1970-01-01' as bigint)`),
    lower: withArguments(1, (x) => sql`lower(${x})`),
    like: withArguments(2, (x, pattern) => sql`(${x} like ${pattern} escape '!')`),
    null_safe_equal: withArguments(2, (a, b) => sql`((${a}) is not distinct from (${b}))`),
    json_text: withArguments(
      2,
      (doc, path) => sql`(jsonb_path_query_first(cast(${doc} as jsonb), cast(${path} as jsonpath)) #>> '{}')`,
    ),
    total_of: withArguments(1, () => sql`count(*) over ()`),
    // The rows are found first. A join would read all of a table, because nested loops are off in snapshots.
    is_among: withArguments(2, (x, rows) => sql`${x} = any (array(${rows}))`),
  },
  inlineRelation: inlinedWith(jsonRows),
  page: limitFirst,
  sha256: (text) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
  digests: {
    cell(column) {
      const text = sql`cast(${column} as text)`
      // Not `concat`, which treats null as an empty text in PostgreSQL.
      return sql`coalesce(octet_length(convert_to(${text}, 'UTF8')) || ':' || ${text}, '-')`
    },
    sum: (line) =>
      sql`cast(coalesce(sum(cast(cast('x' || left(encode(sha256(convert_to(${line}, 'UTF8')), 'hex'), 15) as bit(60)) as bigint)), 0) as text)`,
  },
}

function monthNumber(t: Fragment): Fragment {
  return sql`cast(extract(year from ${t}) * 12 + extract(month from ${t}) as bigint)`
}

/** One JSON value. Keys are short because each row repeats them. */
function jsonRows(relation: InlineRelation): Fragment {
  const rows = plainRows(relation, true).map((row) => Object.fromEntries(row.map((cell, index) => [`c${index}`, cell])))
  const names = relation.columns.map((column, index) => sql`r.${ident(`c${index}`)} as ${ident(column.name)}`)
  const types = relation.columns.map((column, index) => sql`${ident(`c${index}`)} ${trusted(TYPES[column.type])}`)
  return sql`(select ${join(names, sql`, `)} from json_to_recordset(${jsonValue(relation, rows, BYTE_LIMIT)}) as r(${join(types, sql`, `)}))`
}

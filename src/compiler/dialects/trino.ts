import { type TableDialect, withArguments } from '../dialect.ts'
import { digits, type Fragment, ident, join, type ParamType, sql, value } from '../fragment.ts'
import type { DeclaredType, InlineRelation } from '../inline.ts'
import { checkRows, jsonValue, noRows, plainRows, TYPED_ROW_LIMIT, trusted } from './inline-rows.ts'

// A decimal has 26 digits before the point and 12 after it. Other precisions of instants round or pad.
const TYPES: Readonly<Record<ParamType, string>> = {
  text: 'varchar',
  integer: 'bigint',
  integers: 'bigint',
  decimal: 'decimal(38, 12)',
  timestamp: 'timestamp(6)',
  date: 'date',
  boolean: 'boolean',
  json: 'varchar',
}

/** Trino 476 or later. Values are literals, because a prepared statement travels in a header, and proxies cut long headers. */
export const trino: TableDialect & { readonly name: 'trino' } = {
  name: 'trino',
  bindsValues: false,
  repeatsCtes: true,
  reusesPlaceholders: false,
  hasBooleans: true,
  fencesCtes: false,
  longestIndexedList: 10_000,
  placeholder: (_position, type) => `cast(? as ${TYPES[type]})`,
  functions: {
    text: withArguments(1, (x) => sql`cast(${x} as varchar)`),
    exact_text: withArguments(1, (x) => sql`cast(${x} as varchar)`),
    integer: withArguments(1, (x) => sql`cast(${x} as bigint)`),
    int_div: withArguments(2, integerDivision),
    // The cast rounds half away from zero.
    converted: withArguments(
      2,
      (cents, rate) => sql`cast(cast(${cents} as decimal(38, 0)) * cast(${rate} as decimal(38, 12)) as bigint)`,
    ),
    month_start: withArguments(1, (t) => sql`date_trunc('month', cast(${t} as date))`),
    months_between: withArguments(2, (a, b) => sql`(${monthNumber(b)} - ${monthNumber(a)})`),
    add_period: withArguments(3, (t, months, days) => {
      const inMonths = sql`date_add('month', cast(${months} as bigint), cast(${t} as timestamp(6)))`
      return sql`date_add('day', cast(${days} as bigint), ${inMonths})`
    }),
    add_seconds: withArguments(2, (t, n) => sql`date_add('second', cast(${n} as bigint), cast(${t} as timestamp(6)))`),
    whole_second: withArguments(1, (t) => sql`date_trunc('second', cast(${t} as timestamp(6)))`),
    microseconds_between: withArguments(2, (a, b) => sql`(${microseconds(b)} - ${microseconds(a)})`),
    day_number: withArguments(1, (t) => sql`date_diff('day', date '1970-01-01', cast(${t} as date))`),
    lower: withArguments(1, (x) => sql`lower(${x})`),
    like: withArguments(2, (x, pattern) => sql`(${x} like ${pattern} escape '!')`),
    null_safe_equal: withArguments(2, (a, b) => sql`((${a}) is not distinct from (${b}))`),
    json_text: withArguments(2, (doc, path) => sql`json_extract_scalar(${doc}, ${path})`),
    total_of: withArguments(1, () => sql`count(*) over ()`),
    is_among: withArguments(2, (x, rows) => sql`${x} in (${rows})`),
  },
  inlineRelation(relation) {
    checkRows(relation)
    if (relation.rows.length === 0) return noRows(relation, (column) => value(null, column.type), sql``)
    return relation.rows.length > TYPED_ROW_LIMIT ? jsonRows(relation) : valueRows(relation)
  },
  page: (limit, offset) => sql`offset ${offset} limit ${limit}`,
  sha256: (text) => sql`lower(to_hex(sha256(to_utf8(${text}))))`,
  declaredType(type: DeclaredType): Fragment {
    if (typeof type === 'string') return trusted(TYPES[type])
    return sql`decimal(${digits(type.precision)}, ${digits(type.scale)})`
  },
}

// The quotient of decimals is rounded, here at the 17th place. So it is exact for whole numbers a < 10^21 and b < 2 * 10^17.
function integerDivision(a: Fragment, b: Fragment): Fragment {
  return sql`cast(truncate(cast(${a} as decimal(38, 17)) / nullif(cast(${b} as decimal(38, 12)), decimal '0')) as bigint)`
}

function monthNumber(t: Fragment): Fragment {
  return sql`(year(${t}) * 12 + month(${t}))`
}

// Differences of instants end at milliseconds, so the last six digits come from the text.
function microseconds(t: Fragment): Fragment {
  const at = sql`cast(${t} as timestamp(6))`
  const seconds = sql`date_diff('second', timestamp '1970-01-01 00:00:00', date_trunc('second', ${at}))`
  return sql`(${seconds} * 1000000 + cast(substr(cast(${at} as varchar), -6) as bigint))`
}

/** Rows one by one, as a single source of rows: a union would have a source for each. */
function valueRows({ columns, rows }: InlineRelation): Fragment {
  const lines = rows.map((row) => {
    const cells = columns.map((column, index) => value(row[index] ?? null, column.type))
    return sql`(${join(cells, sql`, `)})`
  })
  const names = columns.map((column) => ident(column.name))
  return sql`(select ${join(names, sql`, `)} from (values ${join(lines, sql`, `)}) as r (${join(names, sql`, `)}))`
}

// A statement has at most a million characters, with a server's usual settings.
const BYTE_LIMIT = 800_000
/** Types of the cells in JSON. Other cells are texts. */
const JSON_TYPES: Readonly<Record<string, string>> = { integer: 'bigint', boolean: 'boolean' }

/** One JSON value with a list per row. */
function jsonRows(relation: InlineRelation): Fragment {
  const { columns } = relation
  const fields = columns.map((_, index) => ident(`c${index}`))
  const cells = columns.map(
    ({ name, type }, index) => sql`cast(r.c${digits(index)} as ${trusted(TYPES[type])}) as ${ident(name)}`,
  )
  const types = columns.map(({ type }, index) => sql`c${digits(index)} ${trusted(JSON_TYPES[type] ?? 'varchar')}`)
  const json = jsonValue(relation, plainRows(relation, true), BYTE_LIMIT)
  const list = sql`cast(json_parse(${json}) as array(row(${join(types, sql`, `)})))`
  return sql`(select ${join(cells, sql`, `)} from unnest(${list}) as r (${join(fields, sql`, `)}))`
}

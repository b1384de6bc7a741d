import { type Dialect, limitFirst, withArguments } from '../dialect.ts'
import { type BoundValue, type Fragment, ident, join, type ParamType, sql, value } from '../fragment.ts'
import type { InlineColumn, InlineRelation } from '../inline.ts'
import { checkRows, jsonValue, noRows, plainRows, TYPED_ROW_LIMIT, trusted, unionOfRows } from './inline-rows.ts'

// A bare placeholder has the type that the driver sends, which is a double for every number. For the optimizer the casts are
// constants, so it can still use index ranges. Text stays bare, because a cast would bring the connection's collation into
// comparisons with columns. A cast to datetime without digits would round the value to whole seconds.
const PLACEHOLDERS: Readonly<Record<ParamType, string>> = {
  text: '?',
  json: '?',
  integer: 'cast(? as signed)',
  integers: 'cast(? as signed)',
  boolean: 'cast(? as signed)',
  decimal: 'cast(? as decimal(38, 12))',
  timestamp: 'cast(? as datetime(6))',
  date: 'cast(? as date)',
}

const JSON_TYPES: Readonly<Record<Exclude<InlineColumn['type'], 'text'>, string>> = {
  integer: 'bigint',
  boolean: 'int',
  decimal: 'decimal(38, 12)',
  timestamp: 'datetime(6)',
  date: 'date',
}

// A statement above 16 MB ends the connection on a server with usual settings.
const BYTE_LIMIT = 15_000_000

/** MySQL 8.0.17 or later. `ofServer` returns the dialect of MariaDB 10.6 or later. */
export const mysql: Dialect & { readonly name: 'mysql' } = {
  name: 'mysql',
  reusesPlaceholders: false,
  hasBooleans: false,
  fencesCtes: false,
  // MariaDB turns a list of 1,000 or more values into a table, and then reads every row of the table that has the column.
  longestIndexedList: 900,
  placeholder: (_position, type) => PLACEHOLDERS[type],
  functions: {
    // utf8mb4_bin wins over the collation of any column it is compared with, so that packed strings compare by character
    text: withArguments(1, (x) => sql`cast(${x} as char character set utf8mb4) collate utf8mb4_bin`),
    exact_text: exactText('utf8mb4_0900_bin'),
    integer: withArguments(1, (x) => sql`cast(${x} as signed)`),
    int_div: withArguments(2, (a, b) => sql`((${a}) div (${b}))`),
    converted: withArguments(2, (cents, rate) => sql`cast(round((${cents}) * (${rate}), 0) as signed)`),
    month_start: withArguments(1, (t) => sql`cast(date_format(${t}, '%Y-%m-01') as date)`),
    months_between: withArguments(2, (a, b) => sql`period_diff(date_format(${b}, '%Y%m'), date_format(${a}, '%Y%m'))`),
    add_period: withArguments(
      3,
      (t, months, days) => sql`date_add(date_add(cast(${t} as datetime(6)), interval (${months}) month), interval (${days}) day)`,
    ),
    add_seconds: withArguments(2, (t, n) => sql`date_add(cast(${t} as datetime(6)), interval (${n}) second)`),
    // A cast to whole seconds would round.
    whole_second: withArguments(1, (t) => sql`cast(date_format(${t}, '%Y-%m-%d %H:%i:%s') as datetime)`),
    microseconds_between: withArguments(2, (a, b) => sql`timestampdiff(microsecond, ${a}, ${b})`),
    day_number: withArguments(1, (t) => sql`datediff(${t}, '1970-01-01')`),
    lower: withArguments(1, (x) => sql`lower(${x})`),
    like: withArguments(2, (x, pattern) => sql`(${x} like ${pattern} escape '!')`),
    null_safe_equal: withArguments(2, (a, b) => sql`((${a}) <=> (${b}))`),
    json_text: withArguments(2, (doc, path) => {
      const found = sql`json_extract(${doc}, ${path})`
      return sql`case when json_type(${found}) = 'NULL' then null else json_unquote(${found}) end`
    }),
    // No subquery over the CTE: MariaDB computes a CTE again for each reference.
    total_of: withArguments(1, () => sql`count(*) over ()`),
    is_among: withArguments(2, (x, rows) => sql`${x} in (${rows})`),
  },
  page: limitFirst,
  sha256: (text) => sql`sha2(${text}, 256)`,
  digests: {
    cell(column) {
      const text = sql`convert(${column} using utf8mb4)`
      return sql`coalesce(concat(length(${text}), ':', ${text}), '-')`
    },
    sum: (line) => sql`cast(coalesce(sum(cast(conv(left(sha2(${line}, 256), 15), 16, 10) as unsigned)), 0) as char)`,
  },
  inlineRelation(relation) {
    checkRows(relation)
    if (relation.rows.length === 0) return noRows(relation, (column) => typedCell(null, column, 1), sql` from dual`)
    if (relation.rows.length > TYPED_ROW_LIMIT) return jsonRows(relation)
    const widths = new Map(relation.columns.map((column, index) => [column, longest(relation, index)]))
    return unionOfRows(relation, (cell, column) => typedCell(cell, column, widths.get(column) ?? 1))
  },
  ofServer: (variant) => (variant === 'mariadb' ? mariadb : mysql),
}

/** The MySQL dialect with MariaDB's name of a collation, for its planner. */
export const mariadb: Dialect & { readonly name: 'mysql' } = {
  ...mysql,
  repeatsPlainRelations: true,
  functions: { ...mysql.functions, exact_text: exactText('utf8mb4_nopad_bin') },
}

// The binary collation that does not pad with blanks has a different name on MySQL and MariaDB. A comment that only one server
// reads could hold both names, but it displaces the placeholders of a CTE that MySQL reads twice. Do not use it for packed
// strings: in a comparison with a utf8mb4_bin column neither collation wins.
function exactText(collation: 'utf8mb4_0900_bin' | 'utf8mb4_nopad_bin') {
  return withArguments(1, (x) => sql`cast(${x} as char character set utf8mb4) collate ${trusted(collation)}`)
}

function typedCell(cell: BoundValue, column: InlineColumn, width: number): Fragment {
  const bound = value(cell, column.type)
  if (column.type !== 'text') return bound
  return sql`cast(${bound} as char${charWidth(width)} character set utf8mb4) collate utf8mb4_bin`
}

/**
 * One JSON value. The LIMIT cuts no rows. It keeps the optimizer from merging the table function into the statement. A join to a
 * merged table function has no key and compares every pair of rows (MariaDB, 100,000 rows by 200: 2.2 s against 0.1 s).
 */
function jsonRows(relation: InlineRelation): Fragment {
  const columns = relation.columns.map((column, index) => {
    const name = ident(`c${index}`)
    const type = column.type === 'text' ? textType(longest(relation, index)) : trusted(JSON_TYPES[column.type])
    return {
      cell: sql`r.${name}${column.type === 'text' ? sql` collate utf8mb4_bin` : sql``} as ${ident(column.name)}`,
      declared: sql`${name} ${type} path '$[${trusted(String(index))}]'`,
    }
  })
  const cells = join(
    columns.map((column) => column.cell),
    sql`, `,
  )
  const declared = join(
    columns.map((column) => column.declared),
    sql`, `,
  )
  const json = jsonValue(relation, plainRows(relation, false), BYTE_LIMIT)
  return sql`(select ${cells} from json_table(${json}, '$[*]' columns (${declared})) as r limit 18446744073709551615)`
}

// Few different widths, so that texts of statements repeat. A column of up to 768 characters can be the key of a join.
function charWidth(length: number): Fragment {
  const width = [64, 255, 768, 4_000, 16_000].find((step) => length <= step)
  return width === undefined ? sql`` : sql`(${trusted(String(width))})`
}

function textType(length: number): Fragment {
  return length > 16_000 ? sql`longtext character set utf8mb4` : sql`varchar${charWidth(length)} character set utf8mb4`
}

/** Length of the longest text of a column, in UTF-16 units. This is never less than the number of characters. */
function longest({ rows }: InlineRelation, index: number): number {
  return rows.reduce((width, row) => {
    const cell = row[index]
    return typeof cell === 'string' ? Math.max(width, cell.length) : width
  }, 0)
}

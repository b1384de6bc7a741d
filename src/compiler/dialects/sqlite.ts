import { type Dialect, limitFirst, withArguments } from '../dialect.ts'
import { type Fragment, ident, join, type ParamType, sql } from '../fragment.ts'
import type { InlineRelation } from '../inline.ts'
import { inlinedWith, jsonValue, plainRows, trusted } from './inline-rows.ts'

// Instants, days and decimals are text, because SQLite has no such types. Every placeholder is cast: a bare placeholder has no
// affinity, and SQLite cannot use a column without affinity as the key of a join.
const TYPES: Readonly<Record<ParamType, 'text' | 'integer'>> = {
  text: 'text',
  json: 'text',
  integer: 'integer',
  integers: 'integer',
  boolean: 'integer',
  decimal: 'text',
  timestamp: 'text',
  date: 'text',
}

// Far below SQLite's limit for one value. The text stays in the process.
const BYTE_LIMIT = 100_000_000

/** SQLite 3.45 or later, the embedded store. */
export const sqlite: Dialect & { readonly name: 'sqlite' } = {
  name: 'sqlite',
  reusesPlaceholders: false,
  hasBooleans: false,
  fencesCtes: false,
  longestIndexedList: 10_000,
  placeholder: (_position, type) => `cast(? as ${TYPES[type]})`,
  functions: {
    text: withArguments(1, (x) => sql`cast(${x} as text)`),
    exact_text: withArguments(1, (x) => sql`cast(${x} as text)`),
    // round() converts its argument to a double, which cannot hold every 64-bit whole number.
    integer: withArguments(
      1,
      (x) => sql`case when instr(${x}, '.') > 0 then cast(round(${x}) as integer) else cast(${x} as integer) end`,
    ),
    int_div: withArguments(2, (a, b) => sql`(cast(${a} as integer) / cast(${b} as integer))`),
    converted: withArguments(2, convertedInIntegers),
    month_start: withArguments(1, (t) => sql`date(${dayOf(t)}, 'start of month')`),
    months_between: withArguments(2, (a, b) => sql`(${monthNumber(b)} - ${monthNumber(a)})`),
    add_period: withArguments(3, addPeriod),
    add_seconds: withArguments(
      2,
      (t, n) => sql`(strftime('%Y-%m-%d %H:%M:%S', substr(${t}, 1, 19), (${n}) || ' seconds') || substr(${t}, 20))`,
    ),
    whole_second: withArguments(1, (t) => sql`substr(${t}, 1, 19)`),
    microseconds_between: withArguments(
      2,
      (a, b) => sql`((${secondsOf(b)} - ${secondsOf(a)}) * 1000000 + ${fractionOf(b)} - ${fractionOf(a)})`,
    ),
    day_number: withArguments(1, (t) => sql`cast(julianday(${dayOf(t)}) - julianday('1970-01-01') as integer)`),
    lower: withArguments(1, (x) => sql`lower(${x})`),
    like: withArguments(2, (x, pattern) => sql`(${x} like ${pattern} escape '!')`),
    null_safe_equal: withArguments(2, (a, b) => sql`((${a}) is (${b}))`),
    json_text: withArguments(
      2,
      (doc, path) => sql`case json_type(${doc}, ${path}) when 'true' then 'true' when 'false' then 'false'
        else cast(json_extract(${doc}, ${path}) as text) end`,
    ),
    total_of: withArguments(1, () => sql`count(*) over ()`),
    is_among: withArguments(2, (x, rows) => sql`${x} in (${rows})`),
  },
  inlineRelation: inlinedWith(jsonRows),
  page: limitFirst,
}

function monthNumber(t: Fragment): Fragment {
  return sql`(substr(${t}, 1, 4) * 12 + substr(${t}, 6, 2))`
}

// SQLite's own addition of months would move a day that the month lacks into the next month.
function addPeriod(t: Fragment, months: Fragment, days: Fragment): Fragment {
  const first = sql`date(${dayOf(t)}, 'start of month', (${months}) || ' months')`
  const last = sql`date(${dayOf(t)}, 'start of month', ((${months}) + 1) || ' months', '-1 day')`
  const day = sql`min(cast(substr(${t}, 9, 2) as integer), cast(substr(${last}, 9, 2) as integer))`
  const time = sql`case when length(${t}) > 10 then substr(${t}, 11) else ' 00:00:00' end`
  return sql`(date(${first}, (${day} - 1) || ' days', (${days}) || ' days') || ${time})`
}

// SQLite rounds an instant to milliseconds, which may lead into the next day. So its functions get the text without the fraction.
function dayOf(t: Fragment): Fragment {
  return sql`substr(${t}, 1, 10)`
}

function secondsOf(t: Fragment): Fragment {
  return sql`strftime('%s', substr(${t}, 1, 19))`
}

/** The fraction of a second at the end of an instant's text, in microseconds. 0 without a fraction. */
function fractionOf(t: Fragment): Fragment {
  return sql`cast(substr(substr(${t}, 21) || '000000', 1, 6) as integer)`
}

/** One JSON value with a list per row. */
function jsonRows(relation: InlineRelation): Fragment {
  const cells = relation.columns.map(
    (column, index) =>
      sql`cast(r.value ->> ${trusted(String(index))} as ${trusted(TYPES[column.type])}) as ${ident(column.name)}`,
  )
  return sql`(select ${join(cells, sql`, `)} from json_each(${jsonValue(relation, plainRows(relation, false), BYTE_LIMIT)}) as r)`
}

/**
 * Cents times a rate above 0, rounded half away from zero. SQLite has no decimals, so the rate is text with up to twelve places. A product below
 * 10^9, computed as a double, is off by less than 10^-6. So it rounds correctly unless it is within a ten-thousandth of a half. All other products
 * are computed in whole numbers.
 */
function convertedInIntegers(cents: Fragment, rate: Fragment): Fragment {
  const product = sql`(abs(${cents}) * cast(${rate} as real))`
  const isCertain = sql`${product} < 1000000000 and abs(${product} - cast(${product} as integer) - 0.5) > 0.0001`
  return sql`(case when (${cents}) < 0 then -1 else 1 end *
    case when ${isCertain} then cast(${product} + 0.5 as integer) else ${exactProduct(cents, rate)} end)`
}

// Both factors are split at 10^6, so that every product of two parts stays below 2^63 for any cents that JavaScript holds.
// `middle` counts millionths of cents. `rest` adds its remainder to the trillionths and rounds them.
function exactProduct(cents: Fragment, rate: Fragment): Fragment {
  const high = sql`(abs(cast(${cents} as integer)) / 1000000)`
  const low = sql`(abs(cast(${cents} as integer)) % 1000000)`
  const whole = sql`cast(${rate} as integer)`
  const places = sql`case when instr(${rate}, '.') = 0 then '' else substr(${rate}, instr(${rate}, '.') + 1) end || '000000000000'`
  const millionths = sql`cast(substr(${places}, 1, 6) as integer)`
  const trillionths = sql`cast(substr(${places}, 7, 6) as integer)`
  const middle = sql`(${high} * ${trillionths} + ${low} * ${millionths})`
  const rest = sql`(${middle} % 1000000 * 1000000 + ${low} * ${trillionths} + 500000000000) / 1000000000000`
  return sql`(abs(cast(${cents} as integer)) * ${whole} + ${high} * ${millionths} + ${middle} / 1000000 + ${rest})`
}

import { type Fragment, fn, sql, value } from '../../../src/compiler/fragment.ts'
import type { Cell } from '../../../src/ports/rows.ts'

const at = (text: string | null) => value(text, 'timestamp')
const day = (text: string | null) => value(text, 'date')
const int = (bound: number | string | null) => value(bound, 'integer')
const text = (bound: string | null) => value(bound, 'text')
const decimal = (bound: string | null) => value(bound, 'decimal')
const json = (bound: string | null) => value(bound, 'json')

const between = (from: Fragment, to: Fragment) => fn('microseconds_between', from, to)

/** The answers that every executor must give, with numbers and booleans as text, since drivers represent them differently. */
export const DIALECT_CASES: readonly (readonly [name: string, call: Fragment, expected: string | null])[] = [
  ['text of a number', fn('text', int(42)), '42'],
  ['text of 2^53 + 1', fn('text', int('9007199254740993')), '9007199254740993'],
  ['text of a day', fn('text', day('2024-02-29')), '2024-02-29'],
  ['text of a decimal', fn('text', sql`cast(${decimal('-1.50')} as decimal(10, 2))`), '-1.50'],
  ['text of text', fn('text', text('Zoë 😀')), 'Zoë 😀'],
  ['text of nothing', fn('text', at(null)), null],
  ['exact_text of text', fn('exact_text', text('Zoë 😀 ')), 'Zoë 😀 '],
  ['exact_text of nothing', fn('exact_text', text(null)), null],
  ['integer of text', fn('integer', text('-12')), '-12'],
  ['integer of 2^53 + 1', fn('integer', text('9007199254740993')), '9007199254740993'],
  ['integer of 2.5', fn('integer', decimal('2.5')), '3'],
  ['integer of -2.5', fn('integer', decimal('-2.5')), '-3'],
  ['integer of nothing', fn('integer', text(null)), null],
  ['int_div', fn('int_div', int(7), int(2)), '3'],
  ['int_div toward zero below', fn('int_div', int(-7), int(2)), '-3'],
  ['int_div by a negative number', fn('int_div', int(7), int(-2)), '-3'],
  ['int_div of two negative numbers', fn('int_div', int(-7), int(-2)), '3'],
  ['int_div of 2^53 + 1', fn('int_div', int('9007199254740993'), int(1)), '9007199254740993'],
  ['int_div of 2^63 - 1', fn('int_div', int('9223372036854775807'), int(2)), '4611686018427387903'],
  ['int_div of -2^63 + 1', fn('int_div', int('-9223372036854775807'), int(2)), '-4611686018427387903'],
  ['int_div of a decimal above 2^63', fn('int_div', decimal('100000000000000000000'), int(1000)), '100000000000000000'],
  ['int_div of expressions', fn('int_div', sql`${int(1)} + ${int(8)}`, sql`${int(5)} - ${int(2)}`), '3'],
  ['int_div by zero', fn('int_div', int(7), int(0)), null],
  ['int_div of nothing', fn('int_div', int(null), int(2)), null],
  ['converted', fn('converted', int(1000), decimal('1.0825')), '1083'],
  ['converted just below a half', fn('converted', int(1), decimal('0.499999999999')), '0'],
  ['converted at a half', fn('converted', int(1005), decimal('0.1')), '101'],
  ['converted at a half below zero', fn('converted', int(-1005), decimal('0.1')), '-101'],
  ['converted at a half that no double holds', fn('converted', int(1_000_000_001), decimal('0.5')), '500000001'],
  ['converted just above a half', fn('converted', int(500_000_000), decimal('1.000000001')), '500000001'],
  ['converted near a half with twelve places', fn('converted', int(900_000_001), decimal('0.499999999999')), '450000000'],
  ['converted, more than a double holds', fn('converted', int('9007199254740993'), decimal('1')), '9007199254740993'],
  ['converted of expressions', fn('converted', sql`${int(1000)} + ${int(5)}`, sql`${decimal('0.3')} - ${decimal('0.2')}`), '101'],
  ['converted at no rate', fn('converted', int(1), decimal(null)), null],
  ['month_start', fn('month_start', at('2024-02-29 23:59:59')), '2024-02-01'],
  ['month_start of the first instant', fn('month_start', at('2024-01-01 00:00:00')), '2024-01-01'],
  ['month_start of a day', fn('month_start', day('2023-12-31')), '2023-12-01'],
  ['month_start of nothing', fn('month_start', at(null)), null],
  ['clock in UTC', fn('clock', at('2024-02-29 23:59:59')), '2024-02-29 23:59:59'],
  ['months_between within a month', fn('months_between', at('2024-01-01 00:00:00'), at('2024-01-31 23:59:59')), '0'],
  ['months_between of neighbouring days', fn('months_between', at('2024-01-31 23:59:59'), at('2024-02-01 00:00:00')), '1'],
  ['months_between over a quarter', fn('months_between', day('2024-11-30'), day('2025-02-01')), '3'],
  ['months_between backwards', fn('months_between', day('2024-02-29'), day('2023-01-31')), '-13'],
  ['months_between with nothing', fn('months_between', day('2024-02-29'), day(null)), null],
  ['add_period to a leap day', fn('add_period', at('2024-01-31 10:11:12'), int(1), int(0)), '2024-02-29 10:11:12'],
  ['add_period to a short month', fn('add_period', at('2023-01-31 10:11:12'), int(1), int(0)), '2023-02-28 10:11:12'],
  ['add_period of a quarter', fn('add_period', at('2023-11-30 00:00:00'), int(3), int(0)), '2024-02-29 00:00:00'],
  ['add_period of a year from a leap day', fn('add_period', at('2024-02-29 01:00:00'), int(12), int(0)), '2025-02-28 01:00:00'],
  ['add_period backwards', fn('add_period', at('2024-03-31 01:00:00'), int(-1), int(0)), '2024-02-29 01:00:00'],
  ['add_period of months before days', fn('add_period', at('2024-01-31 00:00:00'), int(1), int(1)), '2024-03-01 00:00:00'],
  ['add_period of days', fn('add_period', at('2024-02-28 12:00:00'), int(0), int(30)), '2024-03-29 12:00:00'],
  ['add_period to a day', fn('add_period', day('2024-01-31'), int(1), int(0)), '2024-02-29 00:00:00'],
  [
    'add_period keeps a fraction',
    fn('add_period', at('2024-01-31 23:59:59.999999'), int(1), int(0)),
    '2024-02-29 23:59:59.999999',
  ],
  ['add_period of nothing', fn('add_period', at('2024-01-31 00:00:00'), int(null), int(0)), null],
  ['add_seconds', fn('add_seconds', at('2024-02-28 23:59:59'), int(86_402)), '2024-03-01 00:00:01'],
  ['add_seconds backwards', fn('add_seconds', at('2024-03-01 00:00:00'), int(-1)), '2024-02-29 23:59:59'],
  ['add_seconds keeps a fraction', fn('add_seconds', at('2024-12-31 23:59:59.999999'), int(1)), '2025-01-01 00:00:00.999999'],
  ['add_seconds of nothing', fn('add_seconds', at('2024-03-01 00:00:00'), int(null)), null],
  ['whole_second', fn('whole_second', at('2024-12-31 23:59:59.999999')), '2024-12-31 23:59:59'],
  ['whole_second of a whole one', fn('whole_second', at('2024-02-29 12:00:00')), '2024-02-29 12:00:00'],
  ['whole_second of nothing', fn('whole_second', at(null)), null],
  ['microseconds_between', between(at('2024-02-28 23:59:59'), at('2024-03-01 00:00:01')), '86402000000'],
  ['microseconds_between backwards', between(at('2024-01-01 00:01:00'), at('2024-01-01 00:00:00')), '-60000000'],
  ['microseconds_between across summer time', between(at('2024-03-30 12:00:00'), at('2024-03-31 12:00:00')), '86400000000'],
  ['microseconds_between of days', between(day('2024-02-28'), day('2024-03-01')), '172800000000'],
  ['microseconds_between of fractions', between(at('1970-01-01 00:00:00'), at('2024-01-01 00:00:00.999999')), '1704067200999999'],
  [
    'microseconds_between the last one',
    between(at('1970-01-01 00:00:00'), at('9999-12-31 23:59:59.000001')),
    '253402300799000001',
  ],
  ['microseconds_between of nothing', between(at(null), at('2024-01-01 00:00:00')), null],
  ['day_number', fn('day_number', day('2024-03-01')), '19783'],
  ['day_number of the first day', fn('day_number', day('1970-01-01')), '0'],
  ['day_number of an earlier day', fn('day_number', day('1969-12-31')), '-1'],
  ['day_number of an early day', fn('day_number', day('1000-01-01')), '-354285'],
  ['day_number of a late day', fn('day_number', day('9999-12-31')), '2932896'],
  ['day_number of an instant', fn('day_number', at('2024-02-29 23:59:59.999999')), '19782'],
  ['day_number of an instant before 1970', fn('day_number', at('1969-12-31 00:00:01')), '-1'],
  ['day_number of nothing', fn('day_number', day(null)), null],
  ['lower', fn('lower', text('ABC xyz')), 'abc xyz'],
  ['lower of nothing', fn('lower', text(null)), null],
  ['like', fn('like', text('Kilimanjaro'), text('%man%')), 'true'],
  ['like that fails', fn('like', text('Kilimanjaro'), text('man%')), 'false'],
  ['like with an escaped percent sign', fn('like', text('50% off'), text('50!%%')), 'true'],
  ['like with an escaped percent sign that fails', fn('like', text('500 off'), text('50!%%')), 'false'],
  ['like with an escaped underscore', fn('like', text('a_b'), text('a!_b')), 'true'],
  ['like with an escaped underscore that fails', fn('like', text('axb'), text('a!_b')), 'false'],
  ['like with an escaped escape', fn('like', text('a!b'), text('a!!b')), 'true'],
  ['like with a backslash', fn('like', text('a\\b'), text('a\\b')), 'true'],
  ['like of nothing', fn('like', text(null), text('%')), null],
  ['null_safe_equal of equals', fn('null_safe_equal', int(1), int(1)), 'true'],
  ['null_safe_equal of others', fn('null_safe_equal', int(1), int(2)), 'false'],
  ['null_safe_equal of a value and nothing', fn('null_safe_equal', int(1), int(null)), 'false'],
  ['null_safe_equal of nothing and nothing', fn('null_safe_equal', int(null), int(null)), 'true'],
  ['json_text', fn('json_text', json('{"a":{"b":"x \\" é"}}'), text('$.a.b')), 'x " é'],
  ['json_text of a number', fn('json_text', json('{"a":12}'), text('$.a')), '12'],
  ['json_text of a truth value', fn('json_text', json('{"a":true}'), text('$.a')), 'true'],
  ['total_of a single row', fn('total_of', sql`(select 1 as n) as single`), '1'],
  ['is_among of rows that have it', fn('is_among', int(2), sql`select 1 as n union all select 2`), 'true'],
  ['is_among of other rows', fn('is_among', int(3), sql`select 1 as n union all select 2`), 'false'],
  ['is_among of no rows', fn('is_among', int(1), sql`select 1 as n from (select 1 as n) as one where n = 2`), 'false'],
  ['json_text of null', fn('json_text', json('{"a":null}'), text('$.a')), null],
  ['json_text of the word null', fn('json_text', json('{"a":"null"}'), text('$.a')), 'null'],
  ['json_text of what is not there', fn('json_text', json('{"a":1}'), text('$.b')), null],
  ['json_text of nothing', fn('json_text', json(null), text('$.b')), null],
]

const TRUTH: readonly string[] = ['like', 'null_safe_equal', 'is_among']

/** A cell as the cases write it. */
export function spelled(cell: Cell | undefined, call: Fragment): string | null {
  const node = call.nodes[0]
  const isTruth = node?.kind === 'fn' && TRUTH.includes(node.name)
  if (cell === null || cell === undefined) return null
  return isTruth ? String(cell === true || cell === 1 || cell === '1') : String(cell)
}

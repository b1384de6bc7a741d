import { type BoundValue, fn, relation, sql, value } from '../../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../../src/compiler/inline.ts'
import type { Row } from '../../../src/ports/rows.ts'

const COLUMNS: InlineRelation['columns'] = [
  { name: 'place', type: 'integer' },
  { name: 'word', type: 'text' },
  { name: 'big', type: 'integer' },
  { name: 'amount', type: 'decimal' },
  { name: 'moment', type: 'timestamp' },
  { name: 'day', type: 'date' },
  { name: 'flag', type: 'boolean' },
]

const HOSTILE = `Rob'); drop table "x" -- \\ \n ? $1 :a /* 😀`
const FIRST = [1, HOSTILE, '9007199254740993', '12345678901234567.123456789012', '2024-02-29 23:59:59.120009', '2024-02-29', true]
const SECOND = [2, null, null, null, null, null, null]

/** The two rows above, then simple ones up to `count`. */
export function rowsOf(count: number): InlineRelation {
  const rows = Array.from({ length: count }, (_, index): readonly BoundValue[] => {
    if (index < 2) return index === 0 ? FIRST : SECOND
    return [index + 1, `word ${index + 1}`, index, '0.10', '2024-01-01 00:00:00', '2024-01-01', false]
  })
  return { name: 'thing', columns: COLUMNS, rows }
}

/** Reads the first rows. */
export const READ_ROWS = sql`select thing.place, thing.word, ${fn('text', sql`thing.big`)} as big, thing.amount * 2 as doubled, thing.moment,
  ${fn('text', sql`thing.day`)} as day, case when thing.flag = true then 'yes' when thing.flag = false then 'no' end as flag
  from ${relation('thing')} as thing where thing.place <= 3 order by thing.place`

/** Totals of no row. The types of the columns have to fit. */
export const TOTALS_OF_NOTHING = sql`select count(*) as n, sum(thing.big) as total, max(${fn('add_period', sql`thing.moment`, value(1, 'integer'), sql`thing.big`)}) as latest
  from ${relation('thing')} as thing where thing.word = ${value('x', 'text')} and thing.flag = true`

const NOTHING = { word: null, big: null, doubled: null, moment: null, day: null, flag: null }

/** The first two rows that `READ_ROWS` reads. */
export const EXACT_ROWS = [
  {
    place: 1,
    word: HOSTILE,
    big: '9007199254740993',
    doubled: '24691357802469134.246913578024',
    moment: '2024-02-29 23:59:59.120009',
    day: '2024-02-29',
    flag: 'yes',
  },
  { place: 2, ...NOTHING },
]

/** Rows of `READ_ROWS` in the form of `EXACT_ROWS`: drivers represent numbers differently. */
export function withPlainNumbers(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => ({
    ...row,
    place: Number(row['place']),
    doubled: row['doubled'] === null ? null : String(row['doubled']),
  }))
}

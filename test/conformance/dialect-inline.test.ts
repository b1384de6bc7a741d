import { beforeAll, describe, expect, it } from 'vitest'
import { TYPED_ROW_LIMIT } from '../../src/compiler/dialects/inline-rows.ts'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { type BoundValue, fn, relation, sql, value } from '../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../src/compiler/inline.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { runFragment } from '../support/product/run-fragment.ts'

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
function rowsOf(count: number): InlineRelation {
  const rows = Array.from({ length: count }, (_, index): readonly BoundValue[] => {
    if (index < 2) return index === 0 ? FIRST : SECOND
    return [index + 1, `word ${index + 1}`, index, '0.10', '2024-01-01 00:00:00', '2024-01-01', false]
  })
  return { name: 'thing', columns: COLUMNS, rows }
}

const read = sql`select thing.place, thing.word, ${fn('text', sql`thing.big`)} as big, thing.amount * 2 as doubled, thing.moment,
  ${fn('text', sql`thing.day`)} as day, case when thing.flag = true then 'yes' when thing.flag = false then 'no' end as flag
  from ${relation('thing')} as thing where thing.place <= 3 order by thing.place`

const NOTHING = { word: null, big: null, doubled: null, moment: null, day: null, flag: null }

describeTargets('inline relations', (target) => {
  let database: TestDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await target.createDatabase()
    executor = database.executor()
  })

  it('no rows have columns with types all the same', async () => {
    const inline = [rowsOf(0)]
    expect(await runFragment(executor, read, { inline })).toEqual([])
    const counted = sql`select count(*) as n, sum(thing.big) as total, max(${fn('add_period', sql`thing.moment`, value(1, 'integer'), sql`thing.big`)}) as latest
      from ${relation('thing')} as thing where thing.word = ${value('x', 'text')} and thing.flag = true`
    expect(
      (await runFragment(executor, counted, { inline })).map((row) => [Number(row['n']), row['total'], row['latest']]),
    ).toEqual([[0, null, null]])
  })

  it.each([2, TYPED_ROW_LIMIT, TYPED_ROW_LIMIT + 1, 5_000])('%i rows keep every value exactly', async (count) => {
    const rows = await runFragment(executor, read, { inline: [rowsOf(count)] })
    const exact = rows
      .slice(0, 2)
      .map((row) => ({ ...row, place: Number(row['place']), doubled: row['doubled'] === null ? null : String(row['doubled']) }))
    expect(exact).toEqual([
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
    ])
    const total = await runFragment(
      executor,
      sql`select count(*) as n, count(thing.word) as words from ${relation('thing')} as thing`,
      {
        inline: [rowsOf(count)],
      },
    )
    expect(total.map((row) => [Number(row['n']), Number(row['words'])])).toEqual([[count, count - 1]])
  })

  it.each([3, 30])('a relation of %i rows can be joined to itself', async (count) => {
    const pairs = sql`select count(*) as n from ${relation('thing')} as a join ${relation('thing')} as b on b.place = a.place`
    expect((await runFragment(executor, pairs, { inline: [rowsOf(count)] })).map((row) => Number(row['n']))).toEqual([count])
  })

  it.each([3, 30])('text of %i rows is compared letter by letter', async (count) => {
    const inline = [
      { name: 'thing', columns: [{ name: 'word', type: 'text' as const }], rows: Array.from({ length: count }, () => ['Ab']) },
    ]
    const matches = sql`select sum(case when thing.word = ${value('Ab', 'text')} then 1 else 0 end) as same,
      sum(case when thing.word = ${value('ab', 'text')} then 1 else 0 end) as other from ${relation('thing')} as thing`
    expect((await runFragment(executor, matches, { inline })).map((row) => [Number(row['same']), Number(row['other'])])).toEqual([
      [count, 0],
    ])
  })

  it.each([5, 500])('%i rows join to text columns of the database by a key', async (count) => {
    const isMysql = database.dialect.name === 'mysql'
    const collate = (name: string, charset: string) => (isMysql ? ` character set ${charset} collate ${name}` : '')
    await database.adminQuery(`create table word_${count} (
      old varchar(255)${collate('utf8mb3_bin', 'utf8mb3')}, new varchar(255)${collate('utf8mb4_unicode_ci', 'utf8mb4')})`)
    for (const word of ['word 3', 'Word 3', 'word 4'])
      await database.adminQuery(`insert into word_${count} values ('${word}', '${word}')`)
    const inline = [rowsOf(count)]
    for (const column of [sql`old`, sql`new`]) {
      const joined = sql`select word.old as word, thing.place from ${count === 5 ? sql`word_5` : sql`word_500`} as word
        left join ${relation('thing')} as thing on thing.word = word.${column} order by word.old`
      const rows = await runFragment(executor, joined, { inline })
      expect(rows.map((row) => [row['word'], row['place'] === null ? null : Number(row['place'])]).sort()).toEqual([
        ['Word 3', null],
        ['word 3', 3],
        ['word 4', 4],
      ])
      if (database.target === 'mariadb') {
        const plan = await runFragment(executor, joined, { inline }, 'explain ')
        expect(plan.map((step) => step['key'])).toContain('key0')
      }
    }
  })
})

const place = [{ name: 'place', type: 'text' as const }]
const wide = 'x'.repeat(200_000)
const many = (rows: number, cell: string): InlineRelation => ({
  name: 'thing',
  columns: place,
  rows: Array.from({ length: rows }, () => [cell]),
})
const TOO_MUCH = [
  ['rows', postgres, many(1_000_001, 'x'), 1_000_000],
  ['rows', mysql, many(1_000_001, 'x'), 1_000_000],
  ['bytes', postgres, many(501, wide), 100_000_000],
  ['bytes', mysql, many(100, wide), 15_000_000],
] as const

describe('limits of inline relations', () => {
  it.each(TOO_MUCH)('too many %s are an error of the caller', (_name, dialect, inline, limit) => {
    const refusal = expect.objectContaining({ code: 'result_too_large', context: { limit } })
    expect(() => dialect.inlineRelation(inline)).toThrow(refusal)
  })

  it('the message says what the rows are to the user, and what to do', () => {
    const about = { subject: 'The attribute "tier"', remedy: 'Do this.' }
    expect(() => mysql.inlineRelation({ ...many(100, wide), about })).toThrow(
      /^The attribute "tier" takes \d+ bytes; at most 15000000 can be sent with a statement. Do this.$/,
    )
  })

  it('rows must fit their columns', () => {
    for (const dialect of [postgres, mysql]) {
      expect(() => dialect.inlineRelation({ name: 'thing', columns: place, rows: [['a', 'b']] })).toThrow(
        'row 0 has 2 cells for 1 columns',
      )
      expect(() => dialect.inlineRelation({ name: 'thing', columns: [], rows: [] })).toThrow('no columns')
      expect(() => dialect.inlineRelation({ name: 'thing', columns: [{ name: 'a b', type: 'text' }], rows: [] })).toThrow(
        'plain snake_case',
      )
    }
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { TYPED_ROW_LIMIT } from '../../src/compiler/dialects/inline-rows.ts'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { relation, sql, value } from '../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../src/compiler/inline.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { EXACT_ROWS, READ_ROWS, rowsOf, TOTALS_OF_NOTHING, withPlainNumbers } from '../support/data/inline-cases.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { runFragment } from '../support/product/run-fragment.ts'

describeTargets('inline relations', (target) => {
  let database: TestDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await target.createDatabase()
    executor = database.executor()
  })

  it('no rows have columns with types all the same', async () => {
    const inline = [rowsOf(0)]
    expect(await runFragment(executor, READ_ROWS, { inline })).toEqual([])
    expect(
      (await runFragment(executor, TOTALS_OF_NOTHING, { inline })).map((row) => [Number(row['n']), row['total'], row['latest']]),
    ).toEqual([[0, null, null]])
  })

  it.each([2, TYPED_ROW_LIMIT, TYPED_ROW_LIMIT + 1, 5_000])('%i rows keep every value exactly', async (count) => {
    const rows = await runFragment(executor, READ_ROWS, { inline: [rowsOf(count)] })
    expect(withPlainNumbers(rows).slice(0, 2)).toEqual(EXACT_ROWS)
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

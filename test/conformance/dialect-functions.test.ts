import { beforeAll, describe, expect, it } from 'vitest'
import { FN_NAMES, fn, sql, value } from '../../src/compiler/fragment.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { DIALECT_CASES, spelled } from '../support/data/dialect-cases.ts'
import { drawnConversions } from '../support/data/drawn-conversions.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { runFragment } from '../support/product/run-fragment.ts'

const at = (text: string | null) => value(text, 'timestamp')
const int = (bound: number | string | null) => value(bound, 'integer')
const text = (bound: string | null) => value(bound, 'text')

describeTargets('dialect functions', (target) => {
  let database: TestDatabase
  let executor: Executor
  beforeAll(async () => {
    database = await target.createDatabase()
    executor = database.executor()
  })

  it.each(DIALECT_CASES)('%s', async (_name, call, expected) => {
    const [row] = await runFragment(executor, sql`select ${call} as answer`)
    expect(spelled(row?.['answer'], call)).toBe(expected)
  })

  it('converted is the exact product, whatever the cents and the rate', async () => {
    const { statement, relation: pairs, expected } = drawnConversions(7)
    const converted = await runFragment(executor, statement, { inline: [pairs] })
    expect(converted.map((row) => Number(row['answer']))).toEqual(expected)
  })

  it('text of a day keeps its place in a packed key with columns of any collation', async () => {
    const packed = sql`concat(${fn('text', value('2024-01-01', 'date'))}, lpad(${fn('text', int(7))}, 3, '0'), ${text('Ab')})`
    expect(await runFragment(executor, sql`select ${packed} as packed, substr(${packed}, 11) as tail`)).toEqual([
      { packed: '2024-01-01007Ab', tail: '007Ab' },
    ])
  })

  it('text is compared letter by letter, also with a column that does not', async () => {
    const collate = database.dialect.name === 'mysql' ? ' character set utf8mb4 collate utf8mb4_general_ci' : ''
    await database.adminQuery(`create table folded (word varchar(20)${collate})`)
    await database.adminQuery(`insert into folded values ('Ab')`)
    const matches = sql`select sum(case when ${fn('text', text('ab'))} = folded.word then 1 else 0 end) as other,
      sum(case when ${fn('text', text('Ab'))} = folded.word then 1 else 0 end) as same from folded`
    const [row] = await runFragment(executor, matches)
    expect([Number(row?.['other']), Number(row?.['same'])]).toEqual([0, 1])
  })

  it('exact_text is compared and grouped with its trailing blanks', async () => {
    const words = sql`select ${fn('exact_text', text('a'))} as word union all select ${fn('exact_text', text('a '))}`
    const counted = sql`with w as (${words}) select sum(case when word = ${text('a')} then 1 else 0 end) as same,
      (select count(*) from (select word from w group by word) as g) as group_count from w`
    const [row] = await runFragment(executor, counted)
    expect([Number(row?.['same']), Number(row?.['group_count'])]).toEqual([1, 2])
  })

  it('total_of a CTE counts it next to a page of it', async () => {
    const rows = sql`select 1 as n union all select 2 union all select 3`
    const page = sql`with numbered as (${rows}) select n, ${fn('total_of', sql`numbered`)} as total from numbered order by n limit 1 offset 1`
    const [row, more] = await runFragment(executor, page)
    expect([Number(row?.['n']), Number(row?.['total']), more]).toEqual([2, 3, undefined])
  })

  it('groups by a projected function with values in it', async () => {
    const month = fn('month_start', fn('add_period', at('2024-01-31 00:00:00'), int(1), int(0)))
    expect(
      await runFragment(
        executor,
        sql`with m as (select ${month} as month, 1 as n) select month, count(*) as c from m group by month`,
      ),
    ).toEqual([{ month: '2024-02-01', c: expect.anything() }])
  })
})

describe('the table of cases', () => {
  it('holds every function', () => {
    const covered = new Set(DIALECT_CASES.map(([, call]) => (call.nodes[0]?.kind === 'fn' ? call.nodes[0].name : '')))
    expect([...covered].sort()).toEqual([...FN_NAMES].sort())
  })
})

import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { CacheDatabase, ScratchWriter } from '../../src/ports/cache-database.ts'

const COLUMNS = [
  { name: 'customer_key', type: 'integer' },
  { name: 'amount', type: { precision: 15, scale: 9 } },
] as const

/** Statements whose plans DuckDB shortens by what it knows about the rows: filters, joins, counts, groups of few values, sorts of small numbers. */
const STATEMENTS = [
  'select count(*) as n, min(customer_key) as k from work.left_side',
  `select sum(l.amount) as n, max(r.customer_key) as k from work.left_side as l
  join work.right_side as r on r.customer_key = l.customer_key where l.amount > 5`,
  'select count(*) as n, max(k) as k from (select distinct customer_key as k from work.left_side where customer_key > 100)',
  `select count(*) as n, max(k) as k from (select customer_key as k, row_number() over (partition by customer_key order by amount) as place
  from work.left_side) as numbered where place = 1`,
  'select count(*) as n, max(k) as k from (select customer_key as k, sum(amount) as total from work.left_side group by customer_key order by total)',
  'select count(*) as n, max(k) as k from (select customer_key as k from work.left_side order by customer_key limit 3)',
  `select count(*) as n, max(l.customer_key) as k from work.left_side as l
  where l.customer_key not in (select r.customer_key from work.right_side as r where r.amount is null)`,
]

describe('the scratch database of a cache', () => {
  let database: CacheDatabase
  let scratch: ScratchWriter
  const run = (text: string, values: readonly string[] = []) => scratch.query({ text, values, label: 'test' })
  beforeAll(async () => {
    database = await openDuckdb({ dialect: duckdb, memoryMb: 200, directory: tmpdir() })
    scratch = await database.scratch()
    for (const table of ['left_side', 'right_side'])
      await run(`create table work.${table} (customer_key bigint, amount decimal(15, 9))`)
  })
  afterAll(() => database.close())

  // From no rows to many, from small numbers to large ones: a plan that remembers an earlier time would lose rows.
  it.each(['undone', 'truncated'] as const)('runs each plan on all rows of the time, if earlier rows are %s', async (how) => {
    for (const [round, size] of [0, 3, 1, 5_000, 40].entries()) {
      const first = round * 1_000_000
      const rows = Array.from({ length: size }, (_, index) => ({ customer_key: first + index, amount: String(10 + index) }))
      const compare = async () => {
        await scratch.append('left_side', COLUMNS, rows, 'work')
        await scratch.append('right_side', COLUMNS, rows, 'work')
        for (const statement of STATEMENTS) {
          const kept = await run(statement)
          // Another text has no plan yet.
          expect(kept, `${size} rows: ${statement}`).toEqual(await run(`${statement} -- ${how} ${round}`))
        }
        const [counted] = await run(STATEMENTS[0] ?? '')
        expect(counted?.['n']).toBe(String(size))
      }
      if (how === 'undone') await scratch.undone(compare)
      else {
        await compare()
        await run('truncate work.left_side')
        await run('truncate work.right_side')
      }
      expect(await run('select count(*) as n from work.left_side')).toEqual([{ n: '0' }])
    }
  })

  it('binds other values to a kept plan', async () => {
    for (const [text, number] of [
      ['one', '1'],
      ['two', '2'],
      ['one', '3'],
    ] as const)
      expect(await run('select cast($1 as varchar) as t, cast($2 as bigint) + 1 as n', [text, number])).toEqual([
        { t: text, n: String(Number(number) + 1) },
      ])
  })

  it('goes on after a statement that fails, and takes back what came before it', async () => {
    const statement = 'select cast($1 as bigint) as n'
    await expect(
      scratch.undone(async () => {
        await run('insert into work.left_side values (1, 1)')
        await run(statement, ['none'])
      }),
    ).rejects.toThrow('Could not convert')
    expect(await run(statement, ['4'])).toEqual([{ n: '4' }])
    expect(await run('select count(*) as n from work.left_side')).toEqual([{ n: '0' }])
  })
})

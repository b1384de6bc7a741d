import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import { describeTargets } from '../support/databases/targets.ts'

const MEBIBYTE = 1024 * 1024
const PAIRS = {
  text: "select a.id as a, b.id as b, concat('row ', a.id, ' of ', b.id) as name from item a, item b",
  values: [],
  label: 'pairs',
}

/** Enough rows for many portions, and no more. */
const MANY = { ...PAIRS, text: `${PAIRS.text} where a.id < 100` }

describeTargets('stream', (target) => {
  let executor: Executor

  beforeAll(async () => {
    const database = await target.createDatabase()
    await database.adminQuery('create table item (id integer)')
    const rows = Array.from({ length: 700 }, (_, index) => `(${index})`)
    await database.adminQuery(`insert into item values ${rows.join(', ')}`)
    executor = database.executor({ poolSize: 1 })
  })

  it('yields every row once', async () => {
    const seen = await executor.withSnapshot(async (snapshot) => {
      let count = 0
      let sum = 0
      for await (const row of snapshot.stream(MANY)) {
        count += 1
        sum += Number(row['a']) * 700 + Number(row['b'])
      }
      return { count, sum }
    })
    // Each pair gives another number from 0 to 69,999.
    expect(seen).toEqual({ count: 70_000, sum: (69_999 * 70_000) / 2 })
  })

  it('yields nothing for an empty answer', async () => {
    const seen = await executor.withSnapshot(async (snapshot) => {
      for await (const _ of snapshot.stream({ text: 'select id from item where id < 0', values: [], label: 'none' }))
        return 'a row'
      return 'nothing'
    })
    expect(seen).toBe('nothing')
  })

  it('fetches no more than a slow reader takes, and leaving early frees the connection', async () => {
    await executor.withSnapshot(async (snapshot) => {
      const before = process.memoryUsage()
      for await (const row of snapshot.stream(PAIRS)) {
        expect(row['name']).toEqual(expect.stringContaining('row'))
        await sleep(500)
        const after = process.memoryUsage()
        const growth = after.heapUsed + after.external - before.heapUsed - before.external
        // All 490,000 rows would take more than 80 MiB; PGlite's own memory does not count here.
        expect(growth / MEBIBYTE).toBeLessThan(40)
        break
      }
      expect(await snapshot.query({ text: 'select count(*) as n from item', values: [], label: 'after' })).toEqual([{ n: '700' }])
    })
    expect(
      await executor.withSnapshot((snapshot) => snapshot.query({ text: "select 'a' as n", values: [], label: 'next' })),
    ).toEqual([{ n: 'a' }])
  })

  it('a snapshot that ends amid a stream leaves the executor usable', async () => {
    const rows = await executor.withSnapshot(async (snapshot) => {
      const iterator = snapshot.stream(PAIRS)[Symbol.asyncIterator]()
      return [(await iterator.next()).value]
    })
    expect(rows).toHaveLength(1)
    expect(
      await executor.withSnapshot((snapshot) => snapshot.query({ text: "select 'a' as n", values: [], label: 'next' })),
    ).toEqual([{ n: 'a' }])
  })

  it('hands on an error of the statement and one of the reader', async () => {
    const read = (text: string, onRow: () => void) =>
      executor.withSnapshot(async (snapshot) => {
        for await (const _ of snapshot.stream({ text, values: [], label: 'test' })) onRow()
      })
    await expect(read('select nothing_there from item', () => {})).rejects.toMatchObject({ name: 'InternalError' })
    const error = new Error('of the reader')
    const fail = () => {
      throw error
    }
    await expect(read(PAIRS.text, fail)).rejects.toBe(error)
    expect(
      await executor.withSnapshot((snapshot) => snapshot.query({ text: "select 'a' as n", values: [], label: 'next' })),
    ).toEqual([{ n: 'a' }])
  })

  it('leaves nothing prepared on its connection', async () => {
    const ask = (text: string, values: readonly string[] = []) =>
      executor.withSnapshot((snapshot) => snapshot.query({ text, values, label: 'prepared' }))
    const prepared = async () => {
      if (target.dialect.name !== 'mysql')
        return (await ask('select name from pg_prepared_statements where name <> $1', [''])).length
      // Statements that were refused are counted as prepared, so only differences tell.
      const [closed, opened] = await ask("show session status where variable_name in ('com_stmt_prepare', 'com_stmt_close')")
      return Number(opened?.['Value']) - Number(closed?.['Value'])
    }
    const before = await prepared()
    for (const id of [1, 2, 3]) {
      await executor.withSnapshot(async (snapshot) => {
        const statement = { text: `select ${id} as id from item`, values: [], label: 'read' }
        for await (const _ of snapshot.stream(statement)) if (id > 2) break
      })
    }
    expect(await prepared()).toBe(before)
  })
})

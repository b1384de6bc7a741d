import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import type { Row } from '../../src/ports/rows.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { programsOf } from '../support/databases/servers/installed-programs.ts'
import { startPgbouncer } from '../support/databases/servers/pgbouncer.ts'
import { postgresTarget } from '../support/databases/target-postgres.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'

const programs = programsOf('pgbouncer')
const server = inject('targetPlaces').find(({ name }) => name === 'postgres')

const statement = (text: string, values: readonly number[] = []) => ({ text, values, label: 'kept plans' })
const LOOK = statement('select sum(id) as total from item where id > 1')
/** With a value, so that it is not one of the plans that it counts. */
const PLANS = statement('select statement from pg_prepared_statements where $1::integer = 1 order by prepare_time', [1])

describe.skipIf(server === undefined)('plans of repeated statements', () => {
  let database: TestDatabase
  const executors: Executor[] = []

  beforeAll(async () => {
    if (server === undefined) return
    database = await postgresTarget(server.url).createDatabase()
    await database.adminQuery('create table item (id integer)')
    await database.adminQuery('insert into item values (1), (2), (3)')
  })
  afterEach(async () => {
    await Promise.all(executors.splice(0).map((executor) => executor.close()))
  })
  afterAll(() => database?.drop())

  const connected = (url = database.url): Executor => {
    const executor = database.executor({ url, poolSize: 1 })
    executors.push(executor)
    return executor
  }
  const ask = (executor: Executor, asked: { text: string; values: readonly number[]; label: string }): Promise<readonly Row[]> =>
    executor.withSnapshot((snapshot) => snapshot.query(asked))
  const plans = async (executor: Executor) => (await ask(executor, PLANS)).map((row) => String(row['statement']))

  it('a statement without values keeps its plan from the second time on', async () => {
    const executor = connected()
    await ask(executor, LOOK)
    expect(await plans(executor)).toEqual([])
    for (let time = 0; time < 3; time += 1) expect(await ask(executor, LOOK)).toEqual([{ total: '5' }])
    expect(await plans(executor)).toEqual([expect.stringContaining(LOOK.text)])
  })

  it('a kept plan reads the rows of now', async () => {
    const executor = connected()
    const totals: unknown[] = []
    for (const added of [0, 0, 10, 20, 0]) {
      if (added > 0) await database.adminQuery(`insert into item values (${added})`)
      totals.push((await ask(executor, LOOK))[0]?.['total'])
    }
    await database.adminQuery('delete from item where id > 3')
    expect(totals).toEqual(['5', '5', '15', '35', '35'])
  })

  it('a stream keeps none', async () => {
    const executor = connected()
    for (let time = 0; time < 3; time += 1) {
      expect(await executor.withSnapshot((snapshot) => collect(snapshot.stream(LOOK)))).toEqual([{ total: '5' }])
    }
    expect(await plans(executor)).toEqual([])
  })

  it('plans of statements that others have followed are dropped', async () => {
    const executor = connected()
    const texts = Array.from({ length: 12 }, (_, place) => `select ${place} as n from item`)
    for (const text of texts) for (let time = 0; time < 2; time += 1) await ask(executor, statement(text))
    const kept = await plans(executor)
    expect(kept).toHaveLength(4)
    expect(kept.join()).toContain(texts.at(-1))
  })

  it('a table may change its columns, and no request fails', async () => {
    const executor = connected()
    for (let time = 0; time < 3; time += 1) await ask(executor, LOOK)
    await database.adminQuery('alter table item alter column id type bigint')
    try {
      for (let time = 0; time < 3; time += 1) expect(await ask(executor, LOOK)).toEqual([{ total: '5' }])
    } finally {
      await database.adminQuery('alter table item alter column id type integer')
    }
  })

  it.skipIf(programs === undefined).each(['transaction', 'session'] as const)(
    'no plan is kept behind a pooler: by %s',
    async (mode) => {
      if (programs === undefined || server === undefined) return
      const pooler = await startPgbouncer(programs, { server: server.url, mode, size: 1 })
      const executor = connected(pooler.before(database.url))
      try {
        for (let time = 0; time < 3; time += 1) expect(await ask(executor, LOOK)).toEqual([{ total: '5' }])
        expect(await plans(executor)).toEqual([])
      } finally {
        await Promise.all(executors.splice(0).map((each) => each.close()))
        await pooler.close()
      }
    },
  )
})

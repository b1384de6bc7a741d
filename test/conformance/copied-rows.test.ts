import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fragment, sql, statementOf, value } from '../../src/connector-kit/query-runner.ts'
import { valueSettings } from '../../src/databases/postgres/copy.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'

describeTargets('rows that the server writes as CSV', (target) => {
  let database: TestDatabase
  let directory: string

  beforeAll(async () => {
    database = await target.createDatabase()
    await database.adminQuery('create table item (id bigint, name text)')
    await database.adminQuery(`insert into item values (1, 'a'), (-2, 'it''s'), (9007199254740991, 'b'), (4, 'c')`)
    directory = await mkdtemp(join(tmpdir(), 'plumbline-copied-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const csvOf = ({ csv }: Snapshot) => {
    if (csv === undefined) throw new Error('the server writes no CSV')
    return csv
  }
  const written = (fragment: Fragment): Promise<string> =>
    database.executor().withSnapshot(async (snapshot) => {
      const csv = csvOf(snapshot)
      const file = join(directory, 'rows.csv')
      const columns = [{ name: 'id', type: 'integer' as const }]
      await csv.write(statementOf(fragment, csv.dialect, 'test.copied'), columns, file)
      return readFile(file, 'utf8')
    })
  const textOf = (fragment: Fragment): Promise<string> =>
    database.executor().withSnapshot(async (snapshot) => statementOf(fragment, csvOf(snapshot).dialect, 'test.copied').text)

  const KEYS = [1, -2, 9_007_199_254_740_991]
  const wanted = sql`select id from item where id in (${value(KEYS, 'integers')}) and name <> ${value("it's", 'text')} order by id`

  // The embedded PostgreSQL sends rows in memory.
  it.skipIf(target.name === 'pglite')('are those of the bound values: large, negative, and texts with quotes', async () => {
    expect(await written(wanted)).toBe('1\n9007199254740991\n')
    expect(await written(sql`select id from item where id = ${value(-2, 'integer')}`)).toBe('-2\n')
    const none = sql`${value(null, 'text')} is null and ${value(null, 'integer')} is null`
    expect(await written(sql`select id from item where ${none} and id = ${value(4, 'integer')}`)).toBe('4\n')
  })

  it.skipIf(target.name === 'pglite')('are counted with their own values, also after another statement', async () => {
    const named = (name: string) => sql`select id from item where name = ${value(name, 'text')}`
    const found = await database.executor().withSnapshot(async (snapshot) => {
      const csv = csvOf(snapshot)
      const statements = ['a', 'none'].map((name) => statementOf(named(name), csv.dialect, 'test.copied'))
      const sent: unknown[] = []
      for (const each of statements)
        sent.push(await csv.write(each, [{ name: 'id', type: 'integer' }], join(directory, 'rows.csv')))
      const counted: unknown[] = []
      for (const each of statements) counted.push(await csv.count(each))
      return { sent, counted }
    })
    expect(found).toEqual({ sent: [1, 0], counted: [1, 0] })
  })

  // The server would read a setting again for each row, which made up most of the time of a filling's selects.
  it.runIf(target.name === 'postgres')('are selected with numbers in the text, and with no other value in it', async () => {
    const text = await textOf(wanted)
    expect(text).toContain("('1'::bigint, '-2'::bigint, '9007199254740991'::bigint)")
    expect(text).not.toContain("it's")
    expect(text.match(/current_setting/g)).toHaveLength(1)
    const numbers = (values: readonly number[]) => ({ text: `select '${values[0]}'::bigint`, values, label: 'test' })
    expect(valueSettings(numbers([7]))).toBeUndefined()
    const mixed = { text: `select '7'::bigint, current_setting('plumbline.v2')::text`, values: [7, "it's"], label: 'test' }
    expect(valueSettings(mixed)).toMatchObject({ text: expect.stringContaining("('plumbline.v2', $1::text)"), values: ["it's"] })
  })
})

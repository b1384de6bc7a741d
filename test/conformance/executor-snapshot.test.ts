import { beforeAll, expect, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'

const ask = (snapshot: Snapshot, text: string) => snapshot.query({ text, values: [], label: 'test' })

describeTargets('snapshot', (target) => {
  let database: TestDatabase
  let executor: Executor

  beforeAll(async () => {
    database = await target.createDatabase()
    await database.adminQuery('create table item (id integer)')
    await database.adminQuery('insert into item values (1), (2)')
    executor = database.executor()
  })

  it.each(['insert into item values (9)', 'update item set id = 9', 'delete from item', 'create table other (id integer)'])(
    'refuses %s',
    async (sql) => {
      await expect(executor.withSnapshot((snapshot) => ask(snapshot, sql))).rejects.toMatchObject({ name: 'InternalError' })
      expect(await database.adminQuery('select sum(id) as total from item')).toEqual([{ total: '3' }])
    },
  )

  it('serves again after a refused statement', async () => {
    const rows = await executor.withSnapshot(async (snapshot) => {
      await expect(ask(snapshot, 'select nothing_there from item')).rejects.toThrow('"test"')
      return 'survived'
    })
    expect(rows).toBe('survived')
    expect(await executor.withSnapshot((snapshot) => ask(snapshot, 'select count(*) as n from item'))).toEqual([{ n: '2' }])
  })

  it('passes on what the work throws', async () => {
    const error = new Error('of the work')
    await expect(executor.withSnapshot(() => Promise.reject(error))).rejects.toBe(error)
  })

  it('answers statements that are asked at the same time', async () => {
    const answers = await executor.withSnapshot((snapshot) =>
      Promise.all([1, 2, 3].map((n) => ask(snapshot, `select '${n}' as n`))),
    )
    expect(answers).toEqual([[{ n: '1' }], [{ n: '2' }], [{ n: '3' }]])
  })

  it('is of no use after its end', async () => {
    const kept = await executor.withSnapshot(async (snapshot) => snapshot)
    await expect(ask(kept, 'select 1 as n')).rejects.toMatchObject({ name: 'InternalError' })
  })

  it('refuses a statement while another one streams, and serves after the stream was left', async () => {
    const rows = await executor.withSnapshot(async (snapshot) => {
      for await (const _ of snapshot.stream({ text: 'select id from item order by id', values: [], label: 'test' })) {
        await expect(ask(snapshot, 'select 1 as n')).rejects.toThrow('streams')
        break
      }
      return ask(snapshot, "select 'a' as n")
    })
    expect(rows).toEqual([{ n: 'a' }])
  })

  it('sends nothing but reads and session settings', async () => {
    const seen: string[] = []
    const watched = database.executor({ onStatement: (text) => seen.push(text) })
    await watched.withSnapshot(async (snapshot) => {
      await ask(snapshot, 'select id from item')
      await collect(snapshot.stream({ text: 'select id from item', values: [], label: 'test' }))
    })
    await watched.state()
    await watched.writePrivileges()
    expect(
      seen.filter((text) => !/^\s*(select|with|set|begin|start transaction|rollback|declare|fetch|close|show)\b/i.test(text)),
    ).toEqual([])
    expect(seen.filter((text) => /read only/i.test(text)).length).toBeGreaterThan(0)
    expect(seen).toContain('select id from item')
  })

  it('runs in UTC and tells who it is', async () => {
    const zone =
      target.dialect.name === 'postgres' ? "select current_setting('timezone') as zone" : 'select @@session.time_zone as zone'
    expect(await executor.withSnapshot((snapshot) => ask(snapshot, zone))).toEqual([
      { zone: target.dialect.name === 'postgres' ? 'UTC' : '+00:00' },
    ])
    expect(executor.variant).toBe(target.name)
    const state = await executor.state()
    expect(state.version).toMatch(
      target.name === 'mariadb' ? /^MariaDB \d/ : target.name === 'mysql' ? /^MySQL \d/ : /^PostgreSQL \d/,
    )
    expect(state).toMatchObject({ role: 'primary', lag_seconds: null, data_through: null })
    expect(state.schema).not.toBeNull()
  })
})

// PGlite has one session: nobody can commit while a snapshot is open.
describeTargets(
  'snapshot isolation',
  (target) => {
    it('does not see what is committed meanwhile, the next snapshot does', async () => {
      const database = await target.createDatabase()
      await database.adminQuery('create table item (id integer)')
      const executor = database.executor()
      const count = (snapshot: Snapshot) => ask(snapshot, 'select count(*) as n from item')
      const [before, after] = await executor.withSnapshot(async (snapshot) => {
        const first = await count(snapshot)
        await database.adminQuery('insert into item values (1)')
        return [first, await count(snapshot)]
      })
      expect([before, after]).toEqual([[{ n: '0' }], [{ n: '0' }]])
      expect(await executor.withSnapshot(count)).toEqual([{ n: '1' }])
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Executor } from '../../src/ports/executor.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'

const ITEMS = { text: 'select id from item', values: [], label: 'items' }

describeTargets(
  'rights',
  (target) => {
    const isPostgres = target.dialect.name === 'postgres'
    const role = `pl_reader_${randomBytes(4).toString('hex')}`
    const grantee = isPostgres ? role : `'${role}'@'%'`
    const everything = isPostgres ? 'billing.item' : '*'
    let database: TestDatabase
    let executor: Executor

    const run = async (...texts: string[]) => {
      for (const text of texts) await database.adminQuery(text)
    }

    beforeAll(async () => {
      database = await target.createDatabase()
      if (isPostgres) {
        await run(
          `create role ${role} login password 's3cret'`,
          'create schema billing',
          `grant usage on schema billing to ${role}`,
        )
        await run(
          'create table billing.item (id integer, name text)',
          'insert into billing.item values (1, null)',
          `grant select on billing.item to ${role}`,
        )
      } else {
        await run(
          `create user ${grantee} identified by 's3cret'`,
          'create table item (id integer, name text)',
          'insert into item values (1, null)',
        )
        await run(`grant select on * to ${grantee}`)
      }
      const url = new URL(database.url)
      url.username = role
      url.password = 's3cret'
      executor = database.executor({ url: url.href, ...(isPostgres ? { schema: 'billing' } : {}) })
    })

    afterAll(async () => {
      await executor.close()
      await (isPostgres ? run(`drop owned by ${role}`, `drop role ${role}`) : run(`drop user ${grantee}`))
    })

    it('SELECT is enough to query, stream and tell the state', async () => {
      expect(await executor.withSnapshot((snapshot) => snapshot.query(ITEMS))).toEqual([{ id: 1 }])
      expect(await executor.withSnapshot((snapshot) => collect(snapshot.stream(ITEMS)))).toEqual([{ id: 1 }])
      const state = await executor.state()
      expect(state).toMatchObject({ role: isPostgres ? 'primary' : 'unknown', lag_seconds: null })
      expect(state.schema).toBe(isPostgres ? 'billing' : new URL(database.url).pathname.slice(1))
      expect(await executor.writePrivileges()).toEqual([])
    })

    it('SELECT is enough to tell the size of tables by the statistics of the server', async () => {
      const name = isPostgres ? 'billing.sized' : 'sized'
      const more = `insert into ${name} select id + (select count(*) from ${name}) from ${name}`
      await run(`create table ${name} (id integer)`, `insert into ${name} values (1)`, ...Array.from({ length: 12 }, () => more))
      await run(`analyze ${isPostgres ? '' : 'table '}${name}`, `grant select on ${name} to ${grantee}`)
      const sizes = (tables: readonly string[]) => executor.withSnapshot((snapshot) => executor.tableSizes(snapshot, tables))
      const found = await sizes(['sized', 'missing'])
      // The statistics of InnoDB are a sample.
      expect(found?.rows).toBeGreaterThan(2_000)
      expect(found?.rows).toBeLessThan(8_000)
      expect(found?.bytes).toBeGreaterThan(16_000)
      if (isPostgres) expect(found?.memory_bytes).toBeNull()
      else expect(found?.memory_bytes).toBeGreaterThan(2 ** 20)
      expect(await sizes(['missing'])).toMatchObject({ rows: 0, bytes: 0 })
      await run(`drop table ${name}`)
    })

    it('write privileges are named', async () => {
      await run(`grant insert, delete on ${everything} to ${grantee}`)
      const [first] = await executor.writePrivileges()
      expect(await executor.writePrivileges()).toEqual(
        isPostgres ? ['DELETE on table item', 'INSERT on table item'] : [expect.stringMatching(/^INSERT, DELETE on pl_/)],
      )
      expect(first).not.toContain('SELECT')
      await run(
        `revoke insert, delete on ${everything} from ${grantee}`,
        `grant update (name) on ${isPostgres ? 'billing.item' : 'item'} to ${grantee}`,
      )
      expect(await executor.writePrivileges()).toEqual(
        isPostgres ? ['UPDATE on table item'] : [expect.stringMatching(/^UPDATE \(`?name`?\) on pl_/)],
      )
    })

    it("the administrator's are, too", async () => {
      const privileges = await database.executor().writePrivileges()
      expect(privileges.join('; ')).toMatch(isPostgres ? /superuser/ : /ALL PRIVILEGES|INSERT, UPDATE, DELETE/)
    })

    it('a wrong password is unavailable and stays secret', async () => {
      const url = new URL(database.url)
      url.username = 'pl_nobody'
      url.password = 'wr0ng'
      const error: unknown = await database
        .executor({ url: url.href })
        .withSnapshot((snapshot) => snapshot.query(ITEMS))
        .catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'connector_unavailable' })
      expect(String(error)).not.toMatch(/wr0ng|pl_nobody/)
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

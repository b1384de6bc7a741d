import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnsOf, LOGS } from '../../connectors/killbill/changes/logs.ts'
import { openEngine } from '../../connectors/killbill/session.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { readSchema } from '../support/data/killbill/killbill-fixture.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { createRole, type RestrictedRole } from '../support/databases/restricted-role.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const DAY = '2026-10-31'

firstEngineAndOneOther(
  'the rights of a role',
  (target) => {
    const isPostgres = target.dialect.name === 'postgres'
    let database: TestDatabase
    let role: RestrictedRole
    let engine: Engine
    let whole: readonly unknown[]

    const filled = async () => {
      if (target.copyOf !== undefined) return copyOfReal(target)
      const empty = await target.createDatabase()
      await loadReal(empty, { tenants: ['alpha'] })
      return empty
    }
    const run = async (...texts: readonly string[]) => {
      for (const text of texts) await database.adminQuery(text)
    }
    const open = async (url: string) => engineOver(database, { tenant: ['alpha'], settings: { url } })
    const figures = async (asked: Engine) => [
      (await asked.query('mrr', { at: DAY }, { dimensions: ['plan_id'] })).data,
      (await asked.query('usage_revenue', { start: DAY, end: DAY })).data,
    ]
    const failures = async (options?: { cross: boolean }) =>
      (await engine.check(options)).filter(({ level }) => level === 'failure').map(({ message }) => message)
    const warnings = async (name: string) => (await engine.check()).filter((one) => one.name === name)
    /** Asks as the role with a change, which is undone. */
    const changed = async (there: readonly string[], back: readonly string[], work: () => Promise<void>) => {
      await run(...there)
      try {
        await work()
      } finally {
        await run(...back)
      }
    }
    const revoke = (table: string) => `revoke select on ${table} from ${role.grantee}`
    const grant = (table: string) => `grant select on ${table} to ${role.grantee}`
    /** A grant on all columns of a table but one, and the way back. */
    const columnsWithout = (table: string, without: string) => {
      const names = (readSchema().tables[table]?.columns ?? []).map(({ name }) => name).filter((name) => name !== without)
      const columns = `select (${names.join(', ')}) on ${table}`
      return {
        there: [revoke(table), `grant ${columns} to ${role.grantee}`],
        back: [`revoke ${columns} from ${role.grantee}`, grant(table)],
      }
    }
    const refused = (message: unknown, context: object = {}) =>
      expect.objectContaining({ code: 'unsupported_by_connector', message, context: expect.objectContaining(context) })
    const refusalOf = (asked: Promise<unknown>) =>
      asked.then(
        () => undefined,
        (error: unknown) => error,
      )
    const command = (tables: string) => `plumbline grants --dialect ${target.dialect.name} --user <role> --tables ${tables}`

    beforeAll(async () => {
      database = await filled()
      role = await createRole(database)
      engine = await open(role.url)
      whole = await figures(engine)
      const admin = await open(database.url)
      expect(whole).toEqual(await figures(admin))
      await admin.close()
    })
    afterAll(async () => {
      await engine?.close()
      await role?.drop()
    })

    it('suffice as they are documented', async () => {
      expect(await failures({ cross: true })).toEqual([])
      expect(await warnings('views')).toEqual([])
      expect(await warnings('change_logs')).toEqual([])
    })

    describe.each([
      ['invoice_items', 'invoice_items'],
      ['tags', 'tags'],
    ])('a table that is not granted: %s', (table) => {
      it('is named with the command, over HTTP and in check too', async () => {
        await changed([revoke(table)], [grant(table)], async () => {
          const error = await refusalOf(figures(engine))
          expect(error).toEqual(refused(expect.stringContaining(`may not read`), { missing: [table] }))
          expect(String(error)).toContain(command(table))
          const [found] = await failures({ cross: true })
          expect(found).toContain(`--user ${role.name} --database ${new URL(database.url).pathname.slice(1)} --tables ${table}`)
          const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000 }, log: () => {} })
          const response = await app.request('/api/metrics/mrr')
          expect(response.status).toBe(422)
          const body = await response.json()
          expect(body).toMatchObject({ code: 'unsupported_by_connector', missing: [table] })
          expect(JSON.stringify(body)).not.toContain(role.name)
        })
        expect(await figures(engine)).toEqual(whole)
      })
    })

    it.each([
      ['subscription_events', 'quantity'],
      ['invoice_payments', 'status'],
      ['invoice_items', 'amount'],
      ['custom_fields', 'field_value'],
    ])('a column that is not granted is no older engine: %s.%s', async (table, column) => {
      const { there, back } = columnsWithout(table, column)
      await changed(there, back, async () => {
        const error = await refusalOf(figures(engine))
        expect(error).toEqual(refused(expect.stringContaining('may not read'), { missing: [`${table}.${column}`] }))
        expect(String(error)).toContain(command(table))
        expect((await failures())[0]).toContain(`${table}.${column}`)
      })
    })

    it('the tables of the cache are not granted: the answers are whole, and check says so', async () => {
      const revoked = ['tag_history', 'tenant_broadcasts']
      await changed(revoked.map(revoke), revoked.map(grant), async () => {
        expect(await warnings('change_logs')).toEqual([
          { name: 'change_logs', level: 'warning', message: expect.stringContaining(revoked.join(', ')) },
        ])
        const cached = await cachedEngineOver(database, { tenant: ['alpha'], settings: { url: role.url } }, { isRequired: false })
        await cached.cache.ready()
        expect(cached.cache.failures()).toEqual([refused(expect.stringMatching(/may not read (tag_history|tenant_broadcasts)/))])
        expect(await figures(cached.engine)).toEqual(whole)
        await cached.engine.close()
      })
    })

    describe('columns of the tables of the cache', () => {
      /** Histories that answers read, too, need more. */
      const READ_BY_ANSWERS = ['bundle_history', 'invoice_history', 'subscription_event_history']
      const histories = LOGS.filter(({ table }) => table.endsWith('_history') && !READ_BY_ANSWERS.includes(table))
      const onlyColumns = (table: string, names: readonly string[]) => {
        const columns = `select (${names.join(', ')}) on ${table}`
        return {
          there: [revoke(table), `grant ${columns} to ${role.grantee}`],
          back: [`revoke ${columns} from ${role.grantee}`, grant(table)],
        }
      }
      const cachedAs = () => cachedEngineOver(database, { tenant: ['alpha'], settings: { url: role.url } }, { isRequired: false })

      it('that the log reads suffice', async () => {
        const changes = histories.map((log) => onlyColumns(log.table, columnsOf(log)))
        await changed(
          changes.flatMap(({ there }) => there),
          changes.flatMap(({ back }) => back),
          async () => {
            expect(await warnings('change_logs')).toEqual([])
            const cached = await cachedAs()
            await cached.cache.ready()
            expect(await figures(cached.engine)).toEqual(whole)
            expect(cached.cache.failures()).toEqual([])
            expect(cached.cache.answered()).toBe(whole.length)
            await cached.engine.close()
          },
        )
      })

      it.each([
        ['bundle_history', 'id'],
        ['subscription_event_history', 'subscription_id'],
      ])('one that is not granted: the answers are whole, and check names it: %s.%s', async (table, column) => {
        const { there, back } = columnsWithout(table, column)
        await changed(there, back, async () => {
          expect(await warnings('change_logs')).toEqual([
            {
              name: 'change_logs',
              level: 'warning',
              message: `the cache answers nothing: the role may not read ${table}.${column}: \`${command(table)}\` prints the missing grants`,
            },
          ])
          const cached = await cachedAs()
          await cached.cache.ready()
          expect(cached.cache.failures()).toEqual([refused(expect.stringContaining(`may not read`))])
          expect(String(cached.cache.failures()[0])).toContain(table)
          expect(await figures(cached.engine)).toEqual(whole)
          expect(cached.cache.answered()).toBe(0)
          await cached.engine.close()
        })
      })
    })

    const views = sampleOf(target, ['accounts', 'subscriptions', 'subscription_events', 'invoices'], { first: 2, others: 4 })
    describe.each(views)('a view in the place of %s', (table) => {
      const replaced = async (filter: string, work: () => Promise<void>) =>
        changed(
          [
            `alter table ${table} rename to whole_${table}`,
            `create view ${table} as select * from whole_${table} where ${filter}`,
            `grant select on ${table} to ${role.grantee}`,
          ],
          [`drop view ${table}`, `alter table whole_${table} rename to ${table}`],
          work,
        )

      it('is a finding, and its rows count', async () => {
        await replaced('true', async () => {
          expect(await figures(engine)).toEqual(whole)
          expect(await warnings('views')).toEqual([
            {
              name: 'views',
              level: 'warning',
              message: expect.stringMatching(new RegExp(`^${table} is a view: figures are only as complete`)),
            },
          ])
          expect(await failures({ cross: true })).toEqual([])
        })
      })

      it('that shows no rows is refused', async () => {
        await replaced('false', async () => {
          expect(await refusalOf(figures(engine))).toEqual(
            refused(expect.stringContaining(`show the database role no rows: ${table}`)),
          )
          expect((await failures())[0]).toContain(table)
        })
      })

      it('that leaves out rows is found by check --cross', async () => {
        await replaced('record_id % 2 = 0', async () => {
          const found = (await engine.check({ cross: true })).filter(({ name }) => name === 'references')
          expect(found).toContainEqual({
            name: 'references',
            level: 'failure',
            message: expect.stringMatching(new RegExp(`^the view ${table} leaves out rows: \\d+ of \\d+ rows of `)),
          })
        })
      })
    })

    it.runIf(isPostgres)('texts that the server takes for equal are refused by name', async () => {
      const own = await filled()
      await own.adminQuery("create collation plumbline_loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
      await own.adminQuery('alter table accounts alter column country type varchar(50) collate plumbline_loose')
      const asked = await engineOver(own, { tenant: ['alpha'] })
      expect(await refusalOf(figures(asked))).toEqual(
        refused(expect.stringContaining('in accounts.country: their collation is not deterministic'), {
          columns: ['accounts.country'],
        }),
      )
      await asked.close()
    })

    it('the documented view of tenant_kvs is no finding', async () => {
      await changed(
        [
          'alter table tenant_kvs rename to whole_tenant_kvs',
          "create view tenant_kvs as select * from whole_tenant_kvs where tenant_key = 'CATALOG'",
          `grant select on tenant_kvs to ${role.grantee}`,
        ],
        ['drop view tenant_kvs', 'alter table whole_tenant_kvs rename to tenant_kvs'],
        async () => {
          expect(await figures(engine)).toEqual(whole)
          const findings = await engine.check()
          expect(findings.filter(({ name, level }) => name === 'views' || level === 'failure')).toEqual([])
        },
      )
    })

    it('rows that are gone from a table itself are a warning of check --cross', async () => {
      const [newest] = await database.adminQuery(
        "select max(record_id) as top from accounts where tenant_record_id = (select record_id from tenants where external_key = 'alpha')",
      )
      const top = Number(newest?.['top'])
      await changed(
        [`update accounts set record_id = record_id + 100000 where record_id = ${top}`],
        [`update accounts set record_id = record_id - 100000 where record_id = ${top + 100_000}`],
        async () => {
          const found = (await engine.check({ cross: true })).filter(({ name }) => name === 'references')
          expect(found.map(({ level }) => level)).not.toContain('failure')
          expect(found).toContainEqual({
            name: 'references',
            level: 'warning',
            message: expect.stringMatching(
              /^accounts lacks rows: \d+ of \d+ rows of subscriptions \(account_record_id\) need them$/,
            ),
          })
        },
      )
    })

    it('catalogs from files need no right to tenant_kvs', async () => {
      const [version] = await database.adminQuery(
        "select tenant_value from tenant_kvs where tenant_key = 'CATALOG' order by record_id limit 1",
      )
      const folder = await mkdtemp(join(tmpdir(), 'plumbline-rights-'))
      const file = join(folder, 'catalog.xml')
      await writeFile(file, String(version?.['tenant_value']))
      const executor = database.executor({ url: role.url })
      const definitions = definitionsSchema.parse({ base_currency: 'USD' })
      const openWith = (catalog: readonly string[]) =>
        executor.withSnapshot((snapshot) => openEngine({ tenant: ['alpha'], catalog }, snapshot, definitions))
      await changed([revoke('tenant_kvs')], [grant('tenant_kvs')], async () => {
        expect((await openWith([file])).catalogs.map(({ versions }) => versions.length)).toEqual([1])
        await expect(openWith([])).rejects.toEqual(refused(expect.stringContaining('tenant_kvs')))
      })
      await executor.close()
      await rm(folder, { recursive: true })
    })

    it.runIf(isPostgres)("the engine's own rates are not granted: what lacks a rate says so", async () => {
      const table = 'analytics_currency_conversion'
      const columns = 'record_id integer, currency text, start_date date, reference_rate numeric, reference_currency text'
      const asked = await engineOver(database, {
        tenant: ['alpha'],
        settings: { url: role.url },
        store: await ratesOnly('date,from,to,rate\n2020-01-01,AUD,USD,1'),
      })
      await changed([`create table ${table} (${columns})`], [`drop table ${table}`], async () => {
        const text = `may not read the engine's own exchange rates, ${table}; `
        await expect(asked.query('mrr', { at: DAY })).rejects.toMatchObject({
          code: 'missing_fx_rate',
          message: expect.stringContaining(text),
        })
        expect((await asked.check()).find(({ name }) => name === 'engine_rates')?.message).toContain(text)
        await run(grant(table))
        await expect(asked.query('mrr', { at: DAY })).rejects.toMatchObject({
          code: 'missing_fx_rate',
          message: expect.not.stringContaining(table),
        })
      })
      await asked.close()
    })

    it('an engine of 0.20 is refused by name', async () => {
      const since022 = ['bundle_history', 'subscription_event_history', 'invoice_history']
      const admin = await open(database.url)
      try {
        await changed(
          [...since022.map(revoke), ...since022.map((table) => `alter table ${table} rename to later_${table}`)],
          [...since022.map((table) => `alter table later_${table} rename to ${table}`), ...since022.map(grant)],
          async () => {
            const text = 'This is Kill Bill 0.20 or older, which is not supported (0.22, 0.24 and 0.25 are): it lacks '
            expect(await refusalOf(figures(admin))).toEqual(refused(expect.stringContaining(text)))
            // MySQL does not tell a role with rights on tables alone what is not there.
            const told = isPostgres ? text : 'If they do not exist, this is Kill Bill 0.20 or older, which is not supported.'
            expect(await refusalOf(figures(engine))).toEqual(refused(expect.stringContaining(told)))
          },
        )
      } finally {
        await admin.close()
      }
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

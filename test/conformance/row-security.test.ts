import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { runProduct } from '../cli/run-product.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { createRole, type RestrictedRole } from '../support/databases/restricted-role.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const AT = { at: '2026-10-31' }
const MRR_CENTS = 4_851_882

describeTargets(
  'row-level security',
  (target) => {
    let database: TestDatabase
    let role: RestrictedRole
    let engine: Engine

    const changed = async (there: readonly string[], back: readonly string[], work: () => Promise<void>) => {
      for (const text of there) await database.adminQuery(text)
      try {
        await work()
      } finally {
        for (const text of back) await database.adminQuery(text)
      }
    }
    const policy = (table: string, to: string) => ({
      there: [
        `alter table ${table} enable row level security`,
        `create policy half on ${table} for select to ${to} using (record_id % 2 = 0)`,
      ],
      back: [`drop policy half on ${table}`, `alter table ${table} disable row level security`],
    })
    const mrr = async (asked: Engine) => (await asked.query('mrr', AT)).data
    const failures = async () => (await engine.check({ cross: true })).filter(({ level }) => level === 'failure')
    const refused = (tables: readonly string[]) => ({
      code: 'unsupported_by_connector',
      message: expect.stringMatching(
        new RegExp(
          `^Row-level security hides rows of ${tables.join(', ')} from the database role.*BYPASSRLS, or drop the policies`,
        ),
      ),
      context: expect.objectContaining({ row_security: tables }),
    })

    beforeAll(async () => {
      database = await copyOfReal(target)
      role = await createRole(database)
      engine = await engineOver(database, { tenant: ['alpha'], settings: { url: role.url } })
      expect(await mrr(engine)).toBe(MRR_CENTS)
    })
    afterAll(async () => {
      await engine?.close()
      await role?.drop()
    })

    it('on tables that are read is an error with the remedy, and no smaller answer', async () => {
      const [accounts, invoices] = [policy('accounts', role.name), policy('invoices', role.name)]
      await changed([...accounts.there, ...invoices.there], [...accounts.back, ...invoices.back], async () => {
        const tables = ['accounts', 'invoices']
        await expect(mrr(engine)).rejects.toMatchObject(refused(tables))
        expect(await failures()).toContainEqual({
          name: 'engine',
          level: 'failure',
          message: expect.stringContaining('Row-level security hides rows of accounts, invoices'),
        })
        const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000 }, log: () => {} })
        const response = await app.request('/api/metrics/mrr')
        expect(response.status).toBe(422)
        expect(await response.json()).toMatchObject({ code: 'unsupported_by_connector', row_security: tables })
        const environment = { PLUMBLINE_DATABASE_URL: role.url, PLUMBLINE_STORE_URL: 'none', PLUMBLINE_CONNECTOR_TENANT: 'alpha' }
        const told = await runProduct(tmpdir(), ['mrr', '--at', AT.at], environment)
        expect(told).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('BYPASSRLS') })
        expect(await runProduct(tmpdir(), ['check'], environment)).toMatchObject({ code: 5 })
      })
      expect(await mrr(engine)).toBe(MRR_CENTS)
    })

    it('does not concern who it does not apply to: its policies are of another role, or it may pass them by', async () => {
      await changed([`alter role ${role.name} bypassrls`], [`alter role ${role.name} nobypassrls`], async () => {
        const { there, back } = policy('accounts', role.name)
        await changed(there, back, async () => {
          expect(await mrr(engine)).toBe(MRR_CENTS)
          expect(await failures()).toEqual([])
        })
      })
    })

    it('without any policy for the role hides all, and is an error', async () => {
      await changed(
        ['alter table subscriptions enable row level security'],
        ['alter table subscriptions disable row level security'],
        () => expect(mrr(engine)).rejects.toMatchObject(refused(['subscriptions'])),
      )
    })

    it.each([
      ['the owner of a view', '', []],
      ['the role through a view that asks as who reads', 'with (security_invoker = true)', ['grant select on whole_accounts to']],
    ] as const)('that hides rows from %s is an error', async (_, options, grants) => {
      const owner = `${role.name}_owner`
      const { there, back } = policy('whole_accounts', 'public')
      await changed(
        [
          `create role ${owner}`,
          'alter table accounts rename to whole_accounts',
          ...there,
          `grant select on whole_accounts to ${owner}`,
          ...grants.map((grant) => `${grant} ${role.name}`),
          `create view accounts ${options} as select * from whole_accounts`,
          `alter view accounts owner to ${owner}`,
          `grant select on accounts to ${role.name}`,
        ],
        [
          'drop view accounts',
          ...back,
          'alter table whole_accounts rename to accounts',
          `drop owned by ${owner}`,
          `drop role ${owner}`,
        ],
        async () => {
          await expect(mrr(engine)).rejects.toMatchObject(refused(['whole_accounts']))
          expect((await failures())[0]?.message).toContain('Row-level security hides rows of whole_accounts')
        },
      )
      await database.adminQuery(`grant select on accounts to ${role.name}`)
    })

    it('that comes while a service runs is no older and no smaller answer', async () => {
      const { engine: served, cache } = await cachedEngineOver(database, { tenant: ['alpha'], settings: { url: role.url } })
      try {
        expect(await mrr(served)).toBe(MRR_CENTS)
        const { there, back } = policy('subscription_event_history', role.name)
        await changed(there, back, async () => {
          await expect(mrr(served)).rejects.toMatchObject({ code: 'unsupported_by_connector' })
          expect(cache.failures()).toContainEqual(expect.objectContaining(refused(['subscription_event_history'])))
        })
        expect(await mrr(served)).toBe(MRR_CENTS)
      } finally {
        await served.close()
      }
    })
  },
  { only: ['postgres'] },
)

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLagoConnector } from '../../connectors/lago/index.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillLago, generatedLago, LAGO_RATES } from '../support/data/lago/generated/generated-lago.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { heldDifferences } from '../support/product/held-rows.ts'
import { lagoCache } from '../support/product/lago-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'
import type { HeldCache } from '../support/product/text-held.ts'

const EAST = `(select id from organizations where name = 'East Ltd')`
const WEST = `(select id from organizations where name = 'West Ltd')`
/** Customers of East with a live subscription that costs something. */
const PAYING = `select buyer.id, buyer.external_id from customers as buyer where buyer.organization_id = ${EAST} and buyer.account_type = 'customer'
  and exists (select 1 from subscriptions as part join plans as plan on plan.id = part.plan_id
    where part.customer_id = buyer.id and part.status = 1 and plan.amount_cents > 0) order by buyer.id`
const QUESTIONS = [
  ['mrr', { query_type: 'current' }],
  ['mrr', { query_type: 'breakdown', start: '2024-01-01', end: '2025-03-01' }],
  ['usage_revenue', { query_type: 'total', start: '2024-01-01', end: '2025-03-01' }],
] as const

/** A statement that deletes a row and creates another one, with other cells. */
const replaced = (table: string, id: string, cells: string) => `insert into ${table} select (jsonb_populate_record(null::${table},
    to_jsonb(known) || jsonb_build_object('id', md5('new' || known.id)::uuid, ${cells}))).* from ${table} as known where known.id = '${id}';
  delete from ${table} where id = '${id}'`
const NOBODY = '00000000-0000-0000-0000-000000000000'
const other = (customer: string) =>
  `(select max(id::text) from customers where id <> '${customer}' and organization_id = ${EAST})`

/** Changes after which something is gone and each table has as many rows as before. The first statement finds it, the second one removes it. */
const CHANGES: Readonly<Record<string, readonly [find: string, change: (id: string) => string]>> = {
  'a customer with all it had': [
    PAYING,
    (id) => `update subscriptions set customer_id = ${other(id)}::uuid, status = 3 where customer_id = '${id}';
      delete from invoices where customer_id = '${id}'; ${replaced('customers', id, `'external_id', 'new ' || known.external_id`)}`,
  ],
  'a customer of whom other rows are left': [
    PAYING,
    (id) => replaced('customers', id, `'external_id', 'new ' || known.external_id`),
  ],
  'a customer who belongs to another organization now': [
    PAYING,
    (id) => `update customers set organization_id = ${WEST}, external_id = 'moved ' || external_id where id = '${id}'`,
  ],
  'a subscription': [
    `select part.id from subscriptions as part join (${PAYING}) as buyer on buyer.id = part.customer_id where part.status = 1 order by part.id`,
    (id) => replaced('subscriptions', id, `'external_id', 'new', 'customer_id', ${other(NOBODY)}`),
  ],
  'an invoice': [
    `select invoice.id from invoices as invoice join customers as buyer on buyer.id = invoice.customer_id
      where buyer.organization_id = ${EAST} and buyer.account_type = 'customer' and invoice.status = 1 and invoice.payment_status = 1 order by invoice.id`,
    (id) => replaced('invoices', id, `'customer_id', ${other(NOBODY)}`),
  ],
  'a usage fee': [
    `select fee.id from fees as fee join invoices as invoice on invoice.id = fee.invoice_id join customers as buyer on buyer.id = invoice.customer_id
      where fee.fee_type = 0 and fee.amount_cents > 0 and fee.deleted_at is null and invoice.status = 1 and invoice.payment_status = 1
        and invoice.invoice_type not in (4, 5) and buyer.organization_id = ${EAST} and buyer.account_type = 'customer' order by fee.id`,
    (id) => replaced('fees', id, `'subscription_id', (select max(id::text) from subscriptions)`),
  ],
  'a plan that subscriptions are on': [
    `select part.plan_id as id from subscriptions as part join (${PAYING}) as buyer on buyer.id = part.customer_id
      join plans as plan on plan.id = part.plan_id where part.status = 1 and plan.amount_cents > 0 order by part.plan_id`,
    (id) => replaced('plans', id, `'code', 'new ' || known.code`),
  ],
  'a plan that a subscription was on': [
    `select plan.id from plans as plan join versions as version on version.object_changes -> 'plan_id' ->> 0 = plan.id::text
      join subscriptions as part on part.id::text = version.item_id join customers as buyer on buyer.id = part.customer_id
      where version.item_type = 'Subscription' and version.event <> 'create' and buyer.organization_id = ${EAST} and buyer.account_type = 'customer'
        and part.status in (1, 2)
      order by (select count(*) from subscriptions as own where own.plan_id = plan.id), plan.id`,
    (id) => replaced('plans', id, `'code', 'new ' || known.code`),
  ],
}

describeTargets(
  'what is gone from a Lago database while something else was created',
  (target) => {
    const connector = createLagoConnector({ organization: ['East Ltd'] })
    const history = generatedLago({ seed: 7, customers: 8, calls: 24 })
    const now = new Date(history.end)
    let database: TestDatabase
    let directory: string
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'plumbline-lago-gone-'))
    })
    beforeEach(async () => {
      database = await target.createDatabase()
      await fillLago(database, history)
      await database.adminQuery('set session_replication_role = replica')
    })
    afterAll(() => rm(directory, { recursive: true }))

    const begin = (stored: string | null) => lagoCache(database.executor(), { now: () => now }, connector, { stored })
    const filled = async () => {
      const fresh = begin(null)
      return fresh.held().finally(() => fresh.cache.close())
    }
    const remove = async (name: string) => {
      const [find, change] = CHANGES[name] ?? ['', () => '']
      const [row] = await database.adminQuery(find)
      expect(row, name).toBeDefined()
      const counts = `select (select count(*) from customers) as customers, (select count(*) from subscriptions) as subscriptions,
        (select count(*) from plans) as plans, (select count(*) from fees) as fees`
      const before = await database.adminQuery(counts)
      await database.adminQuery(change(String(row?.['id'])))
      expect(await database.adminQuery(counts)).toEqual(before)
    }
    /** The rows are those of a new filling, and the cache was not filled again. */
    const expectFollowed = async (kept: HeldCache, before: Awaited<ReturnType<HeldCache['held']>>) => {
      const after = await kept.held()
      const fresh = await filled()
      expect(heldDifferences(['kept', after.tables], ['filled', fresh.tables])).toBeUndefined()
      expect(heldDifferences(['before', before.tables], ['filled', fresh.tables])).toBeDefined()
      expect(after.filled_at).toBe(before.filled_at)
      expect(kept.cache.failures()).toEqual([])
      return after
    }

    it.each(sampleOf(target, Object.keys(CHANGES), { first: 2 }))(
      'is gone at the next look, and from a stored cache of an earlier process: %s',
      async (name) => {
        const stored = join(directory, name)
        const earlier = begin(stored)
        const first = await earlier.held()
        await remove(name)
        const second = await expectFollowed(earlier, first).finally(() => earlier.cache.close())
        await remove(name)
        const later = begin(stored)
        await expectFollowed(later, second).finally(() => later.cache.close())
      },
    )

    it('is gone from the answers, which are those of the database', async () => {
      const options = { organization: ['East Ltd'], now, rates: LAGO_RATES }
      let answered = () => 0
      const cached = await lagoEngine(database, { ...options, onCache: (cache) => ({ answered } = cache) })
      const direct = await lagoEngine(database, options)
      const answersOf = async (engine: Engine) => {
        const answers: unknown[] = []
        for (const [metric, params] of QUESTIONS) answers.push((await engine.query(metric, params)).data)
        return [...answers, (await engine.list('customers', { limit: '1000' }, {})).data]
      }
      try {
        const before = await answersOf(cached)
        expect(before).toEqual(await answersOf(direct))
        await remove('a customer with all it had')
        const after = await answersOf(cached)
        expect(after).toEqual(await answersOf(direct))
        expect(after).not.toEqual(before)
        expect(answered()).toBe(2 * (QUESTIONS.length + 1))
      } finally {
        await cached.close()
        await direct.close()
      }
    })
  },
  { only: ['postgres'] },
)

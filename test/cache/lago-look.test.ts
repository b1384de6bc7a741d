import { beforeAll, expect, it } from 'vitest'
import { createLagoConnector } from '../../connectors/lago/index.ts'
import type { Look } from '../../src/connector-kit/mirror-source.ts'
import { InternalError } from '../../src/core/errors.ts'
import { fillLago, generatedLago, type LagoHistory } from '../support/data/lago/generated/generated-lago.ts'
import { lagoWriter } from '../support/data/lago/generated/lago-writer.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { DEFINITIONS } from '../support/product/held-rows.ts'

const NONE = { extent: 'none', customers: [] }

describeTargets(
  'the changes that the cache finds in a Lago database',
  (target) => {
    let history: LagoHistory
    let database: TestDatabase
    beforeAll(async () => {
      history = generatedLago({ seed: 7, customers: 12, calls: 10 })
      database = await target.createDatabase()
      await fillLago(database, history)
    })

    /** The looks of a new process. */
    const startProcess = (organization: readonly string[] = ['all'], settings = {}) => {
      const { mirror } = createLagoConnector({ organization })
      if (mirror === undefined) throw new InternalError('the connector has no mirror')
      const executor = database.executor(settings)
      return (marks: unknown, now = new Date(history.end), held: Look['customers'] = []): Promise<Look> =>
        executor.withSnapshot((snapshot) => mirror.look(snapshot, { now, definitions: DEFINITIONS }, marks, async () => held))
    }
    const found = ({ extent, customers }: Look) => ({ extent, customers: [...customers].sort() })
    const customersOf = async (text: string): Promise<Look['customers']> =>
      (await database.adminQuery(`select distinct cast(key as text) as key from (${text}) as found (key)`))
        .map((row) => String(row['key']))
        .sort()
    /** The customers in whose group this row's owner is: with so few customers, nearly always one. */
    const changed = (customers: Look['customers']) => ({ extent: 'customers', customers: expect.arrayContaining([...customers]) })

    it('are none while all rows stay the same, for the same process and for the next one', async () => {
      const look = startProcess()
      const first = await look(undefined)
      expect(first.extent).toBe('refill')
      expect(found(await look(first.marks))).toEqual(NONE)
      expect(found(await startProcess()(JSON.parse(JSON.stringify(first.marks))))).toEqual(NONE)
    })

    it.each([
      [
        'a removed attribute',
        'delete from customer_metadata where id = (select min(id::text)::uuid from customer_metadata) returning customer_id as key',
      ],
      [
        'a renamed customer',
        `update customers set name = 'other' where id = (select min(id::text)::uuid from customers) returning id as key`,
      ],
      [
        'an invoice',
        'update invoices set voided_at = now() where id = (select min(id::text)::uuid from invoices) returning customer_id as key',
      ],
      [
        'a removed fee',
        `with gone as (delete from fees where id = (select min(id::text)::uuid from fees where fee_type = 0) returning subscription_id)
        select customer_id as key from subscriptions where id in (select subscription_id from gone)`,
      ],
      [
        'a settlement',
        `with gone as (update invoice_settlements set amount_cents = 1 where id = (select min(id::text)::uuid from invoice_settlements) returning target_invoice_id)
        select customer_id as key from invoices where id in (select target_invoice_id from gone)`,
      ],
      [
        'units',
        `with gone as (update fixed_charge_events set units = 77 where id = (select min(id::text)::uuid from fixed_charge_events) returning subscription_id)
        select customer_id as key from subscriptions where id in (select subscription_id from gone)`,
      ],
      [
        'a lost version',
        `with gone as (delete from versions where id = (select min(id) from versions where item_type = 'Subscription' and event <> 'create') returning item_id)
        select customer_id as key from subscriptions where cast(id as text) in (select item_id from gone)`,
      ],
    ])('are those of one customer: %s, without an instant of the change', async (_, statement) => {
      const look = startProcess()
      const { marks } = await look(undefined)
      const keys = (await database.adminQuery(statement)).map((row) => String(row['key']))
      expect(keys.length).toBe(1)
      const after = await look(marks)
      expect(found(after)).toEqual(changed(keys))
      expect(after.customers.length).toBeLessThan(4)
      expect(found(await look(after.marks))).toEqual(NONE)
      // The marks decide, not what the process has seen.
      expect(found(await startProcess()(marks))).toEqual(found(after))
    })

    it('are those of everybody who is or was on a changed plan or on its overrides', async () => {
      const look = startProcess()
      const { marks } = await look(undefined)
      const [plan] = await database.adminQuery(`select cast(plan.id as text) as id from plans as plan
          join plans as own on plan.id in (own.id, own.parent_id) join subscriptions as owner on owner.plan_id = own.id
          where exists (select 1 from versions where item_type = 'Subscription' and object_changes -> 'plan_id' ->> 0 = cast(plan.id as text))
          group by plan.id order by count(distinct owner.customer_id) desc limit 1`)
      const id = String(plan?.['id'])
      await database.adminQuery(`update plans set amount_cents = amount_cents + 1 where id = '${id}'`)
      const family = `select id from plans where '${id}' in (id, parent_id)`
      const keys = await customersOf(`select customer_id from subscriptions where plan_id in (${family}) union
        select owner.customer_id from subscriptions as owner join versions as version on version.item_id = cast(owner.id as text)
        where version.object_changes -> 'plan_id' ->> 0 in (select cast(id as text) from (${family}) as former)`)
      expect(keys.length).toBeGreaterThan(1)
      const after = await look(marks)
      expect(found(after)).toEqual(changed(keys))
      expect(after.customers.length).toBeLessThan(24)
    })

    it('include rows that are committed after rows with later numbers', async () => {
      const writer = lagoWriter(database)
      try {
        const look = startProcess()
        const [slow, quick] = history.store.rows('customers')
        const renamed = (row: typeof slow, name: string) =>
          [{ kind: 'update', table: 'customers', row: { id: row?.['id'] ?? null }, cells: { name } }] as const
        const open = await writer.begin(renamed(slow, 'slow'))
        const { marks } = await look(undefined)
        await (await writer.begin(renamed(quick, 'quick'))).commit()
        const first = await look(marks)
        expect(first.customers).toContain(String(quick?.['id']))
        expect(first.customers).not.toContain(String(slow?.['id']))
        await open.commit()
        expect((await look(first.marks)).customers).toContain(String(slow?.['id']))
      } finally {
        await writer.close()
      }
    })

    it('leave out other organizations', async () => {
      const look = startProcess(['East Ltd'])
      const { marks } = await look(undefined)
      await database.adminQuery(
        `update customers set name = 'elsewhere' where organization_id = (select id from organizations where name = 'West Ltd')`,
      )
      expect(found(await look(marks)).customers).toEqual([])
    })

    it('are those of held customers that are gone, also if as many are new, and of those that another organization has now', async () => {
      const held = await customersOf(
        `select id from customers where organization_id = (select id from organizations where name = 'East Ltd')`,
      )
      const [gone = '', moved = ''] = held
      const look = startProcess(['East Ltd'])
      const { marks } = await look(undefined)
      await database.adminQuery(`set session_replication_role = replica;
        insert into customers select (jsonb_populate_record(null::customers,
          to_jsonb(known) || jsonb_build_object('id', md5('new')::uuid, 'external_id', 'new'))).* from customers as known where id = '${gone}';
        delete from customers where id = '${gone}';
        update customers set external_id = 'moved', organization_id = (select id from organizations where name = 'West Ltd') where id = '${moved}'`)
      const after = await look(marks, undefined, held)
      const [added] = await customersOf(`select md5('new')::uuid`)
      expect(found(after)).toEqual(changed([gone, moved, String(added)]))
      expect(after.customers.length).toBeLessThan(6)
      expect(found(await look(after.marks, undefined, held))).toEqual(NONE)
      // A new process finds the same.
      expect(found(await startProcess(['East Ltd'])(marks, undefined, held))).toEqual(found(after))
    })

    it('are all rows after a change that reaches every customer', async () => {
      const causeAfter = async (statement: string): Promise<string | undefined> => {
        const { marks } = await startProcess()(undefined)
        await database.adminQuery(statement)
        const { extent, cause } = await startProcess()(marks)
        return `${extent}: ${cause?.reason}: ${cause?.text}`
      }
      expect(await causeAfter(`update billing_entities set timezone = 'Asia/Tokyo' where name = 'West Ltd'`)).toBe(
        'refill: settings: the definitions, the organizations or a billing entity have changed',
      )
      const { marks } = await startProcess()(undefined)
      expect((await startProcess(['East Ltd'])(marks)).extent).toBe('refill')
      expect((await startProcess()({ ...(marks as object), shape: 0 })).extent).toBe('refill')
      // Next year needs further offsets of time zones.
      const years = new Date(history.end + 900 * 86_400_000)
      expect(await startProcess()(marks, years)).toMatchObject({
        extent: 'refill',
        cause: { reason: 'time_zone', text: 'the offsets of a time zone have changed' },
      })
    })
  },
  { only: ['postgres'] },
)

import { beforeAll, expect, it } from 'vitest'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { isFirst, type TestDatabase } from '../support/databases/targets.ts'

const COUNTS = `select (select count(*) from accounts) as accounts, (select count(*) from subscription_events) as events,
  (select count(*) from invoice_items) as items, (select count(*) from tenants) as tenants, (select sum(amount) from invoice_items) as amount`

everyEngine('Kill Bill data', (target) => {
  it('shared: every recorded row of both tenants, to the last digit', async () => {
    const database = await sharedReal(target)
    const [row] = await database.adminQuery(COUNTS)
    expect(row).toMatchObject({ accounts: '349', events: '1491', items: '6561', tenants: '2' })
    const [kv] = await database.adminQuery(
      "select tenant_value from tenant_kvs where tenant_key = 'CATALOG' order by record_id limit 1",
    )
    expect(String(kv?.['tenant_value'])).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<catalog>\n[\s\S]*<\/catalog>\s*$/)
    const [hex] = await database.adminQuery(
      target.dialect.name === 'postgres'
        ? "select encode(billing_events, 'hex') as digits from invoice_billing_events where record_id = 1"
        : 'select lower(hex(billing_events)) as digits from invoice_billing_events where record_id = 1',
    )
    expect(String(hex?.['digits'])).toMatch(/^8f075c7b226175746f496e76/)
  })

  // Which rows are left out is decided before a database is asked.
  if (!isFirst(target)) return

  it('one tenant only', async () => {
    const database = await target.createDatabase()
    await loadReal(database, { tenants: ['beta'] })
    expect(await database.adminQuery('select distinct tenant_record_id as tenant from accounts')).toEqual([{ tenant: '2' }])
    expect(await database.adminQuery('select external_key from tenants')).toEqual([{ external_key: 'beta' }])
  })
})

everyEngine('hand-made rows', (target) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await killbillDatabase(target)
  })

  it('get what they leave out', async () => {
    const [first, second] = await insertRows(database, 'accounts', [
      { name: "O'Hara \\ Söhne" },
      { record_id: 10, currency: 'EUR' },
    ])
    const [third] = await insertRows(database, 'accounts', [{ created_date: new Date('2025-02-01T06:00:00Z') }])
    expect([first?.['record_id'], second?.['record_id'], third?.['record_id']]).toEqual([1, 10, 11])
    const rows = await database.adminQuery(
      'select id, name, currency, created_date, reference_time, time_zone, tenant_record_id from accounts order by record_id',
    )
    expect(rows).toEqual([
      {
        id: first?.['id'],
        name: "O'Hara \\ Söhne",
        currency: null,
        created_date: '2024-01-01 00:00:00',
        reference_time: '2024-01-01 00:00:00',
        time_zone: 'UTC',
        tenant_record_id: '1',
      },
      expect.objectContaining({ currency: 'EUR' }),
      expect.objectContaining({ created_date: '2025-02-01 06:00:00', reference_time: '2025-02-01 06:00:00' }),
    ])
  })

  it('are active unless they say otherwise', async () => {
    const event = { subscription_id: 's', user_type: 'CREATE' }
    await insertRows(database, 'subscription_events', [event, { ...event, is_active: false }])
    const truth = target.dialect.name === 'postgres' ? [true, false] : [1, 0]
    expect(await database.adminQuery('select is_active, quantity from subscription_events order by record_id')).toEqual(
      truth.map((is_active) => ({ is_active, quantity: 1 })),
    )
  })

  it('are refused when a column is unknown or has no sensible default', async () => {
    await expect(insertRows(database, 'accounts', [{ nmae: 'x' }])).rejects.toThrow('accounts has no column nmae')
    await expect(insertRows(database, 'subscription_events', [{}])).rejects.toThrow(
      'subscription_events.subscription_id needs a value',
    )
    await expect(insertRows(database, 'acounts', [{}])).rejects.toThrow('no table acounts')
  })
})

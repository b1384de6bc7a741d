import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { later } from '../support/data/histories/seeded-dice.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'

const START = '2024-05-20 10:00:00'
const USAGE = { query_type: 'total', start: '2024-05-01', end: '2024-05-31' }

firstEngineAndOneOther('a cache and a parent that pays two invoices of a child, of which one has a link (KB 8.7)', (target) => {
  let writer: BillingWriter
  let direct: Engine
  let cached: { readonly engine: Engine; readonly cache: CountedCache }
  let now = START
  beforeAll(async () => {
    const { database, tables } = await fillDatabase(target, generatedHistory(7, 20))
    writer = databaseWriter(database, tables)
    ;({ direct, cached } = await directAndCached(database, () => now))
  }, 300_000)
  afterAll(async () => {
    await cached.engine.close()
    await direct.close()
    await writer.close()
  })

  const usage = async (engine: Engine) => Number((await engine.query('usage_revenue', USAGE)).data)

  it('has the usage of both as soon as the parent has paid, though nothing was written for the child', async () => {
    const [subscription] = writer.rows('subscriptions')
    const ofTenant = writer.rows('accounts').filter((row) => row['tenant_record_id'] === subscription?.['tenant_record_id'])
    const child = ofTenant.find((row) => row['record_id'] === subscription?.['account_record_id'])
    const parent = ofTenant.find((row) => row !== child)
    if (subscription === undefined || child === undefined || parent === undefined) throw new Error('no such accounts')
    const own = ({ tenant_record_id = null, record_id = null, id = null }: typeof child) => ({
      ...{ tenant_record_id, account_record_id: record_id, account_id: id, currency: 'EUR' },
    })
    const writing = await writer.begin(START)
    const invoiced = { status: 'COMMITTED', invoice_date: START.slice(0, 10) }
    const [first, second] = [
      await writing.insert('invoices', { ...own(child), ...invoiced }),
      await writing.insert('invoices', { ...own(child), ...invoiced }),
    ]
    for (const { id = null } of [first, second])
      await writing.insert('invoice_items', {
        ...own(child),
        invoice_id: id,
        subscription_id: subscription['id'] ?? null,
        type: 'USAGE',
        amount: '70.00',
        start_date: '2024-05-01',
        end_date: null,
        phase_name: 'metered-evergreen',
      })
    const paying = await writing.insert('invoices', { ...own(parent), ...invoiced, parent_invoice: true })
    const parent_invoice_id = paying['id'] ?? null
    await writing.insert('invoice_items', {
      ...own(parent),
      invoice_id: parent_invoice_id,
      child_account_id: child['id'] ?? null,
      type: 'PARENT_SUMMARY',
      amount: '140.00',
      start_date: START.slice(0, 10),
    })
    const { account_id: _, currency: __, ...ofParent } = own(parent)
    const link = { parent_invoice_id, child_invoice_id: first['id'] ?? null, child_account_id: child['id'] ?? null }
    await writing.insert('invoice_parent_children', { ...ofParent, ...link })
    await writing.commit()

    now = later(START, 60)
    const before = await usage(direct)
    expect(await usage(cached.engine)).toBe(before)
    const { answered } = cached.cache

    now = later(START, 120)
    const payment = await writer.begin(now)
    await payment.insert('invoice_payments', {
      ...ofParent,
      currency: 'EUR',
      invoice_id: parent_invoice_id,
      payment_date: now,
      amount: '140.00',
      status: 'SUCCESS',
    })
    await payment.commit()
    now = later(START, 180)
    const after = await usage(direct)
    const known = answered()
    expect(await usage(cached.engine)).toBe(after)
    expect(answered()).toBeGreaterThan(known)

    const { rows } = (await direct.list('invoices', { limit: '1000', customer_id: `${child['id']}` })).data as {
      readonly rows: readonly Readonly<Record<string, unknown>>[]
    }
    const paid = rows.filter(({ id }) => id === first['id'] || id === second['id'])
    expect(paid.map(({ status, paid_at, balance_cents }) => [status, String(paid_at).slice(0, 19), balance_cents])).toEqual([
      ['paid', later(START, 120).replace(' ', 'T'), 0],
      ['paid', later(START, 120).replace(' ', 'T'), 0],
    ])
    // Both are charges of 70.00 EUR, so they add the same amount.
    expect((after - before) % 2).toBe(0)
    expect(after - before).toBeGreaterThan(2 * 7000)
  })
})

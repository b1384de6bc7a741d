import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { BillingWriter, Cells } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'

const DAY = (day: number) => `2024-05-${String(day).padStart(2, '0')} 10:00:00`
const RANGE = { start: '2024-05-01', end: '2024-06-30' }
const WRITTEN_OFF = '00000000-0000-0000-0000-000000000004'

const QUESTIONS: readonly Readonly<Record<string, string>>[] = [
  ...['revenue', 'waterfall', 'movements', 'cash', 'credits', 'receivables', 'trial_balance', 'dso'].map((query_type) => ({
    query_type,
    ...RANGE,
  })),
  { query_type: 'revenue', ...RANGE, known_at: '2024-06-05', spread: 'month' },
  { query_type: 'mrr_bridge', period: '2024-04' },
]

firstEngineAndOneOther('a cache and books that the engine goes on to write', (target) => {
  let writer: BillingWriter
  let direct: Engine
  let cached: { readonly engine: Engine; readonly cache: CountedCache }
  let now = DAY(2)
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

  /** The rows of a statement from both, which are equal. The cache answers each time. */
  const both = async (params: Readonly<Record<string, string>>) => {
    const before = cached.cache.answered()
    const wanted = (await direct.query('ledger', params)).data
    expect((await cached.engine.query('ledger', params)).data, JSON.stringify(params)).toEqual(wanted)
    expect(cached.cache.answered()).toBeGreaterThan(before)
    return wanted as readonly Readonly<Record<string, number>>[]
  }
  /** The open balance of a customer in EUR, which both know alike. */
  const balanceOf = async (customer: unknown) => {
    const spec = { filters: { customer_id: [`${customer}`] }, dimensions: ['currency'] }
    const params = { query_type: 'receivables', at: now.slice(0, 10) }
    const { data } = await direct.query('ledger', params, spec)
    expect((await cached.engine.query('ledger', params, spec)).data).toEqual(data)
    const rows = data as readonly { readonly currency: string; readonly balance: number }[]
    return rows.reduce((sum, { currency, balance }) => sum + (currency === 'EUR' ? balance : 0), 0)
  }

  it('answers as the database after each charge, payment, chargeback, write-off, void and summary', async () => {
    const [subscription] = writer.rows('subscriptions')
    const ofTenant = writer.rows('accounts').filter((row) => row['tenant_record_id'] === subscription?.['tenant_record_id'])
    const child = ofTenant.find((row) => row['record_id'] === subscription?.['account_record_id'])
    const parent = ofTenant.find((row) => row !== child)
    if (child === undefined || parent === undefined) throw new Error('no such accounts')
    const own = ({ tenant_record_id = null, record_id = null, id = null }: typeof child): Cells => ({
      ...{ tenant_record_id, account_record_id: record_id, account_id: id, currency: 'EUR' },
    })
    const ofAccount = (account: typeof child): Cells => {
      const { account_id: _, currency: __, ...cells } = own(account)
      return cells
    }
    const written = async (day: number, work: (writing: Awaited<ReturnType<BillingWriter['begin']>>) => Promise<void>) => {
      now = DAY(day)
      const writing = await writer.begin(now)
      await work(writing)
      await writing.commit()
      for (const question of QUESTIONS) await both(question)
    }
    const start = await balanceOf(child['id'])
    const startOfParent = await balanceOf(parent['id'])

    const invoiced = (day: number): Cells => ({ status: 'COMMITTED', invoice_date: DAY(day).slice(0, 10) })
    let invoice = child
    let voided = child
    await written(3, async (writing) => {
      invoice = await writing.insert('invoices', { ...own(child), ...invoiced(3) })
      voided = await writing.insert('invoices', { ...own(child), ...invoiced(3) })
      for (const [of, amount] of [
        [invoice, '93.00'],
        [voided, '31.00'],
      ] as const)
        await writing.insert('invoice_items', {
          ...own(child),
          invoice_id: of['id'] ?? null,
          subscription_id: subscription?.['id'] ?? null,
          type: 'RECURRING',
          amount,
          start_date: '2024-05-03',
          end_date: '2024-06-03',
          phase_name: 'standard-monthly-evergreen',
        })
      await writing.insert('custom_fields', {
        ...ofAccount(child),
        object_id: invoice['id'] ?? null,
        object_type: 'INVOICE',
        field_name: 'INVOICE_SEQUENCE_NUMBER',
        field_value: 'N-1',
        is_active: true,
      })
    })
    expect((await balanceOf(child['id'])) - start).toBe(12400)
    const numbers = await cached.engine.ledgerList('open_invoices', { at: '2024-05-03', limit: '1000' })
    expect(JSON.stringify(numbers.data)).toContain('"N-1"')

    await written(5, (writing) => writing.update('invoices', voided, { status: 'VOID' }))
    expect((await balanceOf(child['id'])) - start).toBe(9300)

    const paid = (amount: string, type: string, day: number): Cells => ({
      ...ofAccount(child),
      currency: 'EUR',
      invoice_id: invoice['id'] ?? null,
      payment_date: DAY(day),
      amount,
      type,
      status: 'SUCCESS',
    })
    let charged = child
    await written(6, async (writing) => {
      await writing.insert('invoice_payments', paid('93.00', 'ATTEMPT', 6))
    })
    await written(8, async (writing) => {
      charged = await writing.insert('invoice_payments', paid('-93.00', 'CHARGED_BACK', 8))
    })
    expect((await balanceOf(child['id'])) - start).toBe(9300)
    await written(9, (writing) => writing.update('invoice_payments', charged, { status: 'INIT' }))
    expect((await balanceOf(child['id'])) - start).toBe(0)
    await written(10, async (writing) => {
      await writing.insert('invoice_payments', paid('-60.00', 'REFUND', 10))
    })
    expect((await balanceOf(child['id'])) - start).toBe(6000)

    let tag = child
    await written(11, async (writing) => {
      const marked = { object_id: invoice['id'] ?? null, object_type: 'INVOICE', tag_definition_id: WRITTEN_OFF, is_active: true }
      tag = await writing.insert('tags', { ...ofAccount(child), ...marked })
    })
    expect((await balanceOf(child['id'])) - start).toBe(0)
    await written(13, (writing) => writing.update('tags', tag, { is_active: false, updated_date: DAY(13) }))
    expect((await balanceOf(child['id'])) - start).toBe(6000)

    await written(15, async (writing) => {
      const paying = await writing.insert('invoices', { ...own(parent), ...invoiced(15), parent_invoice: true })
      const parent_invoice_id = paying['id'] ?? null
      const ofChild = { child_account_id: child['id'] ?? null }
      await writing.insert('invoice_items', {
        ...own(parent),
        ...ofChild,
        invoice_id: parent_invoice_id,
        type: 'PARENT_SUMMARY',
        amount: '60.00',
        start_date: '2024-05-15',
      })
      const link = { parent_invoice_id, child_invoice_id: invoice['id'] ?? null, ...ofChild }
      await writing.insert('invoice_parent_children', { ...ofAccount(parent), ...link })
    })
    expect([await balanceOf(child['id']), (await balanceOf(parent['id'])) - startOfParent]).toEqual([start, 6000])
    expect(cached.cache.failures()).toEqual([])
  })
})

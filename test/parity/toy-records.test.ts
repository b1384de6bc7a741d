import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillToy, toyId } from '../support/data/toy-data.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { toyEngine } from '../support/product/toy-engine.ts'

type Cells = Readonly<Record<string, unknown>>

interface Page {
  readonly total: number
  readonly rows: readonly Cells[]
}

firstEngineAndOneOther('records of a second engine with keys that are UUIDs', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const database = await target.createDatabase()
    await fillToy(database)
    engine = await toyEngine(database)
  })
  afterAll(() => engine.close())

  const page = async (name: 'customers' | 'subscriptions' | 'invoices', params: Cells = {}, spec: Cells = {}) =>
    (await engine.list(name, params, spec)).data as Page

  it('lists customers with what they are now, without the test account (D16, D38)', async () => {
    const { total, rows } = await page('customers')
    expect(total).toBe(6)
    const known = rows.map(({ id, status, mrr_base_cents }) => [id, status, mrr_base_cents])
    expect(known.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual([
      [toyId('A'), 'active', 8333],
      [toyId('B'), 'churned', 0],
      [toyId('C'), 'active', 19200],
      [toyId('D'), 'lead', 0],
      [toyId('E'), 'active', 1900],
      [toyId('F'), 'active', 4000],
    ])
  })

  it('lists subscriptions with their trials and cancellations (D46, D56)', async () => {
    const { total, rows } = await page('subscriptions')
    expect(total).toBe(7)
    expect(rows.find(({ id }) => id === toyId('S2'))).toMatchObject({
      customer_id: toyId('B'),
      status: 'canceled',
      plan_id: 'business',
      billing_period: 'MONTHLY',
      phase_type: 'evergreen',
      trial_start: '2025-01-10T12:00:00.000Z',
      trial_end: '2025-01-24T12:00:00.000Z',
      canceled_at: '2025-05-02T12:00:00.000Z',
      ended_at: '2025-05-24T12:00:00.000Z',
      cancel_reason: 'too_expensive',
      mrr_base_cents: 0,
    })
    expect((await page('subscriptions', {}, { filters: { status: 'active' } })).total).toBe(4)
  })

  it('lists invoices, and one customer whole', async () => {
    expect((await page('invoices')).total).toBe(19)
    const open = await page('invoices', {}, { filters: { status: 'open' } })
    expect(open.rows.map(({ id, balance_cents }) => [id, balance_cents]).sort()).toEqual([
      ['C-05-01', 16000],
      ['E-06-01', 1200],
    ])
    const { data } = await engine.customer(toyId('E'))
    expect(data).toMatchObject({ id: toyId('E'), name: 'Customer E', attributes: { sector: 'shop' } })
  })

  describe('narrows', () => {
    const may = { at: '2025-05-31' }
    it('by an attribute of the engine', async () => {
      expect((await engine.query('mrr', may, { filters: { 'attr.sector': 'school' } })).data).toBe(8333 + 19200)
    })

    it('by the customer', async () => {
      expect((await engine.query('mrr', may, { filters: { 'customer.id': toyId('F') } })).data).toBe(4000)
    })
  })

  it('hands out the rows of the contract (D22, D31)', async () => {
    const live = await engine.rows.getActiveSubscriptions('2025-03-31')
    expect(live.map(({ subscription_id, status, mrr_cents }) => [subscription_id, status, mrr_cents])).toEqual([
      [toyId('S1'), 'active', 8333],
      [toyId('S2'), 'active', 7900],
      [toyId('S3'), 'active', 10000],
      [toyId('S5'), 'active', 1750],
      [toyId('S6'), 'paused', 0],
    ])
    const changes = await engine.rows.getSubscriptionChanges('2025-05-01', '2025-05-31')
    expect(changes.map(({ type, amount_usd_cents, reason }) => [type, amount_usd_cents, reason])).toEqual([
      ['contraction', -100, 'usage'],
      ['reactivation', 4000, 'start'],
      ['churn', -7900, 'cancel'],
    ])
    expect(await engine.rows.getMrrUsdCents('2025-05-31')).toEqual([
      { source_id: 'toy', base_currency: 'USD', mrr_usd_cents: 33433 },
    ])
  })

  it('sums up and checks', async () => {
    const { data } = await engine.summary({ end: '2025-05-31' })
    expect(data).toMatchObject({ mrr: 33433 })
    const findings = await engine.check()
    expect(findings.filter(({ level }) => level === 'failure')).toEqual([])
  })
})

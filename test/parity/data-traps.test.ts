import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine, ListName } from '../../src/engine/engine.ts'
import { loadRecordScenario, SCENARIO_NOW } from '../support/data/record-scenario.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, unknown>

const CANCELED_LATER = {
  pending_cancellation: true,
  cancel_at: '2026-03-01T00:00:00.000Z',
  canceled_at: '2026-01-02T00:00:00.000Z',
}

oneEngineInRotation('records that the recorded tenants lack', (target) => {
  let engineOf: (tenant: string, options?: Parameters<typeof engineOver>[1]) => Promise<Engine>
  beforeAll(async () => {
    const database = await target.createDatabase()
    await loadRecordScenario(database)
    const store = await ratesOnly('date,from,to,rate\n2026-01-01,EUR,USD,1.5\n')
    const plain = new Map<string, Promise<Engine>>()
    const make = (tenant: string, options = {}) =>
      engineOver(database, { tenant: [tenant], now: SCENARIO_NOW, store, ...options })
    engineOf = (tenant, options) => {
      if (options !== undefined) return make(tenant, options)
      const engine = plain.get(tenant) ?? make(tenant)
      plain.set(tenant, engine)
      return engine
    }
  })
  const lists = new Map<string, Promise<Map<unknown, Row>>>()
  /** Rows by request, each read once. */
  const rowsOf = (name: ListName, params: Row = {}, spec: Row = {}): Promise<Map<unknown, Row>> => {
    const key = JSON.stringify([name, params, spec])
    const list = lists.get(key) ?? readRows(name, params, spec)
    lists.set(key, list)
    return list
  }
  const readRows = async (name: ListName, params: Row, spec: Row): Promise<Map<unknown, Row>> => {
    const { rows } = (await (await engineOf('one')).list(name, params, spec)).data as { rows: Row[] }
    return new Map(rows.map((row) => [row['id'], row]))
  }

  describe('subscriptions', () => {
    it('exist when they end after they begin, newest first', async () => {
      expect([...(await rowsOf('subscriptions')).keys()]).toEqual(['planned', 'trial', 'blocked', 'euro', 'ghost', 'leaving'])
    })

    it.each([
      [
        'planned',
        {
          status: 'pending',
          started_at: '2026-02-01T00:00:00.000Z',
          plan_id: 'pro',
          quantity: 3,
          mrr_cents: 0,
          trial_start: null,
        },
      ],
      ['planned', { price_list: 'DEFAULT', billing_period: 'MONTHLY', phase_type: 'trial', ended_at: null }],
      ['blocked', { status: 'pending', started_at: '2025-12-01T00:00:00.000Z', plan_id: 'pro', mrr_base_cents: 0, quantity: 1 }],
      [
        'trial',
        { status: 'trialing', trial_start: '2026-01-05T00:00:00.000Z', trial_end: '2026-01-19T00:00:00.000Z', mrr_cents: 0 },
      ],
      ['leaving', { status: 'active', ...CANCELED_LATER, ended_at: null, cancel_reason: 'too dear', mrr_cents: 3000 }],
      ['euro', { status: 'active', currency: 'EUR', mrr_cents: 2000, mrr_base_cents: null, usage_mrr_base_cents: 0 }],
      [
        'ghost',
        { status: 'active', plan_id: 'ghost', plan_interval: null, product_name: null, mrr_cents: null, mrr_base_cents: null },
      ],
    ])('%s: %o', async (id, wanted) => {
      expect((await rowsOf('subscriptions')).get(id)).toMatchObject(wanted)
    })

    it('those to come are found by status and plan like the others', async () => {
      expect([...(await rowsOf('subscriptions', {}, { filters: { status: 'pending', plan_id: 'pro' } })).keys()]).toEqual([
        'planned',
        'blocked',
      ])
    })
  })

  describe('customers', () => {
    it.each([
      ['A', { status: 'active', live_subscriptions: 1, mrr_cents: 3000, cohort_month: '2025-06-01', currency: 'USD' }],
      ['B', { status: 'active', mrr_cents: 2000, mrr_base_cents: null }],
      ['P', { status: 'lead', name: null, first_active_at: null, live_subscriptions: 0, mrr_cents: 0, mrr_base_cents: 0 }],
      ['D', { status: 'active', live_subscriptions: 1, mrr_cents: null, mrr_base_cents: null }],
    ])('%s: %o', async (id, wanted) => {
      expect((await rowsOf('customers')).get(id)).toMatchObject(wanted)
    })

    it('test accounts are in no list, and answered by id', async () => {
      const engine = await engineOf('one')
      expect([...(await rowsOf('customers')).keys()]).toEqual(['A', 'B', 'D', 'P'])
      for (const name of ['subscriptions', 'invoices'] as const) expect((await rowsOf(name, { customer_id: 'T' })).size).toBe(0)
      for (const id of ['T', 'tester']) {
        const { data } = await engine.customer(id)
        expect(data).toMatchObject({ id: 'T', status: 'active', mrr_base_cents: 3000, subscriptions: [{ id: 'tested' }] })
      }
      const including = await engineOf('one', { definitions: { test_accounts: 'include' } })
      expect((await including.list('customers')).data).toMatchObject({ total: 5 })
    })

    it('the base currency does not depend on the test accounts', async () => {
      const engine = await engineOf('one', { definitions: { base_currency: undefined } })
      expect((await engine.customer('A')).meta.base_currency).toBe((await engine.list('customers')).meta.base_currency)
    })

    it.each([
      ['100%', ['A']],
      ['0% g', ['A']],
      ['_', ['B']],
      ['%', ['A']],
      ['BILLING@acme', ['A']],
      ['PAREN', ['P']],
      ['A', ['A', 'B', 'D', 'P']],
      ['D', ['B', 'D']],
      ['d', ['B']],
    ])('search %j', async (search, wanted) => {
      expect([...(await rowsOf('customers', { search })).keys()]).toEqual(wanted)
    })

    it('a key in several sources needs a source; an id wins over a key', async () => {
      const all = await engineOf('all')
      await expect(all.customer('same')).rejects.toMatchObject({ code: 'conflict', context: { source_ids: ['T1', 'T2'] } })
      expect((await all.customer('same', { source_id: 'T2' })).data).toMatchObject({ id: 'D2', source_id: 'T2' })
      expect((await (await engineOf('one')).customer('same')).data).toMatchObject({ id: 'D' })
      expect((await all.customer('A')).data).toMatchObject({ id: 'A', source_id: 'T1' })
      expect((await all.customer('A', { source_id: 'T2' })).data).toMatchObject({ id: 'E' })
      await expect((await engineOf('one')).customer('D2')).rejects.toMatchObject({ code: 'not_found' })
      await expect(all.customer('D', { source_id: 'T2' })).rejects.toMatchObject({ code: 'not_found' })
    })

    it.each(['nobody', 'SAME', 'same ', 'sam_', 'a\0b', '\ud800', "' or ''='", 'x'.repeat(5000)])(
      'there is no %j',
      async (id) => {
        await expect((await engineOf('all')).customer(id)).rejects.toMatchObject({ code: 'not_found' })
      },
    )
  })

  describe('invoices', () => {
    it('are all of them but those to come', async () => {
      const ids = [...(await rowsOf('invoices')).keys()]
      expect(ids[0]).toBe('partly')
      expect(ids.slice(1)).toEqual([...ids.slice(1)].sort())
      expect(ids.length).toBe(14)
    })

    it.each([
      ['draft', { status: 'draft', total_cents: 1000, balance_cents: 0, paid_at: null, voided_at: null }],
      ['void', { status: 'void', total_cents: 1000, balance_cents: 0, voided_at: '2025-03-05T00:00:00.000Z', number: '2' }],
      ['migrated', { status: 'paid', paid_at: null, balance_cents: 0, total_cents: 1000 }],
      ['lost', { status: 'uncollectible', balance_cents: 0, total_cents: 1001 }],
      ['partly', { status: 'open', total_cents: 3901, tax_cents: 500, subtotal_cents: 3401, usage_cents: 401 }],
      ['partly', { amount_paid_cents: 1000, balance_cents: 2901, number: 'INV-7', subscription_ids: ['leaving', 'trial'] }],
      ['refunded', { status: 'paid', paid_at: '2025-04-02T00:00:00.000Z', amount_paid_cents: 0, balance_cents: 2000 }],
      ['refunded', { total_cents: 2000, subscription_ids: ['leaving', 'trial'], total_base_cents: 2000 }],
      ['credit', { status: 'paid', total_cents: 0, balance_cents: 0, paid_at: '2025-03-01T00:00:00.000Z' }],
      ['dinar', { status: 'open', currency: 'KWD', total_cents: 123, balance_cents: 124, total_base_cents: null }],
      ['settled', { status: 'paid', balance_cents: 0, paid_at: '2025-03-02T00:00:00.000Z' }],
      ['bare', { status: 'paid', total_cents: 0, balance_cents: 0, subscription_ids: [] }],
      [
        'child',
        { status: 'paid', paid_at: '2025-06-10T00:00:00.000Z', amount_paid_cents: 0, balance_cents: 0, total_cents: 4000 },
      ],
      ['waiting', { status: 'open', paid_at: null, balance_cents: 0, total_cents: 700 }],
      ['family', { status: 'paid', customer_id: 'P', total_cents: 4000, amount_paid_cents: 4000, balance_cents: 0 }],
      ['collecting', { status: 'draft', balance_cents: 0 }],
    ])('%s: %o', async (id, wanted) => {
      expect((await rowsOf('invoices')).get(id)).toMatchObject(wanted)
    })

    it.each([
      ['draft', ['collecting', 'draft']],
      ['void', ['void']],
      ['uncollectible', ['lost']],
      ['open', ['partly', 'dinar', 'waiting']],
    ])('by status %s', async (status, wanted) => {
      expect([...(await rowsOf('invoices', {}, { filters: { status } })).keys()]).toEqual(wanted)
    })

    it.each([
      ['partly', { balance_base_cents: 2901, days_open: 296, age: 'over-90' }],
      // No rate: null and never 0. An open amount of 0 needs none.
      ['dinar', { balance_base_cents: null, days_open: 315, age: 'over-90' }],
      ['waiting', { balance_base_cents: 0 }],
      // The customer has its money back, and the amount is due again.
      ['refunded', { status: 'paid', balance_base_cents: 2000, age: 'over-90' }],
      ['lost', { balance_base_cents: 0, days_open: null, age: null }],
    ])('%s in the base currency, with its age: %o', async (id, wanted) => {
      expect((await rowsOf('invoices')).get(id)).toMatchObject(wanted)
    })

    it('open for some days are the open ones and those that a refund opened again', async () => {
      const found = await rowsOf('invoices', { open_for_days: 0 })
      expect([...found.keys()].sort()).toEqual(['dinar', 'partly', 'refunded', 'waiting'])
      expect([...found.values()].every(({ days_open }) => Number.isInteger(days_open))).toBe(true)
    })

    it.each([
      // Midnight begins a day: the class changes with the day and not an hour before or after.
      ['2025-03-20T00:00:00Z', 0, '0-30', 3901],
      ['2025-04-19T23:59:59Z', 30, '0-30', 2901],
      ['2025-04-20T00:00:00Z', 31, '31-60', 2901],
      ['2025-05-19T23:59:59Z', 60, '31-60', 2901],
      ['2025-05-20T00:00:00Z', 61, '61-90', 2901],
      ['2025-06-18T23:59:59Z', 90, '61-90', 2901],
      ['2025-06-19T00:00:00Z', 91, 'over-90', 2901],
      // A day ahead of UTC.
      ['2025-03-19T20:00:00Z', 0, '0-30', 3901],
    ])('an invoice of 2025-03-20 at %s is open for %i days', async (now, days_open, age, balance_base_cents) => {
      const engine = await engineOf('one', { now: new Date(now) })
      const { rows } = (await engine.list('invoices', { search: 'partly' })).data as { rows: Row[] }
      expect(rows).toMatchObject([{ days_open, age }])
      const ages = (await engine.invoiceAges({ search: 'partly' })).data as Row[]
      expect(ages.filter(({ invoices }) => invoices !== 0)).toEqual([{ age, invoices: 1, balance_base_cents }])
    })

    it('a sum without a rate is null, and a warning says how many invoices', async () => {
      const engine = await engineOf('one')
      const { data, meta } = await engine.invoiceAges()
      const none = { invoices: 0, balance_base_cents: 0 }
      expect(data).toEqual([
        { age: '0-30', ...none },
        { age: '31-60', ...none },
        { age: '61-90', ...none },
        { age: 'over-90', invoices: 4, balance_base_cents: null },
      ])
      expect(meta.warnings).toEqual([
        {
          code: 'missing_fx_rate',
          message: '1 open invoices in KWD have no exchange rate, so sums with them are null.',
          count: 1,
        },
      ])
      expect(meta.amounts).toEqual({ unit: 'cents', currency: 'USD' })
      const dollars = await engine.invoiceAges({ currency: 'USD', money: 'units' })
      expect([dollars.data, dollars.meta.warnings]).toEqual([
        expect.arrayContaining([{ age: 'over-90', invoices: 2, balance_base_cents: '49.01' }]),
        [],
      ])
    })

    it('a day ahead of UTC takes the rate of today', async () => {
      const later = await engineOf('one', {
        now: new Date('2025-03-19T20:00:00Z'),
        store: await ratesOnly('date,from,to,rate\n2025-03-01,KWD,USD,3\n'),
      })
      const { rows } = (await later.list('invoices', { search: 'partly' })).data as { rows: Row[] }
      expect(rows).toMatchObject([{ invoice_date: '2025-03-20', total_base_cents: 3901 }])
    })
  })

  it('an engine 0.22 has no quantities', async () => {
    const database = await target.createDatabase()
    await loadRecordScenario(database)
    await database.adminQuery('alter table subscription_events drop column quantity')
    const engine = await engineOver(database, { tenant: ['one'], now: SCENARIO_NOW })
    const { rows } = (await engine.list('subscriptions')).data as { rows: Row[] }
    expect(rows.map((row) => [row['id'], row['quantity']])[0]).toEqual(['planned', 1])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedEast } from '../support/data/stripe/east-database.ts'
import { eastTables } from '../support/data/stripe/east-rows.ts'
import { at, type Document, type HandMade, handMade, stamp } from '../support/data/stripe/hand-made.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

const NOW = new Date('2026-07-01T00:00:00Z')
const OPTIONS = { now: NOW, settings: { account: ['all'] }, definitions: { allow_unpriced: true } }
const RATES = 'date,from,to,rate\n2025-01-01,JPY,USD,0.01\n'
const UNKNOWN = [
  'addon_without_entitlement',
  'usage_not_invoiced',
  'child_not_on_parent',
  'child_credit_on_parent',
  'child_void_on_parent',
  'below_list_price',
]

interface Row {
  readonly kind: string
  readonly customer_id: string
  readonly invoice_id: string | null
  readonly subscription_id: string | null
  readonly since: string | null
  readonly sentence: string
  readonly amount_cents: number | null
  readonly monthly_cents: number | null
}

interface Page {
  readonly total: number
  readonly lists: readonly { readonly kind: string; readonly count: number | null; readonly amount_base_cents: number | null }[]
  readonly rows: readonly Row[]
}

async function fill({ insert, price, subscription, invoice }: HandMade) {
  // The newest event: the mirror is complete up to the first of July.
  await insert('customers', 'acct_a', NOW.toISOString(), { id: 'cus_asked', created: at('01-10') })
  await price('p10', '1000')
  await price('y120', '12000', {}, 'year')
  await price('half', '6000', { recurring: { interval: 'month', interval_count: 6 } })
  await price('tiers', null, { billing_scheme: 'tiered' })
  await price('yen', '1000', { currency: 'jpy' })
  const line = (id: string, from: string, to: string, of = 'p10') => ({
    ...{ price: of, item: `si_${id}`, span: [from, to] as const, amount: 1_000 },
  })
  const runs = (id: string, more: Document = {}, of = 'p10', from = '01-10') =>
    subscription(id, from, [{ id: `si_${id}`, price: { id: of } }], more)
  const bills = (id: string, on: string, more: Document = {}, of = 'p10') => invoice(id, on, [line(id, on, '12-31', of)], more)
  const open = (more: Document = {}) => ({
    ...{ status: 'open', amount_remaining: 1_000, amount_paid: 0, attempted: true, collection_method: 'charge_automatically' },
    ...{ status_transitions: {}, ...more },
  })
  // At risk: an invoice that is open for more than 30 days, and a subscription that is past due. One of 30 days is not at risk.
  for (const id of ['risk', 'fresh', 'late', 'part']) await runs(id, id === 'late' ? { status: 'past_due' } : {})
  for (const id of ['risk', 'fresh', 'late', 'part']) await bills(id, '06-15')
  await bills('risk', '05-31', open())
  await bills('fresh', '06-01', open())
  await bills('late', '06-20', open({ amount_remaining: 700, amount_paid: 300 }))
  await bills('part', '05-10', open({ amount_remaining: 0, amount_paid: 1_000 }))
  // An unpaid subscription has no MRR, but another one of its customer has.
  await runs('paused', { status: 'unpaid', customer: 'cus_fresh' })
  await bills('paused', '06-02', open({ customer: 'cus_fresh' }))
  await bills('paused', '06-05', { status: 'draft', customer: 'cus_fresh' })
  // Silent: a month has at most 31 days, and one is added. Drafts count, void invoices do not.
  for (const id of ['month_32', 'month_33', 'voided', 'drafted', 'never', 'gone'])
    await runs(id, id === 'gone' ? { livemode: false } : {})
  await bills('month_32', '05-30')
  await bills('month_33', '05-29')
  for (const id of ['voided', 'drafted', 'gone']) await bills(id, '05-10', id === 'gone' ? { livemode: false } : {})
  await bills('voided', '06-10', { status: 'void' })
  await bills('drafted', '06-10', { status: 'draft' })
  await runs('year', {}, 'y120')
  await bills('year', '01-10', {}, 'y120')
  // Half a year has at most 184 days, and one is added: from 28 December on.
  await runs('half', {}, 'half', '01-01')
  await bills('half', '01-01', {}, 'half')
  await runs('ended', { status: 'canceled', ended_at: at('06-01') })
  await runs('young', {}, 'p10', '06-10')
  // Without a price: no line tells the amount of its tiers.
  await runs('tiers', {}, 'tiers')
  await bills('tiers', '06-10', {}, 'p10')
  // Never attempted.
  const sent = (due: string) => open({ attempted: false, collection_method: 'send_invoice', due_date: at(due) })
  for (const [id, more] of Object.entries({
    asked: open({ attempted: false }),
    off: open({ attempted: false, auto_advance: false }),
    sent: sent('06-25'),
    waits: sent('07-20'),
    tried: open(),
    silence: open({ attempted: null }),
    shared: open({ attempted: false, amount_paid: 400, amount_remaining: 600 }),
  }))
    await bills(id, '06-20', more)
  await bills('today', '06-30', open({ attempted: false }))
  await invoice('yen', '06-20', [], { ...open({ attempted: false }), currency: 'jpy' })
}

onPostgres('notices of billing health on a mirror of Stripe (H6)', (target) => {
  let database: TestDatabase
  let engine: Engine
  let page: Page
  beforeAll(async () => {
    database = await target.createDatabase()
    await database.adminQuery(eastTables())
    const mirror = handMade(database)
    await mirror.account('acct_a', stamp('01-01'))
    await fill(mirror)
    engine = await stripeEngine(database, { ...OPTIONS, rates: RATES })
    page = (await engine.billingNotices({ limit: '500' })).data as Page
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })
  const rowsOf = (kind: string) =>
    page.rows
      .filter((row) => row.kind === kind)
      .map((row) => [row.customer_id.replace('cus_', ''), row.since, row.amount_cents, row.monthly_cents, row.sentence])
      .sort()

  it('names customers at risk by their open invoices and by the state of their subscriptions', () => {
    expect(rowsOf('mrr_at_risk')).toEqual([
      ['fresh', '2026-06-02', 0, 1_000, 'The customer is overdue (unpaid).'],
      ['late', '2026-06-20', 0, 1_000, 'The customer is overdue (past_due).'],
      ['risk', '2026-05-31', 1_000, 1_000, 'An invoice is unpaid for more than 30 days.'],
    ])
  })

  it('names customers in MRR without an invoice for more than a period', () => {
    expect(rowsOf('silent_account')).toEqual([
      ['month_33', '2026-05-29', 0, 1_000, 'The last invoice is of 2026-05-29.'],
      ['never', '2026-01-10', 0, 1_000, 'The customer has never had an invoice.'],
      ['voided', '2026-05-10', 0, 1_000, 'The last invoice is of 2026-05-10.'],
    ])
  })

  it('names subscriptions without a price, and invoices that nobody tried to collect', () => {
    expect(
      page.rows.filter(({ kind }) => kind === 'without_price').map((row) => [row.subscription_id, row.monthly_cents]),
    ).toEqual([['tiers', null]])
    expect(rowsOf('never_attempted')).toEqual([
      ['asked', '2026-06-20', 1_000, 0, 'Nobody has tried to collect it.'],
      ['off', '2026-06-20', 1_000, 0, 'Nobody has tried to collect it: automatic collection is off.'],
      ['sent', '2026-06-20', 1_000, 0, 'Nobody has tried to collect it: it was sent to the customer, and is past due.'],
      ['yen', '2026-06-20', 100_000, 0, 'Nobody has tried to collect it.'],
    ])
  })

  it('says of each other list that it is not known', async () => {
    expect(page.lists.filter(({ count }) => count === null).map(({ kind }) => kind)).toEqual(UNKNOWN)
    expect(page.lists.filter(({ count }) => count !== null).map(({ kind, count }) => [kind, count])).toEqual([
      ['mrr_at_risk', 3],
      ['silent_account', 3],
      ['without_price', 1],
      ['never_attempted', 4],
    ])
    const { meta } = await engine.billingNotices({})
    const partial = meta.warnings.filter(({ code }) => code === 'partial')
    expect(partial.map(({ count }) => count)).toEqual([UNKNOWN.length])
    for (const kind of UNKNOWN) expect(partial[0]?.message).toContain(kind)
    await expect(engine.billingHealth({})).rejects.toThrow('The connector "stripe" cannot supply billing health.')
    const names = (await engine.check()).map(({ name }) => name)
    expect(names).not.toContain('usage_not_invoiced')
  })

  it('claims no more of a mirror that has stopped than it proves', async () => {
    const later = await stripeEngine(database, { ...OPTIONS, rates: RATES, now: new Date('2026-07-25T00:00:00Z') })
    const { lists, rows } = (await later.billingNotices({ limit: '500' })).data as Page
    expect(lists).toEqual(page.lists)
    expect(rows.map(({ kind, customer_id }) => `${kind} ${customer_id}`).sort()).toEqual(
      page.rows.map(({ kind, customer_id }) => `${kind} ${customer_id}`).sort(),
    )
    await later.close()
  })

  it('of the recorded account are those that its documents show', async () => {
    const east = await sharedEast(target)
    const recorded = await stripeEngine(east)
    const { rows } = (await recorded.billingNotices({ limit: '500' })).data as Page
    await recorded.close()
    const customersOf = (kind: string) =>
      rows
        .filter((row) => row.kind === kind)
        .map(({ customer_id }) => customer_id)
        .sort()
    // Only collection that is paused by voiding invoices is silent: each of their other customers has an invoice of the last period.
    const silent = await east.adminQuery(`select distinct t._raw_data ->> 'customer' as id from stripe.subscriptions as t
      where t._raw_data ->> 'status' = 'active' and t._raw_data -> 'pause_collection' ->> 'behavior' = 'void' order by 1`)
    expect(customersOf('silent_account').length).toBe(5)
    expect(silent.map(({ id }) => String(id))).toEqual(expect.arrayContaining(customersOf('silent_account')))
    const pastDue = await east.adminQuery(`select distinct t._raw_data ->> 'customer' as id from stripe.subscriptions as t
      where t._raw_data ->> 'status' = 'past_due' order by 1`)
    expect(pastDue).toHaveLength(5)
    expect(customersOf('mrr_at_risk')).toEqual(expect.arrayContaining(pastDue.map(({ id }) => String(id))))
    expect(customersOf('never_attempted')).toEqual([])
  })
})

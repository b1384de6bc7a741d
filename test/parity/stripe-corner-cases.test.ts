import { afterAll, beforeAll, expect, it } from 'vitest'
import { groupBy } from '../../src/core/group-by.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { eastTables } from '../support/data/stripe/east-rows.ts'
import { at, type Document, handMade, type Line, type HandMade as Mirror, stamp } from '../support/data/stripe/hand-made.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

const NOW = new Date('2026-07-01T00:00:00Z')
const RATES = 'date,from,to,rate\n2025-01-01,EUR,USD,1\n2025-01-01,JPY,USD,1\n2025-01-01,KWD,USD,1\n'

type Rows = readonly Document[]

/** The movements of all subscriptions, by id, as `day type cents`. */
async function movements(engine: Engine): Promise<ReadonlyMap<string, readonly string[]>> {
  const changes = await engine.rows.getSubscriptionChanges('2025-01-01', '2026-06-30')
  return new Map(
    [...groupBy(changes, ({ subscription_id }) => String(subscription_id))].map(([id, own]) => [
      id,
      own.map(({ occurred_at, type, amount_usd_cents }) => `${occurred_at.slice(5, 10)} ${type} ${amount_usd_cents}`),
    ]),
  )
}

/** One change with two credits, and at the same instant an item that is removed: no line of them names an item. */
async function severalCredits({ subscription, invoice }: Mirror) {
  await subscription('swap', '01-10', [{ id: 'si_a', price: { id: 'q20' } }])
  const month = ['01-10', '02-10'] as const
  await invoice('swap', '01-10', [
    { price: 'p10', item: 'si_a', span: month, amount: 1_000 },
    { price: 'r5', item: 'si_b', span: month, amount: 500 },
  ])
  const rest = ['01-20', '02-10'] as const
  await invoice('swap', '02-10', [
    { price: 'r5', span: rest, amount: -300, change: 'credit' },
    { price: 'p10', span: rest, amount: -300, change: 'credit' },
    { price: 'p10', span: rest, amount: -300, change: 'credit' },
    { price: 'q20', span: rest, amount: 1_300, change: 'debit' },
    { price: 'q20', item: 'si_a', span: ['02-10', '03-10'], amount: 2_000 },
  ])
}

/** Two changes at one instant, the first of them with two credits. */
async function twoChanges({ subscription, invoice }: Mirror) {
  await subscription('pair', '01-10', [
    { id: 'si_c', price: { id: 'q20' } },
    { id: 'si_d', price: { id: 's40' } },
  ])
  const month = ['01-10', '02-10'] as const
  await invoice('pair', '01-10', [
    { price: 'p10', item: 'si_c', span: month, amount: 1_000 },
    { price: 'r5', item: 'si_d', span: month, amount: 500 },
  ])
  const rest = ['01-20', '02-10'] as const
  await invoice('pair', '01-20', [
    { price: 'p10', span: rest, amount: -300, change: 'credit' },
    { price: 'p10', span: rest, amount: -300, change: 'credit' },
    { price: 'q20', span: rest, amount: 1_300, change: 'debit' },
    { price: 'r5', span: rest, amount: -300, change: 'credit' },
    { price: 's40', span: rest, amount: 2_600, change: 'debit' },
  ])
}

/**
 * Two accounts have subscriptions without a row. Of the first account, one has a change in its trial, and the trial of another has a free item. The mirror
 * of the second account began earlier.
 */
async function ghosts({ invoice }: Mirror) {
  await invoice('ghost', '01-10', [{ price: 'p10', item: 'si_g', span: ['01-10', '01-24'], amount: 0 }])
  await invoice('ghost', '01-15', [
    { price: 'p10', item: 'si_g', span: ['01-15', '01-24'], amount: 0, change: 'credit' },
    { price: 'q20', item: 'si_g', span: ['01-15', '01-24'], amount: 0, change: 'debit' },
  ])
  await invoice('ghost', '01-24', [{ price: 'q20', item: 'si_g', span: ['01-24', '02-24'], amount: 2_000 }])
  const item = { item: 'si_m', span: ['01-10', '01-24'] as const, amount: 0 }
  await invoice('mild', '01-10', [
    { ...item, price: 'p10' },
    { ...item, price: 'free', item: 'si_f' },
  ])
  await invoice('mild', '01-24', [{ ...item, price: 'p10', span: ['01-24', '02-24'], amount: 1_000 }])
  await invoice('away', '01-10', [{ price: 'b10', item: 'si_w', span: ['01-10', '02-10'], amount: 1_000 }], {}, 'acct_b')
}

/** A price of a fraction in another currency than its own; and a subscription whose first invoice was paid in another one. */
async function currencies({ subscription, invoice }: Mirror) {
  const line = { price: 'frac', span: ['01-10', '02-10'] as const }
  const euros = (quantity: number, amount: number) => ({ ...line, item: 'si_e', amount, more: { currency: 'eur', quantity } })
  await invoice('few', '01-10', [{ ...euros(2, 2), item: 'si_f' }], { currency: 'eur' })
  await invoice('many', '01-10', [euros(1_000, 1_234)], { currency: 'eur' })
  await subscription('many', '01-10', [{ id: 'si_e', price: { id: 'frac' }, quantity: 1_000 }], { currency: 'eur' })
  await subscription('turned', '01-10', [{ id: 'si_t', price: { id: 'frac' }, quantity: 1_000 }], { currency: 'eur' })
  await invoice('turned', '01-10', [{ ...line, item: 'si_t', amount: 500, more: { quantity: 1_000 } }])
}

/** Lives: paused after a trial and resumed, expired at its end, unpaid with an old draft, and a trial inside a running subscription. */
async function lives({ subscription, invoice }: Mirror) {
  const trial = { trial_start: at('01-10'), trial_end: at('01-24') }
  const [item] = [{ id: 'si_1', price: { id: 'p10' } }]
  const free = { price: 'p10', item: 'si_1', span: ['01-10', '01-24'] as const, amount: 0 }
  const month = (from: string, to: string): Line => ({ price: 'p10', item: 'si_1', span: [from, to], amount: 1_000 })
  await subscription('resumed', '01-10', [item], trial)
  await invoice('resumed', '01-10', [free])
  await invoice('resumed', '02-05', [month('02-05', '03-05')])
  await subscription('waits', '01-10', [item], { ...trial, status: 'paused' })
  await subscription('expired', '01-10', [item], { ...trial, status: 'canceled', ended_at: at('01-24') + 30 })
  await invoice('expired', '01-10', [free])
  await subscription('debtor', '01-10', [item], { status: 'unpaid' })
  await invoice('debtor', '01-10', [month('01-10', '02-10')], { status: 'draft' })
  await invoice('debtor', '02-10', [month('02-10', '03-10')])
  await invoice('debtor', '03-10', [month('03-10', '04-10')], { status: 'open' })
  await invoice('debtor', '04-10', [month('04-10', '05-10')], { status: 'draft' })
  await invoice('debtor', '05-10', [month('05-10', '06-10')], { status: 'draft' })
  await subscription('rested', '01-10', [item], { trial_start: at('03-10'), trial_end: at('04-10') })
  await invoice('rested', '01-10', [month('01-10', '02-10')])
}

/**
 * Items: a monthly and a yearly one, one that is gone, and one that the row does not know yet. Others differ from their line, or came later, or have
 * a change that only the row knows.
 */
async function items({ subscription, invoice }: Mirror) {
  const [monthly, yearly] = [
    { id: 'si_m', price: { id: 'p10' } },
    { id: 'si_n', price: { id: 'y120' } },
  ]
  await subscription('mixed', '01-10', [monthly, yearly])
  const year = { price: 'y120', item: 'si_n', span: ['01-10', '12-31'] as const, amount: 12_000 }
  const month = (from: string, to: string, more: Document = {}): Line => ({
    price: 'p10',
    item: 'si_m',
    span: [from, to],
    amount: 1_000,
    more,
  })
  await invoice('mixed', '01-10', [month('01-10', '02-10'), year])
  await invoice('mixed', '02-10', [month('02-10', '03-10')])
  await subscription('gone', '01-10', [monthly], {}, '02-03')
  await invoice('gone', '01-10', [month('01-10', '02-10'), { ...year, price: 'r5', item: 'si_r', span: ['01-10', '02-10'] }])
  await subscription('behind', '01-10', [monthly], {}, '02-03')
  await invoice('behind', '01-10', [month('01-10', '02-10')])
  const rest = ['02-15', '03-10'] as const
  await invoice('behind', '02-15', [{ price: 'r5', item: 'si_r', span: rest, amount: 400, change: 'debit' }])
  await subscription(
    'differs',
    '01-10',
    [
      { ...monthly, quantity: 3 },
      { id: 'si_l', price: { id: 'r5' }, created: at('02-20') },
    ],
    {},
    '03-01',
  )
  await invoice('differs', '01-10', [month('01-10', '02-10')])
  await invoice('differs', '02-10', [month('02-10', '03-10')])
  await subscription('ended', '01-10', [{ ...monthly, quantity: 9 }], {
    status: 'canceled',
    ended_at: at('02-10'),
    canceled_at: at('01-20'),
  })
  await invoice('ended', '01-10', [month('01-10', '02-10')], { status: 'void' })
  await subscription('secret', '01-10', [monthly], { livemode: false })
  await invoice('early', '06-10', [month('06-10', '06-20')])
  await invoice('once', '02-10', [{ price: 'single', span: ['02-10', '02-10'], amount: 900 }])
}

/** Packages that are rounded up and down, decimals of a quantity, and currencies without and with three decimals. */
async function amounts({ subscription }: Mirror) {
  await subscription('packs', '01-10', [
    { id: 'si_p1', price: { id: 'up10' }, quantity: 11 },
    { id: 'si_p2', price: { id: 'down5' }, quantity: 9 },
    { id: 'si_p3', price: { id: 'p10' }, quantity: null, quantity_decimal: '2.5' },
  ])
  await subscription('yen', '01-10', [{ id: 'si_y', price: { id: 'yen' }, quantity: 2 }], { currency: 'jpy' })
  await subscription('dinar', '01-10', [{ id: 'si_k', price: { id: 'dinar' } }], { currency: 'kwd' })
}

async function prices({ price }: Mirror) {
  for (const [id, unit] of [
    ['p10', '1000'],
    ['q20', '2000'],
    ['free', '0'],
    ['r5', '500'],
    ['s40', '4000'],
    ['frac', '0.5'],
  ] as const)
    await price(id, unit)
  await price('up10', '1500', { transform_quantity: { divide_by: 10, round: 'up' } })
  await price('down5', '700', { transform_quantity: { divide_by: 5, round: 'down' } })
  await price('b10', '1000', {}, 'month', 'acct_b')
  await price('y120', '12000', {}, 'year')
  await price('meter', '1', { currency: 'kwd', recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } })
  await price('yen', '1000', { currency: 'jpy' }, 'year')
  await price('dinar', '12345', { currency: 'kwd' })
}

onPostgres('corner cases of a mirror of Stripe', (target) => {
  let database: TestDatabase
  let mirror: Mirror
  let straight: Engine
  let cached: Engine
  let cache: CountedCache
  let found: ReadonlyMap<string, readonly string[]>
  const options = { now: NOW, rates: RATES, settings: { account: ['all'] } }
  const days = async (engine: Engine) =>
    (await engine.query('mrr', { query_type: 'series', start: '2026-01-01', end: '2026-06-30' })).data
  beforeAll(async () => {
    database = await target.createDatabase()
    await database.adminQuery(eastTables())
    mirror = handMade(database)
    await mirror.account('acct_a', stamp('06-01'))
    await mirror.account('acct_b', stamp('01-20'))
    for (const fill of [prices, severalCredits, twoChanges, ghosts, currencies, lives, items, amounts]) await fill(mirror)
    straight = await stripeEngine(database, options)
    cached = await stripeEngine(database, { ...options, onCache: (made) => (cache = made) })
  })
  beforeAll(async () => {
    found = await movements(straight)
  })
  afterAll(() => Promise.all([straight.close(), cached.close()]))

  it.each([
    ['swap', ['01-10 new 1500', '01-20 expansion 500']],
    ['pair', ['01-10 new 1500', '01-20 expansion 4500']],
    ['ghost', ['01-24 new 2000', '02-24 churn -2000']],
    ['mild', ['01-24 new 1000', '02-24 churn -1000']],
    ['away', ['01-10 new 1000', '01-20 churn -1000']],
    ['many', ['01-10 new 1234']],
    ['turned', ['01-10 new 1234']],
    ['resumed', ['02-05 new 1000']],
    ['waits', []],
    ['expired', []],
    ['debtor', ['01-10 new 1000', '04-10 churn -1000']],
    ['rested', ['01-10 new 1000', '03-10 contraction -1000', '04-10 expansion 1000']],
    ['mixed', ['01-10 new 2000']],
    ['gone', ['01-10 new 1500', '02-03 contraction -500']],
    ['behind', ['01-10 new 1000', '02-15 expansion 500', '03-10 contraction -500']],
    ['differs', ['01-10 new 1000', '02-20 expansion 500', '03-01 expansion 2000']],
    ['ended', ['01-10 new 1000', '02-10 churn -1000']],
    ['secret', []],
    ['early', []],
    ['once', []],
    ['packs', ['01-10 new 6200']],
    ['yen', ['01-10 new 16666']],
    ['dinar', ['01-10 new 1235']],
  ])('subscription %s has its movements', (id, expected) => {
    expect(found.get(id) ?? []).toEqual(expected)
  })

  it('has the same MRR of each day from the cache', async () => {
    expect(await days(cached)).toEqual(await days(straight))
    expect([cache.answered(), cache.failures()]).toEqual([1, []])
  })

  it('has no subscription whose row is still to come', async () => {
    const day = await straight.rows.getActiveSubscriptions('2026-06-12')
    expect(day.filter(({ subscription_id }) => subscription_id === 'early')).toEqual([])
  })

  it('counts what was paid, with negative totals and without credit notes, in each currency', async () => {
    const paid = { span: ['01-31', '03-01'] as const, price: 'meter', item: 'si_u' }
    const metered = { ...paid, amount: 1_001, more: { currency: 'kwd' } }
    await mirror.invoice('usage', '03-02', [metered], { currency: 'kwd', total: 1_005, pre_payment_credit_notes_amount: 100 })
    await mirror.invoice('usage', '03-03', [], { total: -700, amount_paid: 0 })
    await mirror.invoice('usage', '03-04', [], { total: 300, currency: 'jpy', deleted: true })
    for (const engine of [straight, cached]) {
      const invoices = (await engine.rows.getInvoices('2026-03-02', '2026-03-04')).filter(
        ({ customer_id }) => customer_id === 'cus_usage',
      )
      expect(invoices.map(({ total_cents, status }) => [total_cents, status])).toEqual([
        [91, 'paid'],
        [-700, 'paid'],
      ])
      const usage = await engine.query('usage_revenue', { query_type: 'series', start: '2026-01-01', end: '2026-03-31' })
      expect((usage.data as Rows).map((row) => row['revenue'])).toEqual([50, 50, 0])
    }
  })

  it('follows documents that change, are marked as deleted, or are of another account', async () => {
    const update = (table: string, id: string, more: Document) =>
      database.adminQuery(
        `update stripe.${table} set _raw_data = _raw_data || '${JSON.stringify(more)}', _last_synced_at = '${stamp('06-25')}' where id = '${id}'`,
      )
    await update('subscriptions', 'yen', { status: 'canceled', ended_at: at('06-25') })
    await update('invoices', 'in_few_01-10', { deleted: true })
    await update('customers', 'cus_yen', { deleted: true })
    await mirror.subscription('later', '06-21', [{ id: 'si_z', price: { id: 'b10' } }], {}, '06-21', 'acct_b')
    const own = await movements(straight)
    expect(await days(cached)).toEqual(await days(straight))
    expect([own.get('yen'), own.get('later')]).toEqual([['01-10 new 16666', '06-25 churn -16666'], ['06-21 new 1000']])
    expect([cache.failures(), cache.statistics().refills]).toEqual([[], {}])
    expect(cache.answered()).toBeGreaterThan(2)
  })

  it('reads the accounts that are asked for, one or several', async () => {
    const only = await stripeEngine(database, { ...options, settings: { account: ['acct_b'] } })
    expect([...(await movements(only)).keys()].sort()).toEqual(['away', 'later'])
    await only.close()
    const both = await stripeEngine(database, { ...options, settings: { account: ['acct_a', 'acct_b'] } })
    expect(await movements(both)).toEqual(await movements(straight))
    await both.close()
  })
})

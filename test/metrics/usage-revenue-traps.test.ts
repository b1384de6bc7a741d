import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, unknown>>

interface Invoice {
  readonly account: number
  readonly created: string
  readonly paid?: string
  readonly cells?: Cells
  readonly items: readonly Cells[]
}

const RATES = ['date,from,to,rate', '2025-01-01,EUR,USD,1.10', '2025-03-01,EUR,USD,1.20'].join('\n')

// Accounts: 1 A, 2 B (EUR, no country), 3 T (test), 4 P (parent of A's child invoice), 5 J (yen, no rate)
const INVOICES: Readonly<Record<string, Invoice>> = {
  quarter: { account: 1, created: '2025-04-02', paid: '2025-04-02', items: [usage('S1', '2025-01-15', '10.00', '2025-04-15')] },
  adjusted: {
    account: 1,
    created: '2025-02-02',
    paid: '2025-02-10',
    items: [
      usage('S1', '2025-02-01', '8.00', null, { id: 'item' }),
      { type: 'ITEM_ADJ', amount: '-3.00', linked_item_id: 'item', created_date: '2025-02-05 00:00:00' },
      { type: 'ITEM_ADJ', amount: '-2.00', linked_item_id: 'item', created_date: '2025-02-20 00:00:00' },
    ],
  },
  'paid after the change': {
    account: 1,
    created: '2025-05-02',
    paid: '2025-05-08',
    items: [usage('S2', '2025-04-01', '7.00', '2025-05-01')],
  },
  'paid after the end': { account: 2, created: '2025-03-01', paid: '2025-03-20', items: [usage('S3', '2025-02-01', '5.00')] },
  'at the rate of the payment': {
    account: 2,
    created: '2025-02-01',
    paid: '2025-02-03',
    items: [usage('S3', '2025-01-31', '0.05')],
  },
  open: { account: 2, created: '2025-03-01', items: [usage('S3', '2025-02-15', '99.00')] },
  'paid later than now': { account: 2, created: '2025-03-01', paid: '2025-07-01', items: [usage('S3', '2025-02-15', '99.00')] },
  void: {
    account: 1,
    created: '2025-03-01',
    paid: '2025-03-01',
    cells: { status: 'VOID' },
    items: [usage('S1', '2025-03-01', '99.00')],
  },
  cancelling: {
    account: 4,
    created: '2025-03-01',
    paid: '2025-03-02',
    items: [usage('S5', '2025-03-01', '4.00'), usage('S5', '2025-03-02', '-4.00')],
  },
  child: { account: 1, created: '2025-03-01', items: [usage('S1', '2025-03-01', '6.00')] },
  parent: {
    account: 4,
    created: '2025-03-01',
    paid: '2025-03-09',
    cells: { parent_invoice: true },
    items: [{ type: 'PARENT_SUMMARY', amount: '6.00' }],
  },
  'of a test account': { account: 3, created: '2025-03-01', paid: '2025-03-01', items: [usage('S4', '2025-03-01', '99.00')] },
  'no rate needed': { account: 5, created: '2025-03-01', items: [usage('S6', '2025-03-01', '0')] },
  'without a plan': {
    account: 1,
    created: '2025-06-01',
    paid: '2025-06-01',
    items: [usage('S1', '2025-05-01', '1.00', null, { phase_name: null })],
  },
}

const UNRATED: Invoice = { account: 5, created: '2025-05-01', paid: '2025-05-03', items: [usage('S6', '2025-04-01', '900')] }

everyEngine('usage revenue: traps', (target) => {
  let engine: Engine
  let withUnrated: Engine
  beforeAll(async () => {
    const options = { now: new Date('2025-06-10T00:00:00Z'), store: await ratesOnly(RATES) }
    engine = await engineOver((await fillDatabase(target, tables(INVOICES))).database, options)
    withUnrated = await engineOver((await fillDatabase(target, tables({ ...INVOICES, UNRATED }))).database, options)
  })
  const ask = async (params: Cells, spec: Cells = {}, from = engine): Promise<unknown> =>
    (await from.query('usage_revenue', params, spec)).data
  const YEAR = { start: '2025-01-01', end: '2025-12-31' }
  const of = (account: string) => ({ filters: { 'customer.external_key': account } })

  it('an item over three months is three charges, the rest in the last; the range cuts between them (D55)', async () => {
    const only = { filters: { ...of('A').filters, period_start: { between: ['2025-01-01', '2025-03-01'] }, plan_id: 'meter' } }
    expect(await ask({ query_type: 'series', start: '2025-01-15', end: '2025-03-31' }, only)).toEqual([
      { period: '2025-01-01', revenue: 333 },
      { period: '2025-02-01', revenue: 333 + 500 },
      { period: '2025-03-01', revenue: 334 + 600 },
    ])
    expect(await ask({ start: '2025-01-16', end: '2025-01-31' }, of('A'))).toBe(0)
    expect(await ask({ start: '2025-03-01', end: '2025-03-01' }, of('A'))).toBe(334 + 600)
  })

  it('adjustments count up to the payment, later ones do not (D55)', async () => {
    expect(await ask({ start: '2025-02-01', end: '2025-02-28' }, of('A'))).toBe(333 + 800 - 300)
  })

  it('each charge has the rate of its payment day; by currency the cents are original (D13, D14)', async () => {
    expect(await ask({ query_type: 'series', start: '2025-01-01', end: '2025-02-28' }, of('B'))).toEqual([
      { period: '2025-01-01', revenue: 6 },
      { period: '2025-02-01', revenue: 600 },
    ])
    expect(await ask({ start: '2025-01-01', end: '2025-02-28' }, { dimensions: ['currency', 'customer_country'] })).toEqual([
      { currency: 'EUR', customer_country: null, revenue: 5 + 500 },
      { currency: 'USD', customer_country: 'DE', revenue: 333 + 333 + 500 },
    ])
    expect(await ask({ start: '2025-01-01', end: '2025-02-28' }, { filters: { currency: 'eur' } })).toBe(606)
  })

  it('the plan is that of the item, the price list that of the subscription when it was paid (D61)', async () => {
    const april = { start: '2025-04-01', end: '2025-04-30' }
    expect(await ask(april, { dimensions: ['plan_id', 'plan_name', 'price_list', 'bundle_id'] })).toEqual([
      { plan_id: 'meter', plan_name: 'Meter', price_list: 'SPECIAL', bundle_id: 'S2', revenue: 700 },
    ])
    expect(await ask(april, { filters: { plan_id: 'flat' } })).toBe(0)
  })

  it('a charge paid after the end of its subscription still knows its plan and price list', async () => {
    expect(await ask({ start: '2025-02-01', end: '2025-02-28' }, { dimensions: ['plan_id', 'price_list'], ...of('B') })).toEqual([
      { plan_id: 'meter', price_list: 'DEFAULT', revenue: 600 },
    ])
  })

  it('an item that names no plan has that of its subscription when it was paid', async () => {
    expect(await ask({ start: '2025-05-01', end: '2025-05-31' }, { dimensions: ['plan_id', 'price_list'] })).toEqual([
      { plan_id: 'meter', price_list: 'DEFAULT', revenue: 100 },
    ])
  })

  it('the owner of the subscription is the customer, charges that cancel out list nobody, TEST accounts count nowhere', async () => {
    const march = { query_type: 'by_customer', start: '2025-03-01', end: '2025-03-31' }
    expect(await ask(march)).toEqual([{ customer_id: 'A', customer_name: 'Name A', revenue: 334 + 600 }])
    expect(await ask({ ...march, query_type: 'total' })).toBe(334 + 600)
    expect(await ask({ ...march, granularity: 'day' })).toEqual([
      { period: '2025-03-01', customer_id: 'A', customer_name: 'Name A', revenue: 334 + 600 },
      { period: '2025-03-01', customer_id: 'P', customer_name: 'Name P', revenue: 400 },
      { period: '2025-03-02', customer_id: 'P', customer_name: 'Name P', revenue: -400 },
    ])
  })

  it('lists the largest customer first, whatever its id', async () => {
    const first = { query_type: 'by_customer', start: '2025-02-01', end: '2025-02-28' }
    const names = async (filters: Cells) =>
      ((await ask(first, { filters })) as Cells[]).map((row) => [row['customer_id'], row['revenue']])
    expect(await names({})).toEqual([
      ['A', 833],
      ['B', 600],
    ])
    expect(await names({ period_start: '2025-02-01', price_list: 'DEFAULT' })).toEqual([
      ['A', 833],
      ['B', 600],
    ])
    expect(await ask({ ...first, start: '2025-01-31' }, of('B'))).toEqual([
      { customer_id: 'B', customer_name: 'Name B', revenue: 606 },
    ])
  })

  it('tenure is that at 00:00 of the day of the charge (D61)', async () => {
    expect(await ask({ start: '2025-01-01', end: '2025-03-31' }, { dimensions: ['tenure_months'], ...of('A') })).toEqual([
      { tenure_months: 0, revenue: 333 + 333 + 500 },
      { tenure_months: 1, revenue: 334 + 600 },
    ])
  })

  it('a missing rate fails what needs it and names it; a charge of 0 and original cents need none (D14)', async () => {
    expect(await ask(YEAR)).toBe(333 + 333 + 334 + 500 + 600 + 700 + 100 + 606)
    await expect(ask(YEAR, {}, withUnrated)).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { currency: 'JPY', base_currency: 'USD', date: '2025-05-03', count: 1 },
    })
    await expect(ask(YEAR, { dimensions: ['plan_id'] }, withUnrated)).rejects.toMatchObject({ code: 'missing_fx_rate' })
    expect(await ask(YEAR, { dimensions: ['currency'], filters: { currency: 'JPY' } }, withUnrated)).toEqual([
      { currency: 'JPY', revenue: 90000 },
    ])
    expect(await ask({ start: '2025-01-01', end: '2025-03-31' }, of('J'), withUnrated)).toBe(0)
    expect(await ask(YEAR, { filters: { currency: 'USD' } }, withUnrated)).toBe(333 + 333 + 334 + 500 + 600 + 700 + 100)
  })
})

function usage(
  subscription_id: string,
  start_date: string,
  amount: string,
  end_date: string | null = null,
  more: Cells = {},
): Cells {
  return { type: 'USAGE', subscription_id, start_date, end_date, amount, phase_name: 'meter-evergreen', ...more }
}

function tables(invoices: Readonly<Record<string, Invoice>>): Record<string, readonly Cells[]> {
  const meter = phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '10', EUR: '9', JPY: '1000' }, usage: true })
  const flat = phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '20', EUR: '18', JPY: '2000' } })
  const plans = [planXml('meter', { pretty: 'Meter', final: meter }), planXml('flat', { final: flat })]
  const currencies = { A: 'USD', B: 'EUR', T: 'USD', P: 'USD', J: 'JPY' }
  const owners = { S1: 1, S2: 1, S3: 2, S4: 3, S5: 4, S6: 5 }
  const events: readonly (readonly [string, string, string, string?, string?])[] = [
    ...Object.keys(owners).map((id) => [id, 'CREATE', '2025-01-01', 'meter', 'DEFAULT'] as const),
    ['S2', 'CHANGE', '2025-05-01', 'flat', 'SPECIAL'],
    ['S3', 'CANCEL', '2025-03-10'],
  ]
  const entries = Object.entries(invoices)
  return {
    tenants: [{ record_id: 1, external_key: 'one', api_key: 'one' }],
    tenant_kvs: [{ tenant_value: catalogXml({ plans: plans.join('') }) }],
    accounts: Object.entries(currencies).map(([id, currency]) => ({
      id,
      external_key: id,
      name: `Name ${id}`,
      currency,
      country: id === 'B' ? null : 'DE',
      created_date: '2025-01-01 12:00:00',
    })),
    tags: [{ object_id: 'T', object_type: 'ACCOUNT', tag_definition_id: '00000000-0000-0000-0000-000000000006' }],
    bundles: Object.entries(owners).map(([id, account_record_id]) => ({
      id,
      external_key: id,
      account_id: 'x',
      account_record_id,
    })),
    subscriptions: Object.entries(owners).map(([id, account_record_id]) => ({ id, bundle_id: id, account_record_id })),
    subscription_events: events.map(([subscription_id, user_type, day, plan_name = null, price_list_name = null]) => ({
      subscription_id,
      user_type,
      effective_date: `${day} 00:00:00`,
      plan_name,
      phase_name: plan_name === null ? null : `${plan_name}-evergreen`,
      price_list_name,
      quantity: 0,
      account_record_id: owners[subscription_id as keyof typeof owners],
    })),
    invoices: entries.map(([id, { account, created, cells = {} }]) => {
      const currency = Object.values(currencies)[account - 1]
      return { id, account_id: 'x', account_record_id: account, currency, created_date: `${created} 00:00:00`, ...cells }
    }),
    invoice_items: entries.flatMap(([invoice_id, { account, created, items }]) =>
      items.map((item) => ({
        invoice_id,
        account_id: 'x',
        account_record_id: account,
        currency: Object.values(currencies)[account - 1],
        created_date: `${created} 00:00:00`,
        ...item,
      })),
    ),
    invoice_payments: entries.flatMap(([invoice_id, { account, paid, items }]) =>
      paid === undefined
        ? []
        : [{ invoice_id, account_record_id: account, amount: totalOf(items, paid), payment_date: `${paid} 00:00:00` }],
    ),
    invoice_parent_children: [
      { parent_invoice_id: 'parent', child_invoice_id: 'child', child_account_id: 'A', account_record_id: 4 },
    ],
  }
}

// The total that the invoice charges on the day of the payment.
function totalOf(items: readonly Cells[], paid: string): string {
  const known = items.filter((item) => String(item['created_date'] ?? '') <= `${paid} 00:00:00`)
  return known.reduce((sum, item) => sum + Number(item['amount']), 0).toFixed(2)
}

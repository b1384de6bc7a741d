import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held } from '../support/data/catalogs/trap-catalog.ts'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

type Invoice = NonNullable<Scenario['invoices']>[string]
type Cells = Readonly<Record<string, unknown>>

const AUTO_PAY_OFF = '00000000-0000-0000-0000-000000000001'
const ENTITLEMENT = 'entitlement-service'
const OVERDUE = 'overdue-service'

const plans = (gold: string) =>
  planXml('gold', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: gold } }) }) +
  monthlyPlan('silver', '10') +
  planXml('year', { final: phaseXml('EVERGREEN', { period: 'ANNUAL', prices: { USD: '120' } }) })

/** `gold` for 30, and for 36 for those who buy it since November. */
const CATALOGS = [catalogOf(plans('30')), catalogXml({ effectiveDate: '2025-11-01T00:00:00Z', plans: plans('36') })]

const invoice = (account: string, created: string, amount: string, more: Partial<Invoice> = {}): Invoice => ({
  account,
  created,
  items: [['RECURRING', amount, { rate: '0' }]],
  ...more,
})

/** An invoice that was paid on its day. */
const paid = (account: string, day: string, amount = '10') => invoice(account, day, amount, { payments: [[day, amount]] })

/** An invoice whose payment has failed. */
const failed = (account: string, day: string, amount: string) =>
  invoice(account, day, amount, { payments: [[day, '0', { status: 'INIT' }]] })

const NAMES = [...'ABCDEFGHIJKLMNOPQRSTUVW']
const CHILD = { parent_account_id: 'R', is_payment_delegated_to_parent: true }

const SCENARIO: Scenario = {
  catalogs: CATALOGS,
  accounts: {
    ...Object.fromEntries(NAMES.map((name) => [name, {}])),
    J: { currency: 'CHF' },
    P: { payment_method_id: 'card' },
    Q: CHILD,
    S: CHILD,
    T: CHILD,
  },
  subscriptions: {
    a: { account: 'A', ...held('gold', '2025-12-15') },
    b: { account: 'B', events: [...held('gold', '2025-10-01').events, ['2025-10-01', 'QUANTITY_UPDATE', 2]] },
    c: { account: 'C', ...held('gold', '2025-11-15') },
    d: { account: 'D', ...held('gold', '2025-12-01') },
    e: { account: 'E', ...held('gold', '2025-12-01') },
    f: { account: 'F', ...held('silver', '2025-10-15') },
    g: { account: 'G', ...held('silver', '2025-11-30') },
    h: { account: 'H', ...held('silver', '2025-11-29') },
    i: { account: 'I', ...held('year', '2025-02-01') },
    j: { account: 'J', ...held('gold', '2025-12-01') },
    k: { account: 'K', bundle: 'K', ...held('gold', '2025-12-01') },
    kk: { account: 'K', bundle: 'K', category: 'ADD_ON', ...held('silver', '2025-12-01') },
    l: { account: 'L', bundle: 'L', ...held('gold', '2025-12-01', '2026-02-01') },
    ll: { account: 'L', bundle: 'L', category: 'ADD_ON', ...held('silver', '2025-12-01') },
    m: { account: 'M', ...held('silver', '2025-09-01') },
    n: { account: 'N', ...held('silver', '2025-12-10') },
    o: { account: 'O', ...held('silver', '2025-12-10') },
    p: { account: 'P', ...held('silver', '2025-12-10') },
    q: { account: 'Q', ...held('silver', '2025-12-05') },
    s: { account: 'S', ...held('silver', '2025-12-05') },
    t: { account: 'T', ...held('silver', '2025-12-05') },
    // It has ended, so its price and its silence do not matter.
    u: { account: 'U', ...held('gold', '2025-06-01', '2025-09-01') },
    v: { account: 'V', ...held('silver', '2025-11-20') },
    w: { account: 'W', ...held('silver', '2025-11-20') },
  },
  blocks: [
    ['account D', OVERDUE, '2025-12-20', false, 'OD1'],
    ['account E', OVERDUE, '2025-12-10', false, 'OD1'],
    ['account E', OVERDUE, '2025-12-20', false, '__KILLBILL__CLEAR__OVERDUE_STATE__'],
    ['kk', ENTITLEMENT, '2025-12-10', false, 'ENT_CANCELLED'],
    ['ll', ENTITLEMENT, '2025-12-10', false, 'ENT_CANCELLED'],
  ],
  invoices: {
    a: paid('A', '2025-12-15', '36'),
    b: paid('B', '2025-12-01', '60'),
    c1: failed('C', '2025-11-15', '36'),
    c2: failed('C', '2025-12-15', '36'),
    d: paid('D', '2025-12-01', '36'),
    e: paid('E', '2025-12-01', '36'),
    f: paid('F', '2025-11-15'),
    i: paid('I', '2025-02-01', '120'),
    k: paid('K', '2025-12-01', '46'),
    l: paid('L', '2025-12-01', '46'),
    m: {
      ...paid('M', '2025-12-20', '15'),
      items: [
        ['RECURRING', '10', { rate: '0' }],
        ['USAGE', '5', { subscription_id: 'm', start_date: '2025-10-01', end_date: '2025-11-01' }],
      ],
    },
    n: invoice('N', '2025-12-10', '10'),
    o: invoice('O', '2025-12-10', '10'),
    p: invoice('P', '2025-12-10', '10'),
    q: invoice('Q', '2025-12-05', '10'),
    r1: {
      ...invoice('R', '2025-12-05', '10'),
      cells: { status: 'DRAFT', parent_invoice: true },
      items: [['PARENT_SUMMARY', '10']],
    },
    s: invoice('S', '2025-12-05', '10'),
    t: invoice('T', '2025-12-05', '10'),
    r2: { ...paid('R', '2025-12-06'), cells: { parent_invoice: true }, items: [['PARENT_SUMMARY', '10']] },
    // Both were paid. The bank took the money of the first one back, and of the second one a part was refunded lately.
    v1: {
      ...paid('V', '2025-11-20'),
      payments: [
        ['2025-11-20', '10'],
        ['2025-12-01', '-10', { type: 'CHARGED_BACK' }],
      ],
    },
    v2: paid('V', '2025-12-20'),
    w: {
      ...paid('W', '2025-12-20'),
      payments: [
        ['2025-12-20', '10'],
        ['2025-12-28', '-4', { type: 'REFUND' }],
      ],
    },
    // A draft and a void invoice are not collected, and they end no silence.
    h: { ...invoice('H', '2025-12-10', '10'), cells: { status: 'VOID' } },
  },
  links: [
    { parent_invoice_id: 'r1', child_invoice_id: 'q', child_account_id: 'Q' },
    { parent_invoice_id: 'r2', child_invoice_id: 't', child_account_id: 'T' },
  ],
  tags: [{ object_type: 'ACCOUNT', object_id: 'N', tag_definition_id: AUTO_PAY_OFF, account_record_id: NAMES.indexOf('N') + 1 }],
  // The first two have no item. An item bills the third, and the fourth is younger than 62 days.
  usage: { m: ['2025-09-10', '2025-09-20', '2025-10-05', '2025-12-20'] },
}

/** Kind, customer, subscription or invoice, since, open cents, cents of a month. The order is that of the answer. */
const EXPECTED = [
  ['mrr_at_risk', 'C', null, '2025-11-15', 3600, 3600],
  ['mrr_at_risk', 'D', null, '2025-12-20', 0, 3600],
  ['below_list_price', 'B', 'b', '2025-10-01', 0, 1200],
  ['mrr_at_risk', 'V', null, '2025-11-20', 1000, 1000],
  ['addon_without_entitlement', 'K', 'kk', '2025-12-10', 0, 1000],
  ['silent_account', 'F', null, '2025-11-15', 0, 1000],
  ['silent_account', 'H', null, '2025-11-29', 0, 1000],
  ['never_attempted', 'N', 'n', '2025-12-10', 1000, 0],
  ['never_attempted', 'O', 'o', '2025-12-10', 1000, 0],
  ['never_attempted', 'P', 'p', '2025-12-10', 1000, 0],
  ['child_not_on_parent', 'Q', 'q', '2025-12-05', 1000, 0],
  ['child_not_on_parent', 'S', 's', '2025-12-05', 1000, 0],
  ['without_price', 'J', 'j', null, 0, null],
  ['usage_not_invoiced', 'M', 'm', '2025-09-10', null, 0],
]

const SENTENCES: Readonly<Record<string, string>> = {
  C: 'An invoice is unpaid for more than 30 days.',
  D: 'The customer is overdue (OD1).',
  B: 'Agreed: 60.00 USD a month. List price of today: 72.00 USD a month.',
  K: 'The entitlement of the add-on has ended, and it is billed 10.00 USD a month without an end.',
  F: 'The last invoice is of 2025-11-15.',
  H: 'The customer has never had an invoice.',
  N: 'Nobody has tried to collect it: automatic payment is off.',
  O: 'Nobody has tried to collect it: the account has no payment method.',
  P: 'Nobody has tried to collect it.',
  Q: 'A parent pays for the customer, but the invoice of the parent is still a draft.',
  S: 'A parent pays for the customer, but the invoice could not be matched with one of the parent.',
  J: 'No price of gold in CHF is known.',
  V: 'An invoice is unpaid for more than 30 days.',
  M: 'Usage of 2 days is on no invoice.',
}

interface Page {
  readonly total: number
  readonly lists: readonly Cells[]
  readonly rows: readonly Cells[]
}

firstEngineAndOneOther('notices of billing health', (target) => {
  let engine: Engine
  const ask = async (params: Readonly<Record<string, string>> = {}) => (await engine.billingNotices(params)).data as Page
  beforeAll(async () => {
    const engines = await trapEngines(target, { all: SCENARIO })
    engine = await engines('all')
  }, 300_000)

  const plain = (id: unknown) => (typeof id === 'string' ? id.replace(/^1:/, '') : id)

  it('name everything that needs a look, and nothing else', async () => {
    const { total, rows } = await ask()
    const columns = rows.map((row) => [
      row['kind'],
      plain(row['customer_id']),
      plain(row['subscription_id'] ?? row['invoice_id']),
      row['since'],
      row['amount_base_cents'],
      row['monthly_base_cents'],
    ])
    expect(columns).toEqual(EXPECTED)
    expect(total).toBe(EXPECTED.length)
    expect(Object.fromEntries(rows.map((row) => [plain(row['customer_id']), row['sentence']]))).toEqual(SENTENCES)
  })

  it('have sums for each list, in cents and in units', async () => {
    const { lists } = await ask({ limit: '1' })
    const sums = lists.map((list) => [list['kind'], list['count'], list['amount_base_cents'], list['monthly_base_cents']])
    expect(sums).toEqual([
      ['addon_without_entitlement', 1, 0, 1000],
      ['mrr_at_risk', 3, 4600, 8200],
      ['silent_account', 2, 0, 2000],
      ['without_price', 1, 0, null],
      ['usage_not_invoiced', 1, null, 0],
      ['never_attempted', 3, 3000, 0],
      ['child_not_on_parent', 2, 2000, 0],
      ['child_credit_on_parent', 0, 0, 0],
      ['child_void_on_parent', 0, 0, 0],
      ['below_list_price', 1, 0, 1200],
    ])
    const { lists: inUnits, rows } = await ask({ kind: 'mrr_at_risk', money: 'units', limit: '1' })
    expect([inUnits.length, inUnits[0]?.['monthly_base_cents'], rows[0]?.['amount_cents']]).toEqual([1, '82.00', '36.00'])
  })

  it('take filters and pages', async () => {
    const { total, rows } = await ask({ kind: 'never_attempted', limit: '1', offset: '1' })
    expect([total, rows.map((row) => plain(row['customer_id']))]).toEqual([3, ['O']])
    expect((await ask({ customer_id: '1:F' })).total).toBe(1)
    expect((await ask({ currency: 'CHF' })).rows.map((row) => row['kind'])).toEqual(['without_price'])
  })

  it('check names the customer with usage that no invoice has, and since when, and the log nobody', async () => {
    const found = (await engine.check()).filter(({ name }) => name === 'usage_not_invoiced')
    const message =
      'A customer has usage that no invoice has: 1:M since 2025-09-10; `plumbline billing-notices --kind usage_not_invoiced` has the subscriptions'
    const logged =
      'A customer has usage that no invoice has; `plumbline billing-notices --kind usage_not_invoiced` has the subscriptions'
    expect(found).toEqual([{ name: 'usage_not_invoiced', level: 'warning', message, logged }])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { held } from '../support/data/catalogs/trap-catalog.ts'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'

type Cells = Readonly<Record<string, unknown>>
type Invoice = NonNullable<Scenario['invoices']>[string]
type Item = Invoice['items'][number]

const DAY = '2025-12-05'
const PARENT = { parent_invoice: true }
const CHILD = { parent_account_id: 'P', is_payment_delegated_to_parent: true }

/** An invoice of a child of this day, made at a time. */
const told = (account: string, time: string, ...items: readonly Item[]): Invoice => ({
  account,
  created: `${DAY} ${time}`,
  cells: { invoice_date: DAY },
  items,
})
const charge = (amount: string): Item => ['RECURRING', amount, { rate: '0' }]
/** The item of a child on the parent's invoice. */
const item = (child: string, amount: string): Item => ['PARENT_SUMMARY', amount, { child_account_id: child }]
/** An item that comes later. */
const later = (type: string, amount: string, at: string, more: Cells = {}): Item => [
  type,
  amount,
  { created_date: at, ...more } as never,
]

/** An invoice of the parent that was a draft from ten o'clock to the end of the day, and is paid on the next one. */
const summed = (amount: string, ...items: readonly Item[]): Invoice => ({
  account: 'P',
  created: `${DAY} 10:00:02`,
  cells: { ...PARENT, invoice_date: DAY },
  items,
  payments: [[`2025-12-06 08:00:00`, amount]],
  history: [
    ['DRAFT', `${DAY} 10:00:02`],
    ['COMMITTED', '2025-12-06 00:00:00'],
  ],
})

const SCENARIO: Scenario = {
  catalogs: [catalogOf(monthlyPlan('gold', '30'))],
  accounts: { A: CHILD, B: CHILD, C: CHILD, D: CHILD, E: CHILD, P: {} },
  subscriptions: Object.fromEntries([...'abcde'].map((name) => [name, { account: name.toUpperCase(), ...held('gold', DAY) }])),
  invoices: {
    // The day of a recorded child: what is used of its credit later leaves the parent's item as it was.
    a1: told('A', '10:00:01', charge('11.82'), later('CBA_ADJ', '-11.82', `${DAY} 12:00:00`)),
    a2: told('A', '10:00:05', charge('52.64'), ['REPAIR_ADJ', '-15.04']),
    a3: told('A', '10:00:09', ['CREDIT_ADJ', '-3.00'], ['CBA_ADJ', '3.00']),
    a4: told('A', '10:00:12', charge('92.86'), ['REPAIR_ADJ', '-10.32'], later('CBA_ADJ', '-31.60', `${DAY} 12:00:00`)),
    a5: told('A', '10:00:40', charge('10.32'), ['REPAIR_ADJ', '-92.86'], ['CBA_ADJ', '82.54']),
    // Nobody told the parent of a credit, because there was no draft yet.
    a0: told('A', '09:00:00', ['CREDIT_ADJ', '-2.00'], ['CBA_ADJ', '2.00']),
    // The item has 5.00 more than the invoices of B that no link shows.
    b1: told('B', '10:00:01', charge('10.00')),
    b2: told('B', '10:00:03', charge('20.00')),
    // An adjustment of a linked invoice before the commit changes the item. After the commit it does not.
    c1: told(
      'C',
      '10:00:01',
      charge('10.00'),
      later('ITEM_ADJ', '-4.00', `${DAY} 11:00:00`),
      later('ITEM_ADJ', '-1.00', '2025-12-07'),
    ),
    c2: told('C', '10:00:03', charge('20.00')),
    // Two calls within a moment: the later one was added first, and has the link.
    d1: told('D', '10:00:00', charge('7.00')),
    d2: told('D', '10:00:01', charge('8.00')),
    // Made after the draft of that day.
    e1: told('E', '10:00:01', charge('9.00')),
    e2: { ...told('E', '10:00:01', charge('9.00')), created: '2025-12-06 10:00:00', cells: { invoice_date: '2025-12-06' } },
    p: summed('213.96', item('A', '128.96'), item('B', '35.00'), item('C', '26.00'), item('D', '15.00'), item('E', '9.00')),
  },
  links: ['a1', 'b1', 'c1', 'd2', 'e1'].map((name) => ({
    parent_invoice_id: 'p',
    child_invoice_id: name,
    child_account_id: name.slice(0, 1).toUpperCase(),
    account_record_id: 6,
  })),
}

/** Status, cents that are open, and payment of each invoice of a child. An invoice of nothing is paid when it is made (D53). */
const EXPECTED = {
  a0: ['paid', 0, '2025-12-05T09:00:00.000Z'],
  a1: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  a2: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  a3: ['paid', 0, '2025-12-05T10:00:09.000Z'],
  a4: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  a5: ['paid', 0, '2025-12-05T10:00:40.000Z'],
  b1: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  b2: ['open', 2000, null],
  c1: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  c2: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  d1: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  d2: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  e1: ['paid', 0, '2025-12-06T08:00:00.000Z'],
  e2: ['open', 900, null],
}

firstEngineAndOneOther('several invoices of a child on one item of its parent (KB 8.7)', (target) => {
  let database: TestDatabase
  let direct: Engine
  const options = async () => ({
    tenant: ['all'],
    now: new Date('2026-01-01T00:00:00Z'),
    store: await ratesOnly('date,from,to,rate\n'),
  })
  beforeAll(async () => {
    database = await trapDatabase(target, { all: SCENARIO })
    direct = await engineOver(database, await options())
  }, 300_000)
  afterAll(() => direct.close())

  const plain = (id: unknown) => String(id).replace(/^1:/, '')
  const rowsOf = (answer: { readonly data: unknown }) => (answer.data as { readonly rows: readonly Cells[] }).rows

  it('have the payment of the parent if the amounts prove it', async () => {
    const rows = rowsOf(await direct.list('invoices', { limit: '100' }))
    const found = rows.map((row) => [plain(row['id']), [row['status'], row['balance_cents'], row['paid_at']]] as const)
    expect(Object.fromEntries(found.filter(([id]) => id !== 'p'))).toEqual(EXPECTED)
  })

  it('are not said to be missing on the invoice of the parent', async () => {
    const rows = rowsOf(await direct.billingNotices({ limit: '100' })).filter(({ kind }) => kind !== 'silent_account')
    expect(rows.map((row) => [row['kind'], plain(row['invoice_id']), row['amount_cents']])).toEqual([
      // Credit that was used later was never taken off the item.
      ['child_credit_on_parent', 'a4', 3160],
      ['child_not_on_parent', 'b2', 2000],
      ['child_credit_on_parent', 'a1', 1182],
      ['child_not_on_parent', 'e2', 900],
    ])
    for (const row of rows.filter(({ kind }) => kind === 'child_not_on_parent')) {
      expect(row['sentence']).toBe('A parent pays for the customer, but the invoice could not be matched with one of the parent.')
      expect(row['remedy']).not.toMatch(/invoice the parent again/i)
    }
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { END_OF_PAYMENTS, paymentRows, paymentsDatabase } from '../support/data/killbill/payments-database.ts'
import type { Tables } from '../support/data/killbill/tables.ts'
import { catalogOf, monthlyPlan, type Scenario, scenarioTables } from '../support/data/scenario-tables.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { surplusOf } from '../support/oracles/parent-surplus-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

type Cells = Readonly<Record<string, unknown>>
type Invoice = NonNullable<Scenario['invoices']>[string]
type Item = Invoice['items'][number]

const DAY = '2025-12-05'
const PARENT = { parent_invoice: true, invoice_date: DAY }
const CHILDREN = [...'ABCDEFGHIJKLM']
const WRITTEN_OFF = '00000000-0000-0000-0000-000000000004'

/** An item of 30.00. */
const charge = (amount = '30'): Item => ['RECURRING', amount, { rate: '0' }]
/** Credit that the invoice uses or gives on a day of December. */
const credit = (amount: string, day: number): Item => ['CBA_ADJ', amount, { created_date: `2025-12-${day} 08:00:00` }]
const adjusted = (amount: string, day: string): Item => ['ITEM_ADJ', amount, { created_date: `2025-12-${day} 08:00:00` }]
/** An invoice of a child, made while the draft of the parent was open. */
const told = (account: string, ...items: readonly Item[]): Invoice => ({
  account,
  created: `${DAY} 10:00:01`,
  cells: { invoice_date: DAY },
  items,
})
const voided = (invoice: Invoice, day: number): Invoice => ({
  ...invoice,
  cells: { invoice_date: DAY, status: 'VOID' },
  history: [
    ['COMMITTED', invoice.created],
    ['VOID', `2025-12-${day} 08:00:00`],
  ],
})
/** The item of a child, and what it lost later. */
const item = (child: string, amount: string, ...lost: readonly [amount: string, day: number][]): readonly Item[] => [
  ['PARENT_SUMMARY', amount, { id: `sum-${child}`, child_account_id: child }],
  ...lost.map(
    ([less, day]): Item => ['ITEM_ADJ', less, { linked_item_id: `sum-${child}`, created_date: `2025-12-${day} 08:00:00` }],
  ),
]
const parent = (key: number, status: string, ...items: readonly Item[]): Invoice => ({
  account: 'P',
  created: `${DAY} 10:00:02`,
  cells: { ...PARENT, status },
  // There are more than an invoice of a scenario has numbers for.
  items: items.map(([type, amount, more], index): Item => [type, amount, { record_id: key + index, ...more }]),
  history: [
    ['DRAFT', `${DAY} 10:00:02`],
    ...(status === 'DRAFT' ? [] : [['COMMITTED', '2025-12-06 00:00:00'] as const]),
    ...(status === 'VOID' ? [['VOID', '2025-12-20 00:00:00'] as const] : []),
  ],
})

const SCENARIO: Scenario = {
  catalogs: [catalogOf(monthlyPlan('gold', '30'))],
  accounts: {
    P: {},
    N: {},
    ...Object.fromEntries(CHILDREN.map((name) => [name, { parent_account_id: 'P', is_payment_delegated_to_parent: true }])),
  },
  subscriptions: {},
  invoices: {
    a1: told('A', charge(), credit('-30', 10)),
    // The engine links only the first invoice. The second is in its sum.
    b1: told('B', charge('20')),
    b2: voided({ ...told('B', charge('10')), created: `${DAY} 10:00:05` }, 12),
    // The credit was used at once, so the parent was asked for the rest alone.
    c1: told('C', charge(), ['CBA_ADJ', '-10']),
    // The item of the parent was lowered by as much.
    d1: told('D', charge(), credit('-30', 10)),
    // An adjustment that the engine passed on gives nothing back.
    e1: voided(told('E', charge(), adjusted('-5', '08')), 14),
    f1: told('F', charge(), adjusted('-5', '08'), credit('-25', 11)),
    // A part of the credit was given back.
    g1: told('G', charge(), credit('-30', 10), credit('10', 12)),
    // A void invoice of the parent asks for nothing, nor does one that is written off.
    h1: told('H', charge(), credit('-30', 10)),
    i1: voided(told('I', charge()), 10),
    // The item has 5.00 that no invoice shows, so it may lack what the credit paid.
    j1: told('J', charge(), credit('-30', 10)),
    k1: told('K', charge(), credit('-30', 10)),
    // The draft of the parent has lost the void invoice.
    l1: voided(told('L', charge()), 10),
    l2: { ...told('L', charge('10')), created: `${DAY} 10:00:05` },
    // The loss of the item settles the void invoice, and a part of the credit.
    m1: voided(told('M', charge('10')), 10),
    m2: { ...told('M', charge('20'), credit('-20', 15)), created: `${DAY} 10:00:05` },
    // Nobody pays for this customer.
    n1: told('N', charge(), credit('-30', 10)),
    n2: voided(told('N', charge()), 10),
    p: parent(
      1000,
      'COMMITTED',
      ...item('A', '30'),
      ...item('B', '30'),
      ...item('C', '20'),
      ...item('D', '30', ['-30', 20]),
      ...item('E', '30', ['-5', 8]),
      ...item('F', '30', ['-5', 8]),
      ...item('G', '30'),
      ...item('J', '35'),
      ...item('M', '30', ['-15', 20]),
    ),
    pd: parent(1100, 'DRAFT', ...item('K', '30'), ...item('L', '10')),
    pv: parent(1200, 'VOID', ...item('H', '30')),
    pw: parent(1300, 'COMMITTED', ...item('I', '30')),
  },
  links: [
    ...[...'abcdefgjm'].map((name) => ['p', `${name}1`]),
    ...[...'kl'].map((name) => ['pd', `${name}1`]),
    ['pv', 'h1'],
    ['pw', 'i1'],
  ].map(([parent_invoice_id = '', child = '']) => ({
    ...{ parent_invoice_id, child_invoice_id: child, child_account_id: child.slice(0, 1).toUpperCase(), account_record_id: 1 },
  })),
  tags: [{ object_type: 'INVOICE', object_id: 'pw', tag_definition_id: WRITTEN_OFF, account_record_id: 1 }],
}

const CREDIT = 'child_credit_on_parent'
const VOID = 'child_void_on_parent'

/** Kind, invoice, day since which it holds, cents. */
const EXPECTED = [
  [CREDIT, 'a1', '2025-12-10', 3000],
  [VOID, 'b2', '2025-12-12', 1000],
  [VOID, 'e1', '2025-12-14', 2500],
  [CREDIT, 'f1', '2025-12-11', 2500],
  [CREDIT, 'g1', '2025-12-10', 2000],
  [CREDIT, 'k1', '2025-12-10', 3000],
  [CREDIT, 'm2', '2025-12-15', 1500],
]

const rowsOf = async (engine: Engine) => {
  const { rows } = (await engine.billingNotices({ limit: '1000' })).data as { readonly rows: readonly Cells[] }
  return rows.filter(({ kind }) => kind === CREDIT || kind === VOID)
}
const plain = (id: unknown) => String(id).replace(/^1:/, '')
const sorted = (rows: readonly (readonly unknown[])[]) => [...rows].sort((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1))
const judged = (tables: Tables, now: string) =>
  sorted(surplusOf(tables, now).map(({ kind, invoice, since, cents }) => [kind, invoice['id'], since.slice(0, 10), cents]))

everyEngine('amounts that a parent is asked for and a child no longer owes (H6)', (target) => {
  let engine: Engine
  let rows: readonly Cells[]
  beforeAll(async () => {
    engine = await (await trapEngines(target, { all: SCENARIO }))('all')
    rows = await rowsOf(engine)
  }, 300_000)

  it('are those that the rows prove, and no more', async () => {
    const found = rows.map((row) => [row['kind'], plain(row['invoice_id']), row['since'], row['amount_cents']])
    expect(sorted(found)).toEqual(EXPECTED)
    expect(judged((name) => scenarioTables(SCENARIO)[name] ?? [], '2026-01-01 00:00:00')).toEqual(EXPECTED)
  })

  it('have a sentence and a remedy, their numbers and base amounts', async () => {
    const of = (id: string) => rows.find((row) => plain(row['invoice_id']) === id) ?? {}
    expect(of('g1')).toMatchObject({
      ...{ invoice_number: '1008', currency: 'USD', amount_base_cents: 2000, monthly_base_cents: 0 },
      sentence: 'Credit of the customer was used for 20.00 USD of the invoice, and invoice 1019 of the parent asks for it, too.',
    })
    expect(of('b2')).toMatchObject({
      invoice_number: '1003',
      sentence: 'The invoice is void, and invoice 1019 of the parent asks for it.',
    })
    for (const row of rows) expect(row['remedy']).toMatch(/^Look whether .* adjust the item of the child/)
  })
})

everyEngine('amounts that a parent of a recorded server is asked for', (target) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineOver(await paymentsDatabase(target), { tenant: ['all'], now: END_OF_PAYMENTS })
  }, 300_000)
  afterAll(() => engine.close())

  it('are those of plain loops', async () => {
    const wanted = judged(paymentRows as Tables, '2025-06-07 01:02:00')
    const found = (await rowsOf(engine)).map((row) => [row['kind'], row['invoice_id'], row['since'], row['amount_cents']])
    expect(sorted(found)).toEqual(wanted)
    expect(wanted.length).toBeGreaterThan(0)
  })
})

import type { TestDatabase } from '../databases/test-database.ts'
import { catalogXml, phaseXml, planXml } from './catalogs/catalog-xml.ts'
import { insertRows } from './killbill/insert-rows.ts'
import { createKillbillSchema } from './killbill/load-killbill.ts'

type Cells = Readonly<Record<string, unknown>>

/** Instant at which the scenario is looked at. */
export const SCENARIO_NOW = new Date('2026-01-10T00:00:00Z')

const tag = (object_id: string, object_type: string, number: number, more: Cells = {}): Cells => ({
  object_id,
  object_type,
  tag_definition_id: `00000000-0000-0000-0000-00000000000${number}`,
  ...more,
})

const ACCOUNTS: readonly Cells[] = [
  { record_id: 1, id: 'A', external_key: 'acme', name: 'Acme 100% GmbH', email: 'Billing@Acme.example' },
  { record_id: 2, id: 'B', external_key: 'child', name: 'A_child', currency: 'EUR' },
  { record_id: 3, id: 'P', external_key: 'parent', name: null, currency: 'EUR' },
  { record_id: 4, id: 'T', external_key: 'tester' },
  { record_id: 5, id: 'D', external_key: 'same' },
  { record_id: 6, id: 'D2', external_key: 'same', tenant_record_id: 2 },
  // A key that is the id of another account: the id wins.
  { record_id: 7, id: 'E', external_key: 'A', tenant_record_id: 2 },
]

const SUBSCRIPTIONS: Readonly<Record<string, Cells & { readonly events: readonly Cells[] }>> = {
  planned: {
    account: 1,
    events: [
      { user_type: 'CREATE', effective_date: '2026-02-01 00:00:00', phase_name: 'pro-trial', price_list_name: 'DEFAULT' },
      { event_type: 'QUANTITY_UPDATE', user_type: null, effective_date: '2026-02-01 00:00:00', quantity: 3 },
    ],
  },
  blocked: { account: 1, events: [{ user_type: 'CREATE', effective_date: '2025-12-01 00:00:00', phase_name: 'pro-evergreen' }] },
  never: {
    account: 1,
    events: [
      { user_type: 'CREATE', effective_date: '2026-02-23 00:00:00', phase_name: 'pro-evergreen' },
      { user_type: 'CANCEL', effective_date: '2026-02-23 00:00:00' },
    ],
  },
  undone: {
    account: 1,
    events: [
      { user_type: 'CREATE', effective_date: '2025-05-01 00:00:00', phase_name: 'pro-evergreen' },
      { user_type: 'CANCEL', effective_date: '2025-05-01 00:00:00' },
    ],
  },
  trial: {
    account: 1,
    events: [
      { user_type: 'CREATE', effective_date: '2026-01-05 00:00:00', phase_name: 'pro-trial' },
      { event_type: 'PHASE', user_type: null, effective_date: '2026-01-19 00:00:00', phase_name: 'pro-evergreen' },
    ],
  },
  leaving: {
    account: 1,
    events: [
      { user_type: 'CREATE', effective_date: '2025-06-01 00:00:00', phase_name: 'pro-evergreen' },
      { user_type: 'CANCEL', effective_date: '2026-03-01 00:00:00', created_date: '2026-01-02 00:00:00' },
    ],
  },
  euro: { account: 2, events: [{ user_type: 'CREATE', effective_date: '2025-06-01 00:00:00', phase_name: 'pro-evergreen' }] },
  tested: { account: 4, events: [{ user_type: 'CREATE', effective_date: '2025-06-01 00:00:00', phase_name: 'pro-evergreen' }] },
  ghost: { account: 5, events: [{ user_type: 'CREATE', effective_date: '2025-06-01 00:00:00', phase_name: 'ghost-evergreen' }] },
}

interface InvoiceParts {
  readonly account: number
  readonly cells?: Cells
  readonly items: readonly (readonly [id: string, type: string, amount: string, more?: Cells])[]
  readonly payments?: readonly (readonly [day: string, amount: string, status?: string])[]
  readonly history?: readonly (readonly [status: string, day: string])[]
}

const INVOICES: Readonly<Record<string, InvoiceParts>> = {
  draft: { account: 1, cells: { status: 'DRAFT' }, items: [['d1', 'RECURRING', '10']] },
  void: {
    account: 1,
    cells: { status: 'VOID' },
    items: [['v1', 'RECURRING', '10']],
    history: [
      ['COMMITTED', '2025-03-01'],
      ['VOID', '2025-03-05'],
      ['VOID', '2025-03-07'],
    ],
  },
  migrated: { account: 1, cells: { migrated: true }, items: [['m1', 'RECURRING', '10']] },
  lost: { account: 1, items: [['l1', 'RECURRING', '10.01']] },
  partly: {
    account: 1,
    cells: { invoice_date: '2025-03-20' },
    items: [
      ['p1', 'RECURRING', '30', { subscription_id: 'leaving' }],
      ['p2', 'TAX', '6'],
      ['p3', 'ITEM_ADJ', '-1', { linked_item_id: 'p2' }],
      ['p4', 'USAGE', '4.005', { subscription_id: 'trial' }],
    ],
    payments: [
      ['2025-03-21', '10'],
      ['2025-03-22', '20', 'INIT'],
    ],
  },
  refunded: {
    account: 1,
    items: [
      ['r1', 'RECURRING', '25', { subscription_id: 'trial' }],
      ['r2', 'REPAIR_ADJ', '-5', { linked_item_id: 'p1' }],
    ],
    payments: [
      ['2025-04-02', '20'],
      ['2025-05-01', '-20'],
    ],
  },
  credit: {
    account: 1,
    items: [
      ['c1', 'CREDIT_ADJ', '-15'],
      ['c2', 'CBA_ADJ', '15'],
    ],
  },
  dinar: { account: 1, cells: { currency: 'KWD' }, items: [['k1', 'EXTERNAL_CHARGE', '1.2345']] },
  settled: { account: 1, items: [['s1', 'RECURRING', '10']], payments: [['2025-03-02', '10']] },
  bare: { account: 1, items: [] },
  child: { account: 2, cells: { currency: 'EUR' }, items: [['h1', 'EXTERNAL_CHARGE', '40']] },
  waiting: { account: 2, cells: { currency: 'EUR' }, items: [['w1', 'EXTERNAL_CHARGE', '7']] },
  family: {
    account: 3,
    cells: { currency: 'EUR', parent_invoice: true },
    items: [['f1', 'PARENT_SUMMARY', '40']],
    payments: [['2025-06-10', '40']],
  },
  collecting: {
    account: 3,
    cells: { currency: 'EUR', parent_invoice: true, status: 'DRAFT' },
    items: [['g1', 'PARENT_SUMMARY', '7']],
  },
  later: { account: 1, cells: { created_date: '2026-01-11 00:00:00', invoice_date: '2026-01-11' }, items: [] },
  tested: { account: 4, items: [['t1', 'RECURRING', '10']] },
}

/** Fills an empty database with what the recorded tenants lack; ids are names. */
export async function loadRecordScenario(database: TestDatabase): Promise<void> {
  await createKillbillSchema(database)
  const insert = (table: string, rows: readonly Cells[]) => insertRows(database, table, rows)
  await insert('tenants', [
    { record_id: 1, id: 'T1', external_key: 'one', api_key: 'one' },
    { record_id: 2, id: 'T2', external_key: 'two', api_key: 'two' },
  ])
  const pro = planXml('pro', {
    initial: phaseXml('TRIAL', { unit: 'DAYS', number: 14 }),
    final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '30', EUR: '20' } }),
  })
  const catalog = catalogXml({ plans: pro })
  await insert('tenant_kvs', [{ tenant_value: catalog }, { tenant_value: catalog, tenant_record_id: 2 }])
  await insert(
    'accounts',
    ACCOUNTS.map((row) => ({ currency: 'USD', ...row })),
  )
  const names = Object.keys(SUBSCRIPTIONS)
  const owner = (name: string) => ({ account_record_id: SUBSCRIPTIONS[name]?.['account'] })
  await insert(
    'bundles',
    names.map((name) => ({ id: `${name}-bundle`, external_key: name, account_id: 'x', ...owner(name) })),
  )
  await insert(
    'subscriptions',
    names.map((name) => ({ id: name, bundle_id: `${name}-bundle`, charged_through_date: null, ...owner(name) })),
  )
  await insert(
    'subscription_events',
    names.flatMap((name) =>
      (SUBSCRIPTIONS[name]?.events ?? []).map((event) => ({
        subscription_id: name,
        plan_name: String(event['phase_name'] ?? '').replace(/-[a-z]+$/, '') || null,
        quantity: 0,
        ...event,
        ...owner(name),
      })),
    ),
  )
  await insert('blocking_states', [
    { blockable_id: 'blocked', state: 'STOP', block_billing: true, effective_date: '2025-12-01 00:00:00' },
  ])
  await insert('custom_fields', [
    { object_id: 'leaving', object_type: 'SUBSCRIPTION', field_name: 'cancel_reason', field_value: 'too dear' },
    { object_id: 'partly', object_type: 'INVOICE', field_name: 'INVOICE_SEQUENCE_NUMBER', field_value: 'INV-7' },
  ])
  await insert('tags', [
    tag('T', 'ACCOUNT', 6, { account_record_id: 4 }),
    tag('lost', 'INVOICE', 4),
    tag('lost', 'INVOICE', 8),
    tag('settled', 'INVOICE', 4, { created_date: '2025-04-01 00:00:00' }),
    tag('partly', 'INVOICE', 4, { is_active: false }),
  ])
  await loadInvoices(insert)
}

async function loadInvoices(insert: (table: string, rows: readonly Cells[]) => Promise<unknown>): Promise<void> {
  const entries = Object.entries(INVOICES).map(([id, parts], index) => ({ id, parts, record_id: index + 1 }))
  const at = (day: string) => ({ created_date: `${day} 00:00:00` })
  await insert(
    'invoices',
    entries.map(({ id, parts, record_id }) => ({
      record_id,
      id,
      account_id: 'x',
      account_record_id: parts.account,
      invoice_date: '2025-03-01',
      ...at('2025-03-01'),
      ...parts.cells,
    })),
  )
  await insert(
    'invoice_items',
    entries.flatMap(({ id: invoice_id, parts }) =>
      parts.items.map(([id, type, amount, more]) => ({
        id,
        type,
        amount,
        invoice_id,
        account_id: 'x',
        account_record_id: parts.account,
        ...at('2025-03-01'),
        ...more,
      })),
    ),
  )
  await insert(
    'invoice_payments',
    entries.flatMap(({ id: invoice_id, parts }) =>
      (parts.payments ?? []).map(([day, amount, status = 'SUCCESS']) => ({
        invoice_id,
        amount,
        status,
        payment_date: `${day} 00:00:00`,
        account_record_id: parts.account,
      })),
    ),
  )
  await insert(
    'invoice_history',
    entries.flatMap(({ record_id, parts }) =>
      (parts.history ?? []).map(([status, day]) => ({ target_record_id: record_id, account_id: 'x', status, ...at(day) })),
    ),
  )
  await insert('invoice_parent_children', [
    { parent_invoice_id: 'family', child_invoice_id: 'child', child_account_id: 'B', account_record_id: 3 },
    { parent_invoice_id: 'collecting', child_invoice_id: 'waiting', child_account_id: 'B', account_record_id: 3 },
  ])
}

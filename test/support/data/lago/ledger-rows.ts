import type { TestDatabase, Value } from '../../databases/test-database.ts'
import { createWorkedLago, workedId as id } from './worked-rows.ts'

type Row = Readonly<Record<string, Value>>

/** Columns that the recorded organization lacks: the items of credit notes, and the used wallet credits that were given for nothing. */
const MORE_COLUMNS = `
create table credit_note_items (id uuid primary key, organization_id uuid not null, credit_note_id uuid not null references credit_notes,
  fee_id uuid not null references fees, amount_cents bigint not null, amount_currency varchar not null, created_at timestamp(6) not null,
  updated_at timestamp(6) not null);
alter table credit_notes add column taxes_amount_cents bigint not null default 0;
alter table invoices add column prepaid_granted_credit_amount_cents bigint;`

/** A fee: its type, its amount, its share of coupons, and the instants of its days. */
interface Fee {
  readonly name: string
  readonly type: number
  readonly cents: number
  readonly coupon?: number
  readonly from?: string
  readonly to?: string
  /** The instant of an event, for usage that is paid in advance. */
  readonly event?: string
}

/** A payment: its instant and its amount. A manual one has the instant that the user gave. */
type Paid = readonly [at: string, cents: number, type?: 'manual' | 'provider']

interface Invoice {
  readonly name: string
  readonly customer: string
  readonly final: string
  readonly due?: string
  readonly total: number
  readonly fees: readonly Fee[]
  readonly paid?: readonly Paid[]
  readonly more?: Row
}

const DAYS: Readonly<Record<number, string>> = { 0: 'charges_', 2: '', 5: 'fixed_charges_' }

/** A is in UTC, P in Tokyo, nine hours ahead. */
const INVOICES: readonly Invoice[] = [
  {
    name: 'coupon',
    customer: 'A',
    final: '2025-01-15 09:00:00',
    due: '2025-02-14',
    total: 14_850,
    fees: [
      { name: 'quarter', type: 2, cents: 10_000, coupon: 1000, from: '2025-01-15T00:00:00Z', to: '2025-04-14T23:59:59.999Z' },
      { name: 'setup', type: 1, cents: 5000, coupon: 500 },
    ],
    paid: [['2025-02-03 00:00:00', 14_850]],
    more: { taxes_amount_cents: 1350, coupons_amount_cents: 1500 },
  },
  {
    name: 'credited',
    customer: 'A',
    final: '2025-04-01 00:10:00',
    total: 30,
    fees: [{ name: 'april', type: 2, cents: 3000, from: '2025-04-01T00:00:00Z', to: '2025-04-30T23:59:59.999Z' }],
    // Somebody has set its status, and there is no payment.
    more: { credit_notes_amount_cents: 2970, payment_status: 1 },
  },
  {
    name: 'arrears',
    customer: 'A',
    final: '2025-05-01 00:10:00',
    due: '2025-05-31',
    total: 6600,
    fees: [{ name: 'usage', type: 0, cents: 6000, from: '2025-04-01T00:00:00Z', to: '2025-04-30T23:59:59.999Z' }],
    more: { taxes_amount_cents: 600 },
  },
  {
    name: 'requested',
    customer: 'A',
    final: '2025-05-15 12:00:00',
    due: '2025-06-14',
    total: 5600,
    fees: [{ name: 'training', type: 1, cents: 5600 }],
  },
  {
    name: 'top-up',
    customer: 'A',
    final: '2025-05-20 12:00:00',
    total: 5000,
    fees: [{ name: 'credits', type: 3, cents: 5000 }],
    paid: [['2025-05-20 12:01:00', 5000, 'provider']],
    more: { invoice_type: 2 },
  },
  {
    name: 'wallet',
    customer: 'A',
    final: '2025-06-01 12:00:00',
    total: 0,
    fees: [{ name: 'import', type: 1, cents: 4000 }],
    more: { prepaid_credit_amount_cents: 4000, prepaid_granted_credit_amount_cents: 1500, payment_status: 1 },
  },
  {
    name: 'voided',
    customer: 'P',
    final: '2025-05-31 15:30:00',
    total: 3000,
    fees: [{ name: 'june', type: 2, cents: 3000, from: '2025-05-31T15:00:00Z', to: '2025-06-30T14:59:59.999Z' }],
    more: { issuing_date: '2025-06-01', status: 2, voided_at: '2025-06-20 16:00:00' },
  },
  {
    name: 'voided and credited',
    customer: 'P',
    final: '2025-06-05 01:00:00',
    total: 2000,
    fees: [{ name: 'repair', type: 1, cents: 2000 }],
    paid: [['2025-06-05 02:00:00', 2000, 'provider']],
    more: { status: 2, payment_status: 1, voided_at: '2025-06-10 03:00:00' },
  },
  // Somebody set its status to paid, so there is no payment. Its void takes back the charge, and not the money.
  {
    name: 'set to paid',
    customer: 'P',
    final: '2025-06-02 01:00:00',
    total: 1000,
    fees: [{ name: 'visit', type: 1, cents: 1000 }],
    more: { status: 2, payment_status: 1, voided_at: '2025-06-11 03:00:00' },
  },
  {
    name: 'disputed',
    customer: 'P',
    final: '2025-06-12 02:00:00',
    due: '2025-06-12',
    total: 7000,
    fees: [{ name: 'advice', type: 1, cents: 7000 }],
    paid: [['2025-06-12 02:05:00', 7000, 'provider']],
    more: { payment_status: 1, payment_dispute_lost_at: '2025-06-24 20:00:00' },
  },
  {
    name: 'progressive',
    customer: 'A',
    final: '2025-06-15 00:00:00',
    due: '2025-07-15',
    total: 1200,
    fees: [{ name: 'half', type: 0, cents: 1200, from: '2025-06-01T00:00:00Z', to: '2025-06-14T23:59:59.999Z' }],
    more: { invoice_type: 5 },
  },
  {
    name: 'whole',
    customer: 'A',
    final: '2025-07-01 00:10:00',
    total: 2800,
    fees: [{ name: 'whole', type: 0, cents: 4000, coupon: 1200, from: '2025-06-01T00:00:00Z', to: '2025-06-30T23:59:59.999Z' }],
    more: { progressive_billing_credit_amount_cents: 1200 },
  },
  {
    name: 'advance',
    customer: 'P',
    final: '2025-06-20 20:00:05',
    due: '2025-06-21',
    total: 900,
    fees: [{ name: 'event', type: 0, cents: 900, event: '2025-06-20T20:00:00Z' }],
    more: { issuing_date: '2025-06-21' },
  },
  {
    name: 'draft',
    customer: 'A',
    final: '2025-06-20 00:00:00',
    total: 900,
    fees: [],
    more: { status: 0, taxes_amount_cents: 900 },
  },
]

/** Credit notes: invoice, instant, and amounts of their items by fee. */
const NOTES: readonly (readonly [
  name: string,
  invoice: string,
  at: string,
  items: Readonly<Record<string, number>>,
  more: Row,
])[] = [
  [
    'discount',
    'coupon',
    '2025-03-01 10:00:00',
    { quarter: 4000 },
    {
      ...{ credit_amount_cents: 2970, refund_amount_cents: 990, taxes_amount_cents: 360, total_amount_cents: 3960 },
      ...{ refund_status: 1, refunded_at: '2025-03-10 08:00:00' },
    },
  ],
  [
    'offset',
    'arrears',
    '2025-05-10 10:00:00',
    { usage: 2000 },
    { offset_amount_cents: 2200, taxes_amount_cents: 200, total_amount_cents: 2200 },
  ],
  // It came with the void of its invoice, so that the payment becomes credit.
  [
    'void',
    'voided and credited',
    '2025-06-10 03:00:01',
    { repair: 2000 },
    { credit_amount_cents: 2000, total_amount_cents: 2000 },
  ],
  ['void of set', 'set to paid', '2025-06-11 03:00:01', { visit: 1000 }, { credit_amount_cents: 1000, total_amount_cents: 1000 }],
]

/** Fills a database of Lago with the cases of the ledger that the recorded organization lacks. */
export async function fillLedgerOfLago(database: TestDatabase): Promise<void> {
  const { insert, owned } = await createWorkedLago(database, [
    ['A', null, 'customer'],
    ['P', 'Asia/Tokyo', 'customer'],
  ])
  await database.adminQuery(MORE_COLUMNS)
  const entity = { billing_entity_id: id('entity') }
  const currency = { amount_currency: 'USD' }
  await owned('plans', 'plan', { code: 'pro', name: 'Pro', interval: 1, amount_cents: 3000, ...currency })
  for (const customer of ['A', 'P'])
    await owned('subscriptions', `subscription of ${customer}`, {
      ...{ customer_id: id(customer), plan_id: id('plan'), external_id: customer, status: 1 },
      ...{ subscription_at: '2025-01-15 00:00:00', started_at: '2025-01-15 00:00:00', created_at: '2025-01-15 00:00:00' },
    })
  for (const { name, customer, final, due, total, fees, paid = [], more } of INVOICES) {
    await owned('invoices', name, {
      ...entity,
      ...{ customer_id: id(customer), number: name, currency: 'USD', total_amount_cents: total },
      ...{
        issuing_date: final.slice(0, 10),
        payment_due_date: due ?? final.slice(0, 10),
        finalized_at: final,
        created_at: final,
      },
      ...(paid.length > 0 && { payment_status: 1 }),
      ...more,
    })
    for (const fee of fees) await owned('fees', fee.name, { ...entity, ...currency, ...feeOf(fee, name, customer) })
    for (const [index, [at, amount_cents, payment_type = 'manual']] of paid.entries())
      await owned('payments', `payment ${index} of ${name}`, {
        ...{ customer_id: id(customer), payable_id: id(name), amount_cents, ...currency, status: 'succeeded' },
        ...{ payable_payment_status: 'succeeded', payment_type, created_at: at, updated_at: at },
      })
  }
  for (const [name, invoice, created_at, items, more] of NOTES) {
    const customer = INVOICES.find((one) => one.name === invoice)?.customer ?? ''
    await owned('credit_notes', `note ${name}`, {
      ...{ customer_id: id(customer), invoice_id: id(invoice), sequential_id: 1, number: name, reason: 0 },
      ...{ issuing_date: created_at.slice(0, 10), credit_amount_currency: 'USD', total_amount_currency: 'USD', created_at },
      ...more,
    })
    for (const [fee, amount_cents] of Object.entries(items))
      await owned('credit_note_items', `${name} ${fee}`, {
        ...{ credit_note_id: id(`note ${name}`), fee_id: id(fee), amount_cents, ...currency },
      })
  }
  await owned('invoice_settlements', 'settlement', {
    ...entity,
    ...{ target_invoice_id: id('arrears'), settlement_type: 'credit_note', amount_cents: 2200, ...currency },
    created_at: '2025-05-10 10:00:00',
  })
  await owned('payment_requests', 'request', { customer_id: id('A'), amount_cents: 10_000, ...currency })
  for (const invoice of ['arrears', 'requested'])
    await owned('invoices_payment_requests', `request of ${invoice}`, {
      invoice_id: id(invoice),
      payment_request_id: id('request'),
    })
  await owned('payments', 'payment of the request', {
    ...{ customer_id: id('A'), payable_type: 'PaymentRequest', payable_id: id('request'), amount_cents: 10_000, ...currency },
    ...{ status: 'succeeded', payable_payment_status: 'succeeded' },
    ...{ created_at: '2025-06-09 10:00:00', updated_at: '2025-06-10 10:00:00' },
  })
  await insert('versions', {
    ...{ id: 1, item_type: 'Invoice', item_id: id('credited'), event: 'update' },
    ...{ object_changes: '{"payment_status": ["pending", "succeeded"]}', created_at: '2025-04-20 10:00:00' },
  })
}

function feeOf({ type, cents, coupon = 0, from, to, event }: Fee, invoice: string, customer: string): Row {
  const prefix = DAYS[type] ?? ''
  const properties =
    event !== undefined ? { timestamp: event } : { [`${prefix}from_datetime`]: from, [`${prefix}to_datetime`]: to }
  return {
    ...{
      invoice_id: id(invoice),
      subscription_id: from === undefined && event === undefined ? null : id(`subscription of ${customer}`),
    },
    ...{ fee_type: type, amount_cents: cents, taxes_amount_cents: 0, precise_coupons_amount_cents: coupon },
    ...{ pay_in_advance: event !== undefined, properties: JSON.stringify(properties) },
  }
}

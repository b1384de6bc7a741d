import { createHash } from 'node:crypto'
import type { TestDatabase, Value } from '../../databases/test-database.ts'
import { northTables } from './north-rows.ts'

/** The worked example of docs/definitions.md 17, as Lago writes it. Euros are at 1.10, and from March at 1.20. */
export const WORKED_RATES = 'date,from,to,rate\n2025-01-01,EUR,USD,1.10\n2025-03-01,EUR,USD,1.20\n'
export const WORKED_NOW = new Date('2025-06-05T00:00:00Z')

type Row = Readonly<Record<string, Value>>

/** The id of a row: a name as a UUID. */
export function workedId(name: string): string {
  return createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const id = workedId
const noon = (day: string) => `2025-${day} 12:00:00`

const PLANS: readonly (readonly [name: string, interval: number, cents: number, more?: Row])[] = [
  ['pro-yearly', 2, 100_000],
  ['team', 1, 2_900, { trial_period: 14 }],
  ['business', 1, 7_900],
  ['seat', 1, 2_000, { amount_currency: 'EUR' }],
  ['meter', 1, 1_000],
  ['plus', 1, 5_000],
  ['lite', 1, 4_000],
  ['solo', 1, 6_600],
  ['solo of G', 1, 5_000, { code: 'solo', parent_id: id('solo') }],
]

/** Rows of subscriptions: name, customer, external id, plan, start, end. An active row has no end. */
const SUBSCRIPTIONS: readonly (readonly [string, string, string, string, string, string | null, Row?])[] = [
  ['S1', 'A', 'a', 'pro-yearly', noon('01-05'), null],
  ['S2', 'B', 'b', 'team', noon('01-10'), '2025-03-24 12:00:01.002'],
  // The next row begins some milliseconds before the last one ends.
  ['S2 business', 'B', 'b', 'business', '2025-03-24 12:00:00.998', noon('05-24'), { previous_subscription_id: id('S2') }],
  ['S3', 'C', 'c', 'seat', noon('02-01'), null],
  ['S4', 'D', 'd', 'team', noon('02-20'), noon('03-01')],
  ['S5', 'E', 'e', 'meter', noon('01-01'), null],
  ['S6', 'F', 'f', 'plus', noon('01-20'), noon('04-20')],
  ['S7', 'F', 'f', 'lite', noon('05-15'), null],
  ['S8', 'G', 'g', 'solo of G', noon('01-15'), null],
  // A downgrade that was called off, and a start that was never paid.
  ['S8 lite', 'G', 'g', 'lite', noon('05-01'), null, { status: 3, started_at: null, previous_subscription_id: id('S8') }],
  ['gated', 'G', 'other', 'plus', noon('02-10'), null, { status: 3 }],
  ['partner', 'H', 'h', 'plus', noon('01-10'), null],
]

/** Invoices: name, customer, subscription, day of payment, total, usage with the month that it is for. */
const INVOICES: readonly (readonly [
  string,
  string,
  string,
  string,
  number,
  (readonly [number, string, string] | null)?,
  Row?,
])[] = [
  ['A1', 'A', 'S1', '01-05', 100_000],
  ['C1', 'C', 'S3', '02-01', 10_000, null, { currency: 'EUR' }],
  ['E1', 'E', 'S5', '02-03', 1_600, [600, '2024-12-31T23:00:00.000Z', '2025-01-31T22:59:59.999Z']],
  ['E2', 'E', 'S5', '03-03', 1_900, [900, '2025-01-31T23:00:00.000Z', '2025-02-28T22:59:59.999Z']],
  ['E3', 'E', 'S5', '04-02', 2_500, [1_500, '2025-02-28T23:00:00.000Z', '2025-03-31T21:59:59.999Z']],
  ['E4', 'E', 'S5', '05-04', 1_300, [300, '2025-03-31T22:00:00.000Z', '2025-04-30T21:59:59.999Z']],
  // Bills a part of a period before its end. It is revenue, but no usage charge.
  ['E5', 'E', 'S5', '05-10', 400, [400, '2025-04-30T22:00:00.000Z', '2025-05-31T21:59:59.999Z'], { invoice_type: 5 }],
  ['F1', 'F', 'S6', '01-25', 5_000],
  ['F2', 'F', 'S6', '02-20', 5_000, null, { status: 2 }],
  ['G1', 'G', 'S8', '01-20', 6_000],
]

/** Inserts a row of the organization whose id is that of the name. */
export type InsertOwned = (table: string, name: string, row: Row) => Promise<void>

/** Creates the tables with an organization, its billing entity and customers. A customer has a zone or none. */
export async function createWorkedLago(
  database: TestDatabase,
  customers: readonly (readonly [name: string, timezone: string | null, account_type: string])[],
): Promise<{ readonly insert: (table: string, row: Row) => Promise<void>; readonly owned: InsertOwned }> {
  await database.adminQuery(northTables())
  const organization_id = id('organization')
  const insert = async (table: string, row: Row) => {
    const cells: Row = { created_at: noon('01-01'), updated_at: noon('01-01'), ...row }
    const names = Object.keys(cells).filter((name) => table !== 'versions' || name !== 'updated_at')
    const places = names.map((_, index) => `$${index + 1}`).join(', ')
    const columns = names.map((name) => `"${name}"`).join(', ')
    await database.adminQuery(
      `insert into ${table} (${columns}) values (${places})`,
      names.map((name) => cells[name] ?? null),
    )
  }
  const owned: InsertOwned = (table, name, row) => insert(table, { id: id(name), organization_id, ...row })
  await insert('organizations', { id: organization_id, name: 'Worked Ltd' })
  await owned('billing_entities', 'entity', { name: 'Worked Ltd', code: 'worked' })
  for (const [name, timezone, account_type] of customers)
    await owned('customers', name, {
      billing_entity_id: id('entity'),
      external_id: `customer-${name}`,
      name: `Customer ${name}`,
      timezone,
      account_type,
    })
  return { insert, owned }
}

/** Creates the tables, and fills them with the example. Then `more` adds rows. */
export async function fillWorkedLago(database: TestDatabase, more?: (owned: InsertOwned) => Promise<void>): Promise<void> {
  const { insert, owned } = await createWorkedLago(
    database,
    ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((name) => [
      name,
      name === 'E' ? 'Europe/Paris' : null,
      name === 'H' ? 'partner' : 'customer',
    ]),
  )
  for (const [name, interval, amount_cents, more] of PLANS)
    await owned('plans', name, { code: name, name, interval, amount_cents, amount_currency: 'USD', ...more })
  await owned('charges', 'charge', { plan_id: id('meter'), code: 'calls' })
  await owned('add_ons', 'add-on', { name: 'Seat', code: 'seat', amount_cents: 1_600, amount_currency: 'EUR' })
  const properties = '{"amount": "16.00"}'
  await owned('fixed_charges', 'seats', { plan_id: id('seat'), add_on_id: id('add-on'), code: 'seat', properties })
  for (const [name, customer, external_id, plan, started_at, terminated_at, more] of SUBSCRIPTIONS)
    await owned('subscriptions', name, {
      customer_id: id(customer),
      plan_id: id(plan),
      external_id,
      status: terminated_at === null ? 1 : 2,
      subscription_at: started_at,
      started_at,
      terminated_at,
      created_at: started_at,
      ...more,
    })
  const units = { subscription_id: id('S3'), fixed_charge_id: id('seats') }
  await owned('fixed_charge_events', 'five', { ...units, units: 5, timestamp: '2025-02-01 12:00:01', created_at: noon('02-01') })
  await owned('fixed_charge_events', 'more', { ...units, units: '8.75', timestamp: noon('04-01'), created_at: noon('04-01') })
  const version = (number: number, item_type: string, item: string, changes: object, day: string) =>
    insert('versions', {
      id: number,
      item_type,
      item_id: id(item),
      event: 'update',
      object_changes: JSON.stringify(changes),
      created_at: noon(day),
    })
  await version(1, 'Plan', 'solo', { amount_cents: [6_000, 6_600] }, '03-10')
  await version(2, 'Subscription', 'S8', { plan_id: [id('solo'), id('solo of G')] }, '04-10')
  await fillInvoices(owned)
  await more?.(owned)
}

async function fillInvoices(owned: InsertOwned): Promise<void> {
  for (const [name, customer, subscription, day, total, usage, more] of INVOICES) {
    const invoice_id = id(name)
    const currency = String(more?.['currency'] ?? 'USD')
    await owned('invoices', name, {
      billing_entity_id: id('entity'),
      customer_id: id(customer),
      number: name,
      currency,
      payment_status: 1,
      issuing_date: `2025-${day}`,
      finalized_at: noon(day),
      total_amount_cents: total,
      total_paid_amount_cents: total,
      created_at: noon(day),
      ...more,
    })
    const paid = { customer_id: id(customer), amount_cents: total, amount_currency: currency, status: 'succeeded' }
    const settled = { payable_payment_status: 'succeeded', created_at: noon(day), updated_at: noon(day) }
    const payable = name === 'F1' ? { payable_type: 'PaymentRequest', payable_id: id('request') } : { payable_id: invoice_id }
    await owned('payments', `payment of ${name}`, { ...paid, ...settled, ...payable })
    if (usage === undefined || usage === null) continue
    const [amount_cents, from, to] = usage
    await owned('fees', `usage of ${name}`, {
      billing_entity_id: id('entity'),
      invoice_id,
      subscription_id: id(subscription),
      charge_id: id('charge'),
      fee_type: 0,
      amount_cents,
      amount_currency: currency,
      taxes_amount_cents: 0,
      properties: JSON.stringify({ charges_from_datetime: from, charges_to_datetime: to }),
    })
  }
  await owned('payment_requests', 'request', { customer_id: id('F'), amount_currency: 'USD' })
  await owned('invoices_payment_requests', 'covered', { invoice_id: id('F1'), payment_request_id: id('request') })
  await owned('invoice_settlements', 'credit', {
    billing_entity_id: id('entity'),
    target_invoice_id: id('G1'),
    settlement_type: 'credit_note',
    amount_cents: 2_000,
    amount_currency: 'USD',
    created_at: noon('01-20'),
  })
}

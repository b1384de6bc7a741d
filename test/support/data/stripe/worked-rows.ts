import type { TestDatabase } from '../../databases/test-database.ts'
import { literal } from '../killbill/sql-literals.ts'
import { eastTables } from './east-rows.ts'

/** The instant of the example, and its rates. */
export const WORKED_NOW = new Date('2025-06-05T00:00:00Z')
export const WORKED_RATES = 'date,from,to,rate\n2025-01-01,EUR,USD,1.10\n2025-03-01,EUR,USD,1.20\n'

const ACCOUNT = 'acct_worked'
/** Documents that were made before have the older shape of the API. */
const NEW_SHAPE = Date.parse('2025-03-31T00:00:00Z') / 1000

/** Noon of a day of 2025, as Unix seconds. */
const at = (day: string): number => Date.parse(`2025-${day}T12:00:00Z`) / 1000
const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString()

type Document = Readonly<Record<string, unknown>> & { readonly id: string }

function price(id: string, amount: number, { currency = 'usd', interval = 'month', usage_type = 'licensed' } = {}): Document {
  const recurring = { interval, interval_count: 1, usage_type }
  const unit = { unit_amount: amount, unit_amount_decimal: String(amount), billing_scheme: 'per_unit' }
  return { id, object: 'price', type: 'recurring', product: `prod_${id}`, currency, livemode: true, recurring, ...unit }
}

const PRICES = new Map(
  [
    price('pro', 100_000, { interval: 'year' }),
    ...[price('team', 2_900), price('business', 7_900), price('meter', 1_000), price('plus', 5_000), price('lite', 4_000)],
    ...[price('solo', 6_000), price('starter', 2_900), price('support', 5_000)],
    price('seat', 2_000, { currency: 'eur' }),
    price('api', 1, { usage_type: 'metered' }),
  ].map((one) => [one.id, one]),
)

interface Line {
  readonly price: string
  readonly item: string
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly quantity?: number
  readonly change?: 'credit' | 'debit'
}

interface Billed {
  readonly subscription: string
  readonly customer: string
  readonly on: string
  readonly lines: readonly Line[]
  readonly status?: 'paid' | 'open' | 'draft'
}

function invoice({ subscription, customer, on, lines, status = 'paid' }: Billed): Document {
  const id = `in_${subscription}_${on}`
  const created = at(on)
  const currency = String(PRICES.get(lines[0]?.price ?? '')?.['currency'])
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const isNew = created >= NEW_SHAPE
  return {
    ...{ id, object: 'invoice', customer, status, currency, created, total, livemode: true, number: id },
    ...(isNew ? { parent: { subscription_details: { subscription } } } : { subscription }),
    billing_reason: 'subscription_cycle',
    ...{ amount_paid: status === 'paid' ? total : 0, amount_remaining: status === 'paid' ? 0 : total },
    pre_payment_credit_notes_amount: 0,
    status_transitions: { paid_at: status === 'paid' ? created + 3_600 : null, voided_at: null },
    lines: {
      has_more: false,
      data: lines.map((line, index) => ({
        ...{ id: `il_${subscription}_${on}_${index}`, amount: line.amount, currency, quantity: line.quantity ?? 1 },
        period: { start: at(line.from), end: at(line.to) },
        ...(isNew ? newShape(line, subscription) : oldShape(line, subscription)),
      })),
    },
  }
}

const credited = ({ change }: Line) => ({ credited_items: change === 'credit' ? { invoice: 'in_before' } : null })

function oldShape(line: Line, subscription: string) {
  return {
    ...{ price: PRICES.get(line.price), proration: line.change !== undefined, proration_details: credited(line) },
    ...{ subscription, subscription_item: line.item },
  }
}

function newShape(line: Line, subscription: string) {
  const pricing = { price_details: { price: line.price }, unit_amount_decimal: PRICES.get(line.price)?.['unit_amount_decimal'] }
  const details = { subscription, proration: line.change !== undefined, proration_details: credited(line) }
  if (line.change !== undefined) return { pricing, parent: { invoice_item_details: details } }
  return { pricing, parent: { subscription_item_details: { ...details, subscription_item: line.item } } }
}

/** Invoices of a monthly item, one at each of the days but the last. */
function monthly(
  own: Pick<Billed, 'subscription' | 'customer'>,
  priced: Pick<Line, 'price' | 'amount' | 'quantity'>,
  days: string,
): Billed[] {
  const list = days.split(' ')
  return list.slice(0, -1).map((on, index) => {
    const line = { ...priced, item: `si_${own.subscription}`, from: on, to: list[index + 1] ?? on }
    return { ...own, on, lines: [line] }
  })
}

interface Agreed {
  readonly id: string
  readonly customer: string
  readonly from: string
  readonly status?: string
  readonly synced: string
  readonly items: readonly (readonly [price: string, quantity?: number])[]
  readonly more?: Readonly<Record<string, unknown>>
}

function subscription({ id, customer, from, status = 'active', items, more }: Agreed): Document {
  const data = items.map(([name, quantity = 1], index) => ({
    ...{ id: index === 0 ? `si_${id}` : `si_${id}_${name}`, created: at(from), quantity, price: PRICES.get(name) },
    current_period_end: WORKED_NOW.getTime() / 1000 + 86_400,
  }))
  const currency = String(PRICES.get(items[0]?.[0] ?? '')?.['currency'])
  return {
    ...{ id, object: 'subscription', customer, status, currency, livemode: true, created: at(from), start_date: at(from) },
    ...{
      ended_at: null,
      canceled_at: null,
      cancel_at: null,
      trial_start: null,
      trial_end: null,
      items: { data, has_more: false },
    },
    ...more,
  }
}

const SUBSCRIPTIONS: readonly Agreed[] = [
  { id: 'S1', customer: 'A', from: '01-05', synced: '04-15', items: [['pro']] },
  {
    ...{ id: 'S2', customer: 'B', from: '01-10', status: 'canceled', synced: '05-24', items: [['business']] },
    more: { trial_start: at('01-10'), trial_end: at('01-24'), canceled_at: at('05-02'), ended_at: at('05-24') },
  },
  { id: 'S3', customer: 'C', from: '02-01', synced: '06-01', items: [['seat', 8]] },
  { id: 'S5', customer: 'E', from: '01-01', synced: '06-01', items: [['meter'], ['api']] },
  { id: 'S7', customer: 'F', from: '05-15', synced: '05-15', items: [['lite']] },
  { id: 'S8', customer: 'G', from: '01-15', status: 'unpaid', synced: '05-15', items: [['solo']] },
  { id: 'S9', customer: 'H', from: '01-25', synced: '05-25', items: [['starter']] },
]

function billed(): readonly Billed[] {
  const of = (id: string, customer: string) => ({ subscription: id, customer })
  const [s2, s5, s9] = [of('S2', 'B'), of('S5', 'E'), of('S9', 'H')]
  const usage = [600, 900, 1_500, 300, 777]
  const months = ['01-01', '02-01', '03-01', '04-01', '05-01', '06-01', '07-01']
  const support = (from: string, to: string) => ({ price: 'support', item: 'si_S9_support', from, to, amount: 5_000 })
  const starter = (from: string, to: string) => ({ price: 'starter', item: 'si_S9', from, to, amount: 2_900 })
  const [team, business] = ['team', 'business'].map((name) => ({ price: name, item: 'si_S2' }))
  return [
    { ...of('S1', 'A'), on: '01-05', lines: [{ price: 'pro', item: 'si_S1', from: '01-05', to: '12-31', amount: 100_000 }] },
    { ...s2, on: '01-10', lines: [{ price: 'team', item: 'si_S2', from: '01-10', to: '01-24', amount: 0 }] },
    ...monthly(s2, { price: 'team', amount: 2_900 }, '01-24 02-24 03-24'),
    {
      ...{ ...s2, on: '03-24' },
      lines: [
        { ...team, from: '03-20', to: '03-24', amount: -414, change: 'credit' },
        { ...business, from: '03-20', to: '03-24', amount: 1_129, change: 'debit' },
        { ...business, from: '03-24', to: '04-24', amount: 7_900 },
      ] as readonly Line[],
    },
    ...monthly(s2, { price: 'business', amount: 7_900 }, '04-24 05-24'),
    ...monthly(of('S3', 'C'), { price: 'seat', amount: 10_000, quantity: 5 }, '02-01 03-01 04-01 05-01'),
    ...monthly(of('S3', 'C'), { price: 'seat', amount: 16_000, quantity: 8 }, '05-01 06-01 07-01'),
    { ...of('S4', 'D'), on: '02-20', lines: [{ price: 'team', item: 'si_S4', from: '02-20', to: '03-06', amount: 0 }] },
    ...months.slice(0, -1).map((on, index) => ({
      ...{ ...s5, on },
      lines: [
        { price: 'meter', item: 'si_S5', from: on, to: months[index + 1] ?? on, amount: 1_000 },
        ...(index === 0
          ? []
          : [{ price: 'api', item: 'si_S5_api', from: months[index - 1] ?? on, to: on, amount: usage[index - 1] ?? 0 }]),
      ],
    })),
    ...monthly(of('S6', 'F'), { price: 'plus', amount: 5_000 }, '01-20 02-20 03-20'),
    ...monthly(of('S7', 'F'), { price: 'lite', amount: 4_000 }, '05-15 06-15'),
    ...monthly(of('S8', 'G'), { price: 'solo', amount: 6_000 }, '01-15 02-15 03-15 04-15 05-15 06-15').map((one, index) => ({
      ...one,
      status: index < 2 ? ('paid' as const) : index === 2 ? ('open' as const) : ('draft' as const),
    })),
    { ...s9, on: '01-25', lines: [starter('01-25', '02-25')] },
    {
      ...{ ...s9, on: '02-25' },
      lines: [
        { ...support('02-10', '02-25'), amount: 2_419, change: 'debit' },
        ...[starter('02-25', '03-25'), support('02-25', '03-25')],
      ],
    },
    { ...s9, on: '03-25', lines: [starter('03-25', '04-25'), support('03-25', '04-25')] },
    { ...s9, on: '04-25', lines: [starter('04-25', '05-25'), support('04-25', '05-25')] },
    { ...s9, on: '05-25', lines: [starter('05-25', '06-25')] },
  ]
}

/** Fills a mirror with the worked example. It began on 04-15, after three of its subscriptions had ended. */
export async function fillWorkedStripe(database: TestDatabase): Promise<void> {
  await database.adminQuery(eastTables())
  const began = stamp(at('04-15'))
  const account = { id: ACCOUNT, settings: { dashboard: { display_name: 'Worked Ltd' } } }
  await database.adminQuery(
    `insert into stripe.accounts (_raw_data, first_synced_at, _last_synced_at) values (${text(account)}, '${began}', '${began}')`,
  )
  const customers = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((id) => ({
    ...{ id, object: 'customer', name: id, created: at('01-01'), livemode: true, metadata: {} },
    ...{ address: { country: 'US' } },
  }))
  const products = [...PRICES.keys()].map((name) => ({ id: `prod_${name}`, object: 'product', name, livemode: true }))
  const invoices = billed().map(invoice)
  for (const [table, documents] of [
    ...[['products', products] as const, ['prices', [...PRICES.values()]] as const, ['customers', customers] as const],
    ['invoices', invoices] as const,
  ])
    await insert(
      database,
      table,
      documents.map((document) => [document, began] as const),
    )
  await insert(
    database,
    'subscriptions',
    SUBSCRIPTIONS.map((agreed) => [subscription(agreed), stamp(at(agreed.synced))] as const),
  )
}

async function insert(
  database: TestDatabase,
  table: string,
  rows: readonly (readonly [document: unknown, synced: string])[],
): Promise<void> {
  const tuples = rows.map(([document, synced]) => `(${text(document)}, '${synced}', '${ACCOUNT}')`)
  await database.adminQuery(`insert into stripe.${table} (_raw_data, _last_synced_at, _account_id) values ${tuples.join(', ')}`)
}

function text(document: unknown): string {
  return literal(JSON.stringify(document), 'text', 'postgres')
}

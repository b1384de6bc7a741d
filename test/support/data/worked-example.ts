import type { BoundValue } from '../../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../../src/compiler/inline.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import { ratesByDay } from '../../../src/query/fx-rates.ts'
import { customer } from '../../../src/relations/customers.ts'
import { inlineColumns, type RelationContract } from '../../../src/relations/define-relation.ts'
import { invoice } from '../../../src/relations/invoices.ts'
import { subscriptionSpan } from '../../../src/relations/spans.ts'
import { cancellation, plan, subscription } from '../../../src/relations/subscriptions.ts'

type Cells = Readonly<Record<string, BoundValue>>

/** One span; what is left out is usual: active, quantity 1, USD, no usage. */
export function span(
  subscription_id: string,
  customer_key: number,
  from: string,
  to: string | null,
  plan_key: number | null,
  cells: Cells,
): Cells {
  const currency = cells['currency'] ?? 'USD'
  const status = cells['status'] ?? 'active'
  const own = Number(cells['subscription_mrr_cents'] ?? 0)
  const usage = Number(cells['usage_mrr_cents'] ?? 0)
  const name = PLANS.find((row) => row['plan_key'] === plan_key)?.['plan_id'] ?? cells['plan'] ?? 'unknown'
  return {
    subscription_id,
    customer_key,
    valid_from: noon(from),
    valid_to: to === null ? null : noon(to),
    plan: name,
    plan_key,
    phase_type: status === 'trialing' ? 'trial' : 'evergreen',
    price_list: 'DEFAULT',
    quantity: 1,
    currency,
    status,
    subscription_mrr_cents: own,
    usage_mrr_cents: usage,
    mrr_cents: own + usage,
    is_trial: status === 'trialing',
    is_live: status !== 'trialing',
    is_paused: status === 'paused',
    is_unpriced: false,
    start_reason: 'start',
    end_reason: null,
    subscription_fixed_on: own === 0 ? null : from,
    usage_fixed_on: usage === 0 ? null : from,
    ...cells,
  }
}

const PLANS: readonly Cells[] = [
  planRow(1, 'pro-annual', 'ANNUAL', 'year'),
  planRow(2, 'team', 'MONTHLY', 'month'),
  planRow(3, 'business', 'MONTHLY', 'month'),
  planRow(4, 'seat', 'MONTHLY', 'month'),
  { ...planRow(5, 'meter', 'MONTHLY', 'month'), usage_type: 'metered' },
  planRow(6, 'plus', 'MONTHLY', 'month'),
  planRow(7, 'lite', 'MONTHLY', 'month'),
]

/** The spans of definitions.md 17. */
export const SPANS: readonly Cells[] = [
  span('S1', 1, '2025-01-05', null, 1, { subscription_mrr_cents: 8333 }),
  span('S2', 2, '2025-01-10', '2025-01-24', 2, { status: 'trialing' }),
  span('S2', 2, '2025-01-24', '2025-03-24', 2, { subscription_mrr_cents: 2900, start_reason: 'phase' }),
  span('S2', 2, '2025-03-24', '2025-05-24', 3, { subscription_mrr_cents: 7900, start_reason: 'plan', end_reason: 'cancel' }),
  span('S3', 3, '2025-02-01', '2025-04-01', 4, {
    currency: 'EUR',
    subscription_mrr_cents: 10000,
    quantity: 5,
  }),
  span('S3', 3, '2025-04-01', null, 4, {
    currency: 'EUR',
    subscription_mrr_cents: 16000,
    quantity: 8,
    start_reason: 'quantity',
  }),
  span('S4', 4, '2025-02-20', '2025-03-01', 2, { status: 'trialing', end_reason: 'cancel' }),
  span('S5', 5, '2025-01-01', '2025-02-03', 5, { subscription_mrr_cents: 1000 }),
  span('S5', 5, '2025-02-03', '2025-03-03', 5, { subscription_mrr_cents: 1000, usage_mrr_cents: 600, start_reason: 'usage' }),
  span('S5', 5, '2025-03-03', '2025-04-02', 5, { subscription_mrr_cents: 1000, usage_mrr_cents: 750, start_reason: 'usage' }),
  span('S5', 5, '2025-04-02', '2025-05-04', 5, { subscription_mrr_cents: 1000, usage_mrr_cents: 1000, start_reason: 'usage' }),
  span('S5', 5, '2025-05-04', null, 5, { subscription_mrr_cents: 1000, usage_mrr_cents: 900, start_reason: 'usage' }),
  span('S6', 6, '2025-01-20', '2025-03-20', 6, { subscription_mrr_cents: 5000 }),
  span('S6', 6, '2025-03-20', '2025-04-10', 6, { status: 'paused', start_reason: 'pause' }),
  span('S6', 6, '2025-04-10', '2025-04-20', 6, { subscription_mrr_cents: 5000, start_reason: 'resume', end_reason: 'cancel' }),
  span('S7', 6, '2025-05-15', null, 7, { subscription_mrr_cents: 4000 }),
]

const CUSTOMERS: readonly Cells[] = [
  customerRow(1, 'A', 'DE', '2024-12-31'),
  customerRow(2, 'B', 'US', '2025-01-10'),
  customerRow(3, 'C', 'DE', '2025-01-31', 'EUR'),
  customerRow(4, 'D', null, '2025-02-20'),
  customerRow(5, 'E', 'de', '2025-01-01'),
  customerRow(6, 'F', 'US', '2025-01-20'),
]

const SUBSCRIPTIONS: readonly Cells[] = [
  subscriptionRow('S1', 1),
  subscriptionRow('S2', 2, '2025-05-02', '2025-05-24'),
  subscriptionRow('S3', 3),
  subscriptionRow('S4', 4, '2025-02-25', '2025-03-01'),
  subscriptionRow('S5', 5),
  subscriptionRow('S6', 6, '2025-04-12', '2025-04-20'),
  subscriptionRow('S7', 6),
]

const CANCELLATIONS: readonly Cells[] = [
  cancellationRow('S2', 2, '2025-05-02', '2025-05-24', 'too_expensive'),
  cancellationRow('S4', 4, '2025-02-25', '2025-03-01', null),
  cancellationRow('S6', 6, '2025-04-12', '2025-04-20', null),
]

const INVOICES: readonly Cells[] = [
  ...paid(1, 'USD', [['2025-01-05', 100000]]),
  ...paid(2, 'USD', [
    ['2025-01-24', 2900],
    ['2025-02-24', 2900],
    ['2025-03-24', 7900],
    ['2025-04-24', 7900],
  ]),
  ...paid(3, 'EUR', [
    ['2025-02-01', 10000],
    ['2025-03-01', 10000],
    ['2025-04-01', 16000],
  ]),
  ...paid(5, 'USD', [
    ['2025-01-01', 1000],
    ['2025-02-03', 1600],
    ['2025-03-03', 1900],
    ['2025-04-02', 2500],
    ['2025-05-04', 1300],
  ]),
  ...paid(6, 'USD', [
    ['2025-01-20', 5000],
    ['2025-02-20', 5000],
    ['2025-04-10', 1613],
    ['2025-05-15', 4000],
  ]),
]

/** The rates of definitions.md 17. */
export const RATES: readonly FxRate[] = [
  { date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.10' },
  { date: '2025-03-01', from: 'EUR', to: 'USD', rate: '1.20' },
]

export const NOW = new Date('2025-06-05T00:00:00Z')

/** The same rates for the conformance kit. */
export const EXAMPLE_RATES = ratesByDay(RATES, { base: 'USD', currencies: ['EUR'], through: NOW })

interface ExampleOptions {
  readonly spans?: readonly Cells[]
  readonly invoices?: readonly Cells[]
  readonly capabilities?: DatabaseConnector['capabilities']
  /** Subscriptions of one bundle line. */
  readonly sameLine?: readonly string[]
  /** Default: those of the example. */
  readonly rates?: readonly FxRate[]
}

/** A connector that keeps the worked example in memory: every relation is inline, so any database can run the templates. */
export function exampleConnector(options: ExampleOptions = {}): DatabaseConnector {
  const spans = options.spans ?? SPANS
  const subscriptions = new Map(spans.map((row) => [String(row['subscription_id']), Number(row['customer_key'])]))
  const lineOf = (id: string) => (options.sameLine?.includes(id) ? 'same' : `line-${id}`)
  const lines: InlineRelation = {
    name: 'bundle_line',
    columns: [
      { name: 'customer_key', type: 'integer' },
      { name: 'subscription_id', type: 'text' },
      { name: 'bundle_line', type: 'text' },
    ],
    rows: [...subscriptions].map(([id, customer_key]) => [customer_key, id, lineOf(id)]),
  }
  const relations = [
    inline(subscriptionSpan, spans),
    inline(customer, CUSTOMERS),
    inline(subscription, SUBSCRIPTIONS),
    inline(plan, PLANS),
    inline(cancellation, CANCELLATIONS),
    inline(invoice, options.invoices ?? INVOICES),
    lines,
  ]
  return {
    type: 'example',
    relationsDirectory: '',
    capabilities: options.capabilities ?? {
      subscription_span: 'exact',
      customer: 'exact',
      subscription: 'exact',
      plan: 'exact',
      cancellation: 'exact',
      invoice: 'exact',
    },
    open: async () => ({
      sources: [{ source_id: 'T', external_key: 'example', name: 'example' }],
      params: {},
      inline: new Map(relations.map((relation) => [relation.name, relation])),
      aliases: new Map(),
      currencies: [...new Set(spans.map((row) => String(row['currency'])))].sort(),
      rates: async () => options.rates ?? RATES,
    }),
    check: async () => [],
  }
}

function inline(contract: RelationContract, rows: readonly Cells[]): InlineRelation {
  return {
    name: contract.name,
    columns: inlineColumns(contract, 'integer'),
    rows: rows.map((row) => contract.columns.map((column) => row[column.name] ?? null)),
  }
}

function planRow(plan_key: number, plan_id: string, billing_period: string, plan_interval: string): Cells {
  const product_name = plan_id.charAt(0).toUpperCase() + plan_id.slice(1)
  return {
    plan_key,
    plan_id,
    plan_name: null,
    billing_period,
    plan_interval,
    pricing_model: 'flat',
    usage_type: 'licensed',
    product_name,
    product_category: 'BASE',
  }
}

function customerRow(customer_key: number, id: string, country: string | null, created: string, currency = 'USD'): Cells {
  return {
    customer_key,
    source_id: 'T',
    customer_id: id,
    customer_name: `Customer ${id}`,
    external_key: `key-${id}`,
    currency,
    customer_country: country,
    created_at: noon(created),
    collection_method: 'automatic',
    city: id === 'A' ? '' : null,
  }
}

function subscriptionRow(
  subscription_id: string,
  customer_key: number,
  requested: string | null = null,
  cancelled: string | null = null,
): Cells {
  return {
    subscription_id,
    customer_key,
    bundle_id: `bundle-${subscription_id}`,
    bundle_external_key: `line-${subscription_id}`,
    bundle_line: `line-${subscription_id}`,
    created_at: noon('2025-01-01'),
    cancel_requested_at: requested === null ? null : noon(requested),
    cancel_at: cancelled === null ? null : noon(cancelled),
  }
}

function cancellationRow(
  subscription_id: string,
  customer_key: number,
  requested: string,
  effective: string,
  cancel_reason: string | null,
): Cells {
  const instants = { requested_at: noon(requested), effective_at: noon(effective) }
  return { subscription_id, customer_key, ...instants, cancel_reason, is_last: true }
}

/** Paid invoices of a customer, each with its day and amount. */
export function paid(customer_key: number, currency: string, amounts: readonly (readonly [string, number])[]): readonly Cells[] {
  return amounts.map(([day, amount_cents]) => ({
    customer_key,
    invoice_id: `invoice-${customer_key}-${day}`,
    currency,
    paid_at: noon(day),
    amount_cents,
    tax_cents: 0,
  }))
}

function noon(day: string): string {
  return `${day} 12:00:00`
}

import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { expandedRelation, type RawTable, type RawType } from '../../../src/connector-kit/mirror-source.ts'
import type { Scope } from '../documents.ts'
import { expandedCustomers, expandedMetadata } from './customers.ts'
import { expandedInvoices } from './invoices.ts'
import { expandedLines } from './lines.ts'
import { expandedPrices, type PriceFacts } from './prices.ts'
import { expandedRefunds } from './refunds.ts'
import { keysOfRows } from './row-keys.ts'
import { expandedItems, expandedSubscriptions } from './subscriptions.ts'

type Columns = Readonly<Record<string, RawType>>

const texts = (...names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, 'text']))
const instants = (...names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, 'timestamp']))
const integers = (...names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, 'integer']))

/** The keys of rows, which no relation reads. */
export const ROW_KEYS = 'stripe_row_key'

/** The prices, which belong to no customer. The cache reads plans from the billing database, so it does not copy them. */
export const PRICES = 'stripe_price'

/** Columns of the expanded tables, in the order of their selects. */
const COLUMNS = {
  stripe_customer: {
    ...texts(
      'customer_id',
      'account_id',
      'customer_name',
      'email',
      'currency',
      'country',
      'city',
      'state',
      'postal_code',
      'locale',
    ),
    ...instants('created_at'),
    ...texts('collection_method'),
  },
  stripe_metadata: { ...texts('customer_id', 'attribute_key', 'attribute_value'), ...integers('position') },
  stripe_subscription: {
    ...texts('subscription_id', 'customer_id', 'status', 'currency'),
    ...instants('created_at', 'started_at', 'ended_at', 'canceled_at', 'cancel_at'),
    ...texts('cancel_reason'),
    ...instants('trial_started_at', 'trial_ended_at', 'synced_at', 'period_end_at'),
  },
  stripe_item: {
    ...texts('customer_id', 'subscription_id', 'item_id'),
    ...instants('created_at'),
    ...texts('price_id'),
    ...integers('quantity', 'is_metered', 'is_tiered', 'monthly_cents'),
  },
  stripe_invoice: {
    ...texts('invoice_id', 'customer_id', 'invoice_number', 'status', 'currency'),
    ...instants('created_at'),
    ...texts('billing_reason', 'subscription_id'),
    ...instants('paid_at', 'voided_at'),
    ...integers('total_cents', 'tax_cents', 'amount_paid_cents', 'balance_cents'),
    ...texts('collection_method'),
    ...integers('is_attempted', 'is_collected'),
    ...instants('due_at'),
  },
  stripe_line: {
    ...texts('customer_id', 'invoice_id'),
    ...instants('invoice_created_at'),
    ...texts('line_id'),
    ...integers('place'),
    ...texts('subscription_id', 'item_id', 'price_id', 'kind', 'currency'),
    ...integers('quantity', 'is_tiered'),
    ...instants('starts_at', 'ends_at'),
    ...integers('amount_cents', 'period_quantity', 'monthly_cents'),
  },
  stripe_refund: {
    ...texts('customer_id', 'table_name', 'refund_id', 'invoice_id'),
    ...instants('refunded_at'),
    ...texts('currency'),
    ...integers('amount_cents'),
  },
  [PRICES]: {
    ...texts('price_id', 'nickname', 'product_name'),
    ...integers('is_metered', 'is_tiered'),
    ...texts('period'),
    ...integers('period_count'),
  },
  [ROW_KEYS]: texts('customer_key', 'table_name', 'row_key'),
} satisfies Readonly<Record<string, Columns>>

/** The tables that the connector makes from documents, as relations. */
export function expandedRelations(scope: Scope, facts: PriceFacts): readonly InlineRelation[] {
  const selects: Readonly<Record<keyof typeof COLUMNS, RawTable['select']>> = {
    stripe_customer: (customers) => expandedCustomers(scope, customers),
    stripe_metadata: (customers) => expandedMetadata(scope, customers),
    stripe_subscription: (customers) => expandedSubscriptions(scope, customers),
    stripe_item: (customers) => expandedItems(scope, facts, customers),
    stripe_invoice: (customers) => expandedInvoices(scope, customers),
    stripe_line: (customers) => expandedLines(scope, facts, customers),
    stripe_refund: (customers) => expandedRefunds(scope, customers),
    [PRICES]: () => expandedPrices(scope, facts),
    [ROW_KEYS]: (customers) => keysOfRows(scope, customers),
  }
  return Object.entries(selects).map(([name, select]) =>
    expandedRelation({ name, columns: columnsOf(COLUMNS[name as keyof typeof COLUMNS]), select }),
  )
}

function columnsOf(columns: Columns): RawTable['columns'] {
  return Object.entries(columns).map(([name, type]) => ({ name, type }))
}

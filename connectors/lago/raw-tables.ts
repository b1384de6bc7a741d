import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import { type Customers, customersIn, type RawTable, type RawType } from '../../src/connector-kit/mirror-source.ts'
import { type Fragment, fn, ident, join, sql, textList } from '../../src/connector-kit/query-runner.ts'

/** Columns with their types, and the condition that a row `t` is one of the customers' in scope. */
interface TableShape {
  readonly columns: Readonly<Record<string, RawType>>
  where(scope: Scope): Fragment
}

interface Scope {
  /** Condition: this column is the id of one of the organizations. */
  ofOrganization(column: Fragment): Fragment
  /** Condition: this column is the key of one of the customers, who belong to the organizations. */
  ofCustomer(column: Fragment): Fragment
}

const texts = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'text']))
const instants = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'timestamp']))
const integers = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'integer']))

const byOrganization = ({ ofOrganization }: Scope) => ofOrganization(sql`t.organization_id`)
const ofSubscription = ({ ofCustomer }: Scope) =>
  sql`t.subscription_id in (select owner.id from subscriptions as owner where ${ofCustomer(sql`owner.customer_id`)})`
const ofInvoice =
  (column: Fragment) =>
  ({ ofCustomer }: Scope) =>
    sql`${column} in (select owner.id from invoices as owner where ${ofCustomer(sql`owner.customer_id`)})`

const SHAPES: Readonly<Record<string, TableShape>> = {
  customers: {
    columns: {
      ...texts('id', 'organization_id', 'billing_entity_id', 'external_id', 'name', 'firstname', 'lastname', 'legal_name'),
      ...texts('email', 'country', 'city', 'state', 'zipcode', 'document_locale', 'timezone', 'currency', 'payment_provider'),
      ...texts('account_type'),
      ...instants('created_at'),
    },
    where: ({ ofCustomer }) => ofCustomer(sql`t.id`),
  },
  billing_entities: { columns: texts('id', 'timezone'), where: byOrganization },
  customer_metadata: {
    columns: { ...texts('id', 'customer_id', 'key', 'value'), ...instants('created_at') },
    where: ({ ofCustomer }) => ofCustomer(sql`t.customer_id`),
  },
  plans: {
    columns: {
      ...texts('id', 'organization_id', 'parent_id', 'code', 'name', 'amount_currency', 'pricing_type'),
      ...integers('interval', 'amount_cents'),
      trial_period: { precision: 20, scale: 6 },
      bill_fixed_charges_monthly: 'boolean',
    },
    where: byOrganization,
  },
  charges: { columns: { ...texts('plan_id'), ...instants('deleted_at') }, where: byOrganization },
  fixed_charges: {
    columns: { ...texts('id', 'plan_id', 'parent_id'), ...instants('created_at', 'deleted_at') },
    where: byOrganization,
  },
  fixed_charge_events: {
    columns: {
      ...texts('id', 'subscription_id', 'fixed_charge_id'),
      units: { precision: 30, scale: 10 },
      ...instants('timestamp', 'created_at', 'deleted_at'),
    },
    where: ofSubscription,
  },
  subscriptions: {
    columns: {
      ...texts('id', 'customer_id', 'plan_id', 'external_id', 'previous_subscription_id'),
      ...integers('status'),
      ...instants('subscription_at', 'started_at', 'ending_at', 'terminated_at', 'created_at', 'updated_at'),
    },
    where: ({ ofCustomer }) => ofCustomer(sql`t.customer_id`),
  },
  invoices: {
    columns: {
      ...texts('id', 'customer_id', 'number', 'currency'),
      ...integers('invoice_type', 'status', 'payment_status'),
      ...integers('taxes_amount_cents', 'total_amount_cents', 'total_paid_amount_cents'),
      issuing_date: 'date',
      self_billed: 'boolean',
      ...instants('finalized_at', 'voided_at', 'payment_dispute_lost_at', 'created_at'),
    },
    where: ({ ofCustomer }) => ofCustomer(sql`t.customer_id`),
  },
  invoice_subscriptions: { columns: texts('invoice_id', 'subscription_id'), where: ofSubscription },
  invoice_settlements: {
    columns: { ...texts('target_invoice_id', 'settlement_type'), ...integers('amount_cents'), ...instants('created_at') },
    where: ofInvoice(sql`t.target_invoice_id`),
  },
  invoices_payment_requests: { columns: texts('invoice_id', 'payment_request_id'), where: ofInvoice(sql`t.invoice_id`) },
  fees: {
    columns: {
      ...texts('id', 'invoice_id', 'subscription_id', 'amount_currency', 'properties'),
      ...integers('fee_type', 'amount_cents', 'payment_status'),
      pay_in_advance: 'boolean',
      ...instants('succeeded_at', 'deleted_at'),
    },
    where: (scope) => sql`t.fee_type = 0 and ${ofSubscription(scope)}`,
  },
  payments: {
    columns: {
      ...texts('payable_type', 'payable_id', 'payable_payment_status', 'payment_type'),
      ...instants('created_at', 'updated_at'),
    },
    where: ({ ofCustomer }) => ofCustomer(sql`t.customer_id`),
  },
  versions: {
    columns: { ...integers('id'), ...texts('item_type', 'item_id', 'event', 'object_changes'), ...instants('created_at') },
    where: ({ ofCustomer, ofOrganization }) => sql`t.event <> 'create' and (
      t.item_type = 'Plan' and t.item_id in (select ${fn('text', sql`owner.id`)} from plans as owner where ${ofOrganization(sql`owner.organization_id`)})
      or t.item_type = 'Subscription'
        and t.item_id in (select ${fn('text', sql`owner.id`)} from subscriptions as owner where ${ofCustomer(sql`owner.customer_id`)})
      or t.item_type = 'Invoice'
        and t.item_id in (select ${fn('text', sql`owner.id`)} from invoices as owner where ${ofCustomer(sql`owner.customer_id`)}))`,
  },
}

/** The rows and columns that the relations read. Ids, enums and JSON are copied as text. */
export function rawTables({ sources }: Pick<ConnectorSession, 'sources'>): readonly RawTable[] {
  const organizations = sources.length === 0 ? textList(['']) : textList(sources.map(({ source_id }) => source_id))
  const ofOrganization = (column: Fragment) => sql`${fn('text', column)} in (${organizations})`
  return Object.entries(SHAPES).map(([name, { columns, where }]) => ({
    name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    select: (customers) => {
      const cells = Object.entries(columns).map(([column, type]) => cellOf(column, type))
      const scope = { ofOrganization, ofCustomer: (column: Fragment) => isOfCustomer(column, customers, ofOrganization) }
      return sql`select ${join(cells, sql`, `)} from ${ident(name)} as t where ${where(scope)}`
    },
  }))
}

function cellOf(column: string, type: RawType): Fragment {
  const cell = sql`t.${ident(column)}`
  if (type === 'text') return sql`${fn('text', cell)} as ${ident(column)}`
  return column === 'trial_period' ? sql`cast(${cell} as decimal(20, 6)) as ${ident(column)}` : cell
}

function isOfCustomer(column: Fragment, customers: Customers, ofOrganization: Scope['ofOrganization']): Fragment {
  return sql`${column} in (select buyer.id from customers as buyer where ${ofOrganization(sql`buyer.organization_id`)}
    and ${customersIn(fn('text', sql`buyer.id`), customers, 'text')})`
}

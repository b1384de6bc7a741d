import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import type { Customers, RawTable, RawType } from '../../src/connector-kit/mirror-source.ts'
import { digits, type Fragment, fn, ident, join, sql, textList, value } from '../../src/connector-kit/query-runner.ts'

/** Columns with their types, and the condition that a row `t` is one of the customers' in scope. */
interface TableShape {
  readonly columns: Readonly<Record<string, RawType>>
  where(scope: Scope): Fragment
  /** Further rows, with other cells for some columns. */
  readonly others?: { where(scope: Scope): Fragment; readonly cells: Readonly<Record<string, Fragment>> }
}

/** The begin and the end of the period of a fee `t` that is no usage, as its properties have them. */
const SERVICE_DAYS = sql`case t.fee_type
    when 5 then json_build_object('fixed_charges_from_datetime', t.properties ->> 'fixed_charges_from_datetime',
      'fixed_charges_to_datetime', t.properties ->> 'fixed_charges_to_datetime')::text
    else json_build_object('from_datetime', t.properties ->> 'from_datetime', 'to_datetime', t.properties ->> 'to_datetime')::text end`

/** Parts of the schema that only the ledger reads, and that not every role or version has. */
interface Layout {
  readonly has_ledger: boolean
  readonly has_note_items: boolean
  readonly has_granted_credits: boolean
}

interface Scope {
  /** Condition: this column is the id of one of the organizations. */
  ofOrganization(column: Fragment): Fragment
  /** Condition: this column is the key of one of the customers, who belong to the organizations. */
  ofCustomer(column: Fragment): Fragment
  /** Condition: this column is the id of a plan of the organizations that one of the customers is or was on. */
  ofPlan(column: Fragment): Fragment
}

const texts = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'text']))
const instants = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'timestamp']))
const integers = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'integer']))

const byOrganization = ({ ofOrganization }: Scope) => ofOrganization(sql`t.organization_id`)
const ofPlan = ({ ofPlan: isOfPlan }: Scope) => isOfPlan(sql`t.plan_id`)
const ofSubscription = ({ ofCustomer }: Scope) =>
  sql`t.subscription_id in (select owner.id from subscriptions as owner where ${ofCustomer(sql`owner.customer_id`)})`
const ofInvoice =
  (column: Fragment) =>
  ({ ofCustomer }: Scope) =>
    sql`${column} in (select owner.id from invoices as owner where ${ofCustomer(sql`owner.customer_id`)})`

const shapesOf = ({ has_ledger, has_note_items, has_granted_credits }: Layout): Readonly<Record<string, TableShape>> => ({
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
    where: (scope) => scope.ofPlan(sql`t.id`),
  },
  charges: { columns: { ...texts('plan_id'), ...instants('deleted_at') }, where: ofPlan },
  fixed_charges: {
    columns: { ...texts('id', 'plan_id', 'parent_id'), ...instants('created_at', 'deleted_at') },
    where: ofPlan,
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
      ...(has_ledger && { ...integers('credit_notes_amount_cents', 'prepaid_credit_amount_cents'), payment_due_date: 'date' }),
      ...(has_granted_credits && integers('prepaid_granted_credit_amount_cents')),
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
  // Usage belongs to its subscription, also without an invoice. Only the books read other fees.
  fees: {
    columns: {
      ...texts('id', 'invoice_id', 'subscription_id', 'amount_currency', 'properties'),
      ...integers('fee_type', 'amount_cents', 'payment_status'),
      ...(has_ledger && { precise_coupons_amount_cents: { precision: 30, scale: 5 } }),
      pay_in_advance: 'boolean',
      ...instants('succeeded_at', 'deleted_at'),
    },
    where: (scope) => sql`t.fee_type = 0 and ${ofSubscription(scope)}`,
    ...(has_ledger && {
      others: {
        where: (scope: Scope) => sql`t.fee_type <> 0 and ${ofInvoice(sql`t.invoice_id`)(scope)}`,
        cells: { properties: SERVICE_DAYS },
      },
    }),
  },
  credit_notes: {
    columns: {
      ...texts('id', 'customer_id', 'invoice_id'),
      ...integers('status', 'refund_amount_cents', 'refund_status'),
      ...(has_ledger && { ...integers('credit_amount_cents', 'offset_amount_cents'), ...instants('created_at') }),
      ...(has_note_items && integers('taxes_amount_cents')),
      ...instants('refunded_at'),
    },
    where: ({ ofCustomer }) =>
      has_ledger ? ofCustomer(sql`t.customer_id`) : sql`t.refund_amount_cents > 0 and ${ofCustomer(sql`t.customer_id`)}`,
  },
  ...(has_note_items && {
    credit_note_items: {
      columns: { ...texts('credit_note_id', 'fee_id'), ...integers('amount_cents') },
      where: ({ ofCustomer }: Scope) =>
        sql`t.credit_note_id in (select owner.id from credit_notes as owner where ${ofCustomer(sql`owner.customer_id`)})`,
    },
  }),
  payments: {
    columns: {
      ...texts('id', 'customer_id', 'payable_type', 'payable_id', 'payable_payment_status', 'payment_type'),
      ...integers('amount_cents'),
      ...instants('created_at', 'updated_at'),
    },
    where: ({ ofCustomer }) => ofCustomer(sql`t.customer_id`),
  },
  versions: {
    columns: { ...integers('id'), ...texts('item_type', 'item_id', 'event', 'object_changes'), ...instants('created_at') },
    where: ({ ofCustomer, ofPlan: isOfPlan }) => sql`t.event <> 'create' and (t.item_type, t.item_id) in (
      ${itemsOf(sql`'Plan'`, 'plans', isOfPlan(sql`owner.id`))}
      union all ${itemsOf(sql`'Subscription'`, 'subscriptions', ofCustomer(sql`owner.customer_id`))}
      union all ${itemsOf(sql`'Invoice'`, 'invoices', ofCustomer(sql`owner.customer_id`))})`,
  },
})

/** The layout of a session. Without the ledger, nothing that only the ledger reads. */
function layoutOf({ aliases, relations_unknown = [] }: Pick<ConnectorSession, 'aliases' | 'relations_unknown'>): Layout {
  const has_ledger = !relations_unknown.some(({ reads }) => reads.includes('ledger_charge'))
  return {
    has_ledger,
    has_note_items: has_ledger && !aliases.has('lago_note_item'),
    has_granted_credits: has_ledger && !aliases.has('lago_granted'),
  }
}

/** Type and id of the items of a table, as versions have them. */
function itemsOf(type: Fragment, table: string, where: Fragment): Fragment {
  return sql`select ${type}, ${fn('text', sql`owner.id`)} from ${ident(table)} as owner where ${where}`
}

/** The rows and columns that the relations read. Ids, enums and JSON are copied as text. */
export function rawTables(session: Pick<ConnectorSession, 'sources' | 'aliases' | 'relations_unknown'>): readonly RawTable[] {
  const { sources } = session
  const organizations = sources.length === 0 ? textList(['']) : textList(sources.map(({ source_id }) => source_id))
  const ofOrganization = (column: Fragment) => sql`${fn('text', column)} in (${organizations})`
  return Object.entries(shapesOf(layoutOf(session))).map(([name, { columns, where, others }]) => ({
    name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    select: (customers) => {
      const scope = scopeOf(customers, ofOrganization)
      const rowsOf = (condition: Fragment, own: Readonly<Record<string, Fragment>> = {}) => {
        const cells = Object.entries(columns).map(([column, type]) => own[column] ?? cellOf(column, type))
        return sql`select ${join(cells, sql`, `)} from ${ident(name)} as t where ${condition}`
      }
      const rows = rowsOf(where(scope))
      return others === undefined ? rows : sql`${rows} union all ${rowsOf(others.where(scope), others.cells)}`
    },
  }))
}

function cellOf(column: string, type: RawType): Fragment {
  const cell = sql`t.${ident(column)}`
  if (type === 'text') return sql`${fn('text', cell)} as ${ident(column)}`
  if (typeof type === 'string') return cell
  const number = sql`cast(${cell} as decimal(${digits(type.precision)}, ${digits(type.scale)}))`
  // The database refuses NaN as an integer, with a message that names it. The cache could not read it.
  return sql`case when ${fn('integer', sql`${number} - ${number}`)} = 0 then ${number} end as ${ident(column)}`
}

/** Ids are compared as such, because their text has no index. */
function scopeOf(customers: Customers, ofOrganization: Scope['ofOrganization']): Scope {
  if (customers === 'all') {
    const theirs = (table: string) =>
      sql`(select owner.id from ${ident(table)} as owner where ${ofOrganization(sql`owner.organization_id`)})`
    const [buyers, plans] = [theirs('customers'), theirs('plans')]
    return { ofOrganization, ofCustomer: (column) => sql`${column} in ${buyers}`, ofPlan: (column) => sql`${column} in ${plans}` }
  }
  // One value for all keys: a server that writes files reads each value of a condition again for every row.
  const keys = sql`(select cast(listed.key as uuid) from unnest(string_to_array(${value(customers.keys.join(), 'text')}, ',')) as listed (key))`
  const ofCustomer = (column: Fragment) => sql`${column} in ${keys}`
  const plans = sql`(select own.plan_id from subscriptions as own where ${ofCustomer(sql`own.customer_id`)}
    union select cast(former.object_changes -> 'plan_id' ->> 0 as uuid) from subscriptions as own
      join versions as former on former.item_type = 'Subscription' and former.item_id = ${fn('text', sql`own.id`)}
      where former.event <> 'create' and ${ofCustomer(sql`own.customer_id`)} and former.object_changes -> 'plan_id' ->> 0 is not null)`
  return { ofOrganization, ofCustomer, ofPlan: (column) => sql`${column} in ${plans}` }
}

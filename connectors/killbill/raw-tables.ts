import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import { customersIn, type RawTable, type RawType } from '../../src/connector-kit/mirror-source.ts'
import { type Fragment, fn, ident, join, sql, value } from '../../src/connector-kit/query-runner.ts'
import { auditRows, cancelHistoryRows, IS_INVOICE_NUMBER, IS_WRITE_OFF, ownedSubscriptions, type Scope } from './account-rows.ts'

/** Columns with their types, and the rows. */
interface TableShape {
  readonly columns: Readonly<Record<string, RawType>>
  /** `from` and `where` of the rows. Their alias is `t`. */
  rows(scope: Scope): Fragment
}

/** Amounts of invoices and payments. */
const AMOUNT: RawType = { precision: 15, scale: 9 }

const OWNER = { account_record_id: 'integer', tenant_record_id: 'integer' } as const

const texts = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'text']))

/** Rows of one account. The row has the account. */
const ofAccount = (table: string, more: Fragment = sql``) => ({
  rows: ({ tenants, of }: Scope): Fragment =>
    sql`from ${ident(table)} as t where t.tenant_record_id in (${tenants}) and ${of(sql`t.account_record_id`)}${more}`,
})

/** The parts of the schema that the engine 0.22 has in another form (KB 11.4), and whether the role reads the columns of the ledger. */
interface Layout {
  readonly has_quantity: boolean
  readonly has_payment_status: boolean
  readonly has_ledger: boolean
}

/** Payments that succeeded, and chargebacks that were reversed. */
function paymentsOf({ has_payment_status, has_ledger }: Pick<Layout, 'has_payment_status' | 'has_ledger'>): Fragment {
  if (!has_payment_status) return sql` and t.success = true`
  return has_ledger ? sql` and (t.status = 'SUCCESS' or t.type = 'CHARGED_BACK')` : sql` and t.status = 'SUCCESS'`
}

const shapesOf = ({ has_quantity, has_payment_status, has_ledger }: Layout): Readonly<Record<string, TableShape>> => ({
  tenants: {
    columns: { record_id: 'integer', id: 'text' },
    rows: ({ tenants }) => sql`from tenants as t where t.record_id in (${tenants})`,
  },
  tag_definitions: {
    columns: { id: 'text', name: 'text', tenant_record_id: 'integer' },
    rows: ({ tenants }) => sql`from tag_definitions as t where t.tenant_record_id in (${tenants})`,
  },
  accounts: {
    columns: {
      record_id: 'integer',
      tenant_record_id: 'integer',
      ...texts('id', 'external_key', 'email', 'name', 'currency', 'country'),
      created_date: 'timestamp',
      ...texts('company_name', 'city', 'state_or_province', 'postal_code', 'locale', 'time_zone'),
      reference_time: 'timestamp',
    },
    rows: ({ tenants, of }) => sql`from accounts as t where t.tenant_record_id in (${tenants}) and ${of(sql`t.record_id`)}`,
  },
  bundles: {
    columns: {
      record_id: 'integer',
      id: 'text',
      external_key: 'text',
      ...OWNER,
    },
    ...ofAccount('bundles'),
  },
  // A row may have the account of the call that wrote it. The bundle has the owner.
  bundle_history: {
    columns: {
      target_record_id: 'integer',
      external_key: 'text',
      change_type: 'text',
      created_date: 'timestamp',
      tenant_record_id: 'integer',
    },
    rows: ({ tenants, customers, of }) => {
      const wanted = sql`t.tenant_record_id in (${tenants})
  and (t.change_type = 'INSERT' or (t.change_type = 'UPDATE' and t.external_key like 'kbtsf-%'))`
      if (customers === 'all') return sql`from bundle_history as t where ${wanted}`
      const owned = sql`from bundles as owner where owner.tenant_record_id in (${tenants}) and ${of(sql`owner.account_record_id`)}`
      return sql`from bundle_history as t where ${fn('is_among', sql`t.target_record_id`, sql`select owner.record_id ${owned}`)} and ${wanted}`
    },
  },
  subscriptions: {
    columns: {
      record_id: 'integer',
      ...texts('id', 'bundle_id', 'external_key', 'category'),
      start_date: 'timestamp',
      charged_through_date: 'timestamp',
      created_date: 'timestamp',
      ...OWNER,
    },
    ...ofAccount('subscriptions'),
  },
  // After a second transfer of a bundle, events of the first owner's subscription have the second owner's account.
  subscription_events: {
    columns: {
      record_id: 'integer',
      ...texts('subscription_id', 'event_type', 'user_type'),
      effective_date: 'timestamp',
      plan_name: 'text',
      phase_name: 'text',
      price_list_name: 'text',
      ...(has_quantity && { quantity: 'integer' }),
      is_active: 'boolean',
      created_date: 'timestamp',
      tenant_record_id: 'integer',
    },
    rows: ({ tenants, customers, of }) => {
      const wanted = sql`t.tenant_record_id in (${tenants}) and (t.is_active = true or t.event_type = 'EXPIRED')`
      if (customers === 'all') return sql`from subscription_events as t where ${wanted}`
      return sql`from subscription_events as t where ${fn('is_among', sql`t.subscription_id`, ownedSubscriptions(tenants, of))} and ${wanted}`
    },
  },
  subscription_event_history: {
    columns: { record_id: 'integer', target_record_id: 'integer', user_type: 'text', tenant_record_id: 'integer' },
    rows: cancelHistoryRows,
  },
  // The largest table. Only the reason codes of cancellations are read.
  audit_log: {
    columns: {
      record_id: 'integer',
      target_record_id: 'integer',
      ...texts('table_name', 'change_type', 'reason_code'),
    },
    rows: auditRows,
  },
  // Most objects are never blocked. Rows that only unblock such an object have no effect.
  blocking_states: {
    columns: {
      record_id: 'integer',
      ...texts('blockable_id', 'type', 'state', 'service'),
      block_billing: 'boolean',
      effective_date: 'timestamp',
      is_active: 'boolean',
      created_date: 'timestamp',
      ...OWNER,
    },
    rows: ({ tenants, of }) => {
      const active = sql`t.tenant_record_id in (${tenants}) and ${of(sql`t.account_record_id`)} and t.is_active = true`
      return sql`from blocking_states as t
where ${active} and t.blockable_id in (select t.blockable_id from blocking_states as t where ${active} and t.block_billing = true)`
    },
  },
  invoices: {
    columns: {
      record_id: 'integer',
      ...texts('id', 'currency', 'status'),
      migrated: 'boolean',
      parent_invoice: 'boolean',
      invoice_date: 'date',
      created_date: 'timestamp',
      ...OWNER,
    },
    ...ofAccount('invoices'),
  },
  // An invoice is committed when it is created, unless it was a draft. Most were not, and most were never void.
  invoice_history: {
    columns: { target_record_id: 'integer', status: 'text', created_date: 'timestamp', tenant_record_id: 'integer' },
    rows: ({ tenants, of }) => {
      const own = sql`t.tenant_record_id in (${tenants}) and ${of(sql`t.account_record_id`)}`
      return sql`from invoice_history as t
where ${own} and (t.status = 'VOID'
  or t.target_record_id in (select t.target_record_id from invoice_history as t where ${own} and t.status = 'DRAFT'))`
    },
  },
  invoice_items: {
    columns: {
      record_id: 'integer',
      ...texts('id', 'invoice_id', 'child_account_id', 'type', 'subscription_id', 'phase_name'),
      start_date: 'date',
      end_date: 'date',
      amount: AMOUNT,
      rate: AMOUNT,
      catalog_effective_date: 'timestamp',
      linked_item_id: 'text',
      created_date: 'timestamp',
      tenant_record_id: 'integer',
    },
    ...ofAccount('invoice_items'),
  },
  // A chargeback that was reversed is no success any more.
  invoice_payments: {
    columns: {
      record_id: 'integer',
      invoice_id: 'text',
      ...(has_ledger && { type: 'text' }),
      payment_date: 'timestamp',
      amount: AMOUNT,
      ...(has_payment_status ? { status: 'text' } : { success: 'boolean' }),
      tenant_record_id: 'integer',
    },
    ...ofAccount('invoice_payments', paymentsOf({ has_payment_status, has_ledger })),
  },
  ...(has_payment_status &&
    has_ledger && {
      invoice_payment_history: {
        columns: {
          target_record_id: 'integer',
          ...texts('invoice_id', 'status'),
          amount: AMOUNT,
          created_date: 'timestamp',
          tenant_record_id: 'integer',
        },
        rows: ({ tenants, of }: Scope) => sql`from invoice_payment_history as t
where t.tenant_record_id in (${tenants}) and t.target_record_id in (
  select paid.record_id from invoice_payments as paid
  where paid.tenant_record_id in (${tenants}) and ${of(sql`paid.account_record_id`)} and paid.type = 'CHARGED_BACK' and paid.status <> 'SUCCESS')`,
      },
    }),
  // A link belongs to two customers, the parent and the child.
  invoice_parent_children: {
    columns: { parent_invoice_id: 'text', child_invoice_id: 'text', tenant_record_id: 'integer' },
    rows: ({ tenants, customers, of }) => {
      const wanted = sql`t.tenant_record_id in (${tenants})`
      if (customers === 'all') return sql`from invoice_parent_children as t where ${wanted}`
      const ofOwner = (invoiceId: Fragment) => sql`select t.record_id, t.parent_invoice_id, t.child_invoice_id, t.tenant_record_id
  from invoice_parent_children as t
  join invoices as invoice on invoice.id = ${invoiceId}
  where ${wanted} and ${of(sql`invoice.account_record_id`)}`
      return sql`from (
  ${ofOwner(sql`t.parent_invoice_id`)}
  union
  ${ofOwner(sql`t.child_invoice_id`)}
) as t`
    },
  },
  custom_fields: {
    columns: {
      record_id: 'integer',
      ...texts('object_id', 'object_type', 'field_name', 'field_value'),
      is_active: 'boolean',
      ...OWNER,
    },
    rows: (scope) =>
      ofAccount(
        'custom_fields',
        sql` and t.is_active = true and t.field_value is not null
  and (t.object_type = 'ACCOUNT' or (t.object_type = 'SUBSCRIPTION' and t.field_name = ${scope.cancelReasonField})
    or (${IS_INVOICE_NUMBER}))`,
      ).rows(scope),
  },
  tags: {
    columns: {
      record_id: 'integer',
      ...texts('object_id', 'object_type', 'tag_definition_id'),
      is_active: 'boolean',
      created_date: 'timestamp',
      ...(has_ledger && { updated_date: 'timestamp' }),
      ...OWNER,
    },
    // A write-off that was taken back has days, too (R15).
    ...ofAccount(
      'tags',
      sql` and ((t.is_active = true and t.object_type = 'ACCOUNT')
  or (${has_ledger ? sql`1 = 1` : sql`t.is_active = true`} and ${IS_WRITE_OFF}))`,
    ),
  },
})

/**
 * The tables of the engine that the relations of the mirror read, with exactly the columns and rows that they read. The layout follows
 * from the session. Rows of other tenants never come.
 */
export function rawTables(session: ConnectorSession): readonly RawTable[] {
  const { tenants, cancel_reason_field } = session.params
  const layout = {
    has_quantity: !session.aliases.has('kb_event'),
    has_payment_status: !session.aliases.has('kb_payment'),
    has_ledger: session.relations_unknown?.some(({ reads }) => reads.includes('ledger_charge')) !== true,
  }
  return Object.entries(shapesOf(layout)).map(([name, { columns, rows }]) => ({
    name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    select: (customers) => {
      const cells = Object.keys(columns).map((column) => sql`t.${ident(column)}`)
      return sql`select ${join(cells, sql`, `)} ${rows({
        tenants: value(tenants ?? null, 'integers'),
        customers,
        of: (column) => customersIn(column, customers, 'integer'),
        cancelReasonField: value(cancel_reason_field ?? null, 'text'),
      })}`
    },
  }))
}

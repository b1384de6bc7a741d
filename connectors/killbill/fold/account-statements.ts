import { type Fragment, fragment, sql, value } from '../../../src/connector-kit/query-runner.ts'

/** Accounts of these tenants with `record_id` in (after, to]; what the tables below are read for. */
export interface AccountPage {
  readonly tenants: readonly number[]
  readonly after: number
  readonly to: number
}

/** Which invoices are read: those that hold usage suffice for MRR (D29). */
export type InvoiceScope = 'all' | 'usage' | 'none'

/** What an older engine lacks (KB 11.4). */
export interface Layout {
  readonly has_quantity: boolean
  readonly has_payment_status: boolean
}

/** Accounts after that `record_id`, in order; as many as make a page. */
export function accountPage(tenants: readonly number[], after: number): Fragment {
  return sql`select account.record_id, account.tenant_record_id, account.id, account.external_key, account.currency
from accounts as account
where account.tenant_record_id in (${value(tenants, 'integers')}) and account.record_id > ${value(after, 'integer')}
order by account.record_id limit 300`
}

function inPage({ tenants, after, to }: AccountPage): Fragment {
  return sql`t.tenant_record_id in (${value(tenants, 'integers')}) and t.account_record_id > ${value(after, 'integer')} and t.account_record_id <= ${value(to, 'integer')}`
}

const NOTHING = sql`1 = 0`

function invoicesIn(page: AccountPage, scope: InvoiceScope, column: Fragment): Fragment {
  if (scope === 'none') return NOTHING
  if (scope === 'all') return sql`1 = 1`
  return sql`${column} in (select t.invoice_id from invoice_items as t where ${inPage(page)} and t.type = 'USAGE')`
}

/** Only an invoice that was a draft was committed at another instant than that of its creation (KB 8.1). */
function formerDrafts(page: AccountPage): Fragment {
  return sql`select t.target_record_id from invoice_history as t where ${inPage(page)} and t.status = 'DRAFT'`
}

/** Selects of a page by the name under which the fold knows the rows, each in the order of account and `record_id`. */
export function pageStatements(page: AccountPage, scope: InvoiceScope, layout: Layout) {
  const from = (columns: Fragment, table: Fragment, more: Fragment = fragment([])): Fragment =>
    sql`select t.account_record_id, ${columns} from ${table} as t where ${inPage(page)}${more} order by t.account_record_id, t.record_id`
  const quantity = layout.has_quantity ? sql`t.quantity` : sql`0 as quantity`
  const status = layout.has_payment_status
    ? sql`t.status`
    : sql`case when t.success = true then 'SUCCESS' else 'INIT' end as status`
  return {
    bundles: from(sql`t.record_id, t.id, t.external_key`, sql`bundles`),
    subscriptions: from(sql`t.record_id, t.id, t.bundle_id, t.external_key, t.category, t.start_date`, sql`subscriptions`),
    events: from(
      sql`t.record_id, t.subscription_id, t.event_type, t.user_type, t.effective_date, t.plan_name, t.phase_name, t.price_list_name, ${quantity}, t.is_active`,
      sql`subscription_events`,
      sql` and (t.is_active = true or t.event_type = 'EXPIRED')`,
    ),
    blocking_states: from(
      sql`t.record_id, t.blockable_id, t.type, t.service, t.block_billing, t.effective_date, t.created_date, t.is_active`,
      sql`blocking_states`,
      sql` and t.is_active = true`,
    ),
    invoices: from(
      sql`t.record_id, t.id, t.currency, t.status, t.migrated, t.parent_invoice, t.created_date`,
      sql`invoices`,
      sql` and ${invoicesIn(page, scope, sql`t.id`)}`,
    ),
    invoice_history: from(
      sql`t.target_record_id, t.status, t.created_date`,
      sql`invoice_history`,
      scope === 'none' ? sql` and ${NOTHING}` : sql` and t.target_record_id in (${formerDrafts(page)})`,
    ),
    invoice_items: from(
      sql`t.record_id, t.id, t.invoice_id, t.type, t.subscription_id, t.start_date, t.end_date, t.amount, t.linked_item_id, t.created_date`,
      sql`invoice_items`,
      sql` and (${invoicesIn(page, scope, sql`t.invoice_id`)}${scope === 'none' ? fragment([]) : sql` or t.type = 'ITEM_ADJ'`})`,
    ),
    invoice_payments: from(
      sql`t.invoice_id, t.payment_date, t.amount, ${status}`,
      sql`invoice_payments`,
      sql` and ${invoicesIn(page, scope, sql`t.invoice_id`)}`,
    ),
    tags: from(
      sql`t.object_id, t.object_type, t.tag_definition_id, t.created_date, t.is_active`,
      sql`tags`,
      sql` and t.is_active = true and t.tag_definition_id in ('00000000-0000-0000-0000-000000000004', '00000000-0000-0000-0000-000000000006')`,
    ),
  } as const
}

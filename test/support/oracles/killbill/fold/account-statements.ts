import { CONTROL_TAGS } from '../../../../../connectors/killbill/control-tags.ts'
import { digits, type Fragment, sql, textList, value } from '../../../../../src/connector-kit/query-runner.ts'

/** The accounts to read: the tenants' accounts with `record_id` in (after, to], or the named accounts. */
export type AccountPage = { readonly tenants: readonly number[] } & (
  | { readonly after: number; readonly to: number }
  | { readonly accounts: readonly number[] }
)

/** Parts of the schema that an older engine lacks (KB 11.4). */
export interface Layout {
  readonly has_quantity: boolean
  readonly has_payment_status: boolean
}

/** Tags that decide how an account or an invoice counts. */
const DECIDING_TAGS = [CONTROL_TAGS.AUTO_PAY_OFF, CONTROL_TAGS.WRITTEN_OFF, CONTROL_TAGS.MANUAL_PAY, CONTROL_TAGS.TEST]

const ACCOUNTS = sql`select account.record_id, account.tenant_record_id, account.id, account.external_key, account.currency,
  account.name, account.email, account.country, account.created_date, account.company_name, account.city,
  account.state_or_province, account.postal_code, account.locale, account.time_zone,
  account.reference_time
from accounts as account`

/** The next accounts after a `record_id`, in order, at most `size`. */
export function accountPage(tenants: readonly number[], after: number, size: number): Fragment {
  return sql`${ACCOUNTS}
where account.tenant_record_id in (${value(tenants, 'integers')}) and account.record_id > ${value(after, 'integer')}
order by account.record_id limit ${digits(size)}`
}

/** The named accounts that belong to the tenants, in order of `record_id`. */
export function namedAccounts(tenants: readonly number[], accounts: readonly number[]): Fragment {
  return sql`${ACCOUNTS}
where account.tenant_record_id in (${value(tenants, 'integers')}) and account.record_id in (${value(accounts, 'integers')})
order by account.record_id`
}

/** Condition on `t`: its rows belong to the page's accounts. A list of named accounts must not be empty. */
export function inPage(page: AccountPage): Fragment {
  const tenant = sql`t.tenant_record_id in (${value(page.tenants, 'integers')})`
  if ('accounts' in page) return sql`${tenant} and t.account_record_id in (${value(page.accounts, 'integers')})`
  return sql`${tenant} and t.account_record_id > ${value(page.after, 'integer')} and t.account_record_id <= ${value(page.to, 'integer')}`
}

/** Each row has its account. The rows of an account are together, in the order of `record_id`. */
function select(columns: Fragment, table: Fragment, where: Fragment): Fragment {
  return sql`select t.account_record_id, ${columns} from ${table} where ${where} order by t.account_record_id, t.record_id`
}

/** The statements of a page that the lives of subscriptions need, by the names that the fold gives to the rows. */
export function lifeStatements(page: AccountPage) {
  const accounts = inPage(page)
  return {
    bundles: select(sql`t.id, t.external_key`, sql`bundles as t`, accounts),
    subscriptions: select(
      sql`t.id, t.bundle_id, t.category, t.start_date, t.external_key, t.created_date, t.charged_through_date`,
      sql`subscriptions as t`,
      accounts,
    ),
    // Most objects are never blocked. Rows that only unblock such an object have no effect.
    blocking_states: select(
      sql`t.record_id, t.blockable_id, t.type, t.service, t.block_billing, t.effective_date, t.created_date, t.is_active`,
      sql`blocking_states as t`,
      sql`${accounts} and t.is_active = true and t.blockable_id in (select t.blockable_id from blocking_states as t where ${accounts} and t.is_active = true and t.block_billing = true)`,
    ),
    tags: select(
      sql`t.object_id, t.object_type, t.tag_definition_id, t.created_date, t.is_active`,
      sql`tags as t`,
      sql`${accounts} and t.is_active = true and t.tag_definition_id in (${textList(DECIDING_TAGS)})`,
    ),
  } as const
}

/**
 * Events of these subscriptions, in the order of `record_id`. After a second transfer of a bundle, the first owner's subscription has events
 * under the second owner's account. The names are values, because a join would read the whole table on sessions that hash.
 */
export function eventStatement(subscriptions: readonly string[], layout: Layout): Fragment {
  const quantity = layout.has_quantity ? sql`t.quantity` : sql`0 as quantity`
  return sql`select t.record_id, t.subscription_id, t.event_type, t.user_type, t.effective_date, t.plan_name, t.phase_name,
  t.price_list_name, ${quantity}, t.is_active, t.created_date
from subscription_events as t
where t.subscription_id in (${textList(subscriptions)}) and (t.is_active = true or t.event_type = 'EXPIRED') order by t.record_id`
}

/** Column `status` of `invoice_payments as t`. An older engine has the flag `success` instead. */
export function paymentStatus(layout: Layout): Fragment {
  return layout.has_payment_status ? sql`t.status` : sql`case when t.success = true then 'SUCCESS' else 'INIT' end as status`
}

/** Accounts of the page that were ever charged for usage. */
export function chargedAccounts(page: AccountPage): Fragment {
  return sql`select distinct t.account_record_id from invoice_items as t where ${inPage(page)} and t.type = 'USAGE'`
}

/** The statements of a page for the invoices. */
export function invoiceStatements(page: AccountPage, layout: Layout) {
  const accounts = inPage(page)
  return {
    invoices: select(
      sql`t.record_id, t.id, t.currency, t.status, t.migrated, t.parent_invoice, t.created_date`,
      sql`invoices as t`,
      accounts,
    ),
    // An invoice is committed at the instant of its creation, unless it was a draft (KB 8.1).
    invoice_history: select(
      sql`t.target_record_id, t.status, t.created_date`,
      sql`invoice_history as t join (select distinct t.target_record_id from invoice_history as t where ${accounts} and t.status = 'DRAFT') as draft on draft.target_record_id = t.target_record_id`,
      accounts,
    ),
    invoice_items: select(
      sql`t.record_id, t.id, t.invoice_id, t.type, t.subscription_id, t.phase_name, t.start_date, t.end_date, t.amount, t.linked_item_id, t.created_date`,
      sql`invoice_items as t`,
      accounts,
    ),
    invoice_payments: select(
      sql`t.invoice_id, t.payment_date, t.amount, ${paymentStatus(layout)}`,
      sql`invoice_payments as t`,
      accounts,
    ),
  } as const
}

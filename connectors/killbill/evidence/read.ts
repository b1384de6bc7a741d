import { empty, type Fragment, type QueryRunner, sql, textList, value } from '../../../src/connector-kit/query-runner.ts'
import type { Row } from '../../../src/ports/rows.ts'

/** Active events of all subscriptions in the bundles of some, in the order of their effect. */
export async function readEvents(
  run: QueryRunner,
  tenants: Fragment,
  subscriptions: readonly string[],
  hasQuantity: boolean,
): Promise<readonly Row[]> {
  if (subscriptions.length === 0) return []
  const quantity = hasQuantity ? sql`event.quantity` : sql`null as quantity`
  return run(
    'killbill.evidence.events',
    sql`select event.record_id, event.subscription_id, other.bundle_id, event.event_type, event.user_type, event.effective_date,
        event.plan_name, event.phase_name, ${quantity}
      from subscriptions as own
      join subscriptions as other on other.bundle_id = own.bundle_id and other.tenant_record_id in (${tenants})
      join subscription_events as event on event.subscription_id = other.id and event.tenant_record_id in (${tenants})
        and event.is_active = true
      where own.tenant_record_id in (${tenants}) and own.id in (${textList(subscriptions)})
      group by event.record_id, event.subscription_id, other.bundle_id, event.event_type, event.user_type, event.effective_date,
        event.plan_name, event.phase_name${hasQuantity ? sql`, event.quantity` : empty}
      order by event.effective_date, event.record_id`,
  )
}

/** Blocks of billing that concern subscriptions, their bundles or accounts. */
export async function readBlocks(run: QueryRunner, tenants: Fragment, events: readonly Row[]): Promise<readonly Row[]> {
  const ids = [...new Set(events.map((event) => String(event['subscription_id'])))]
  if (ids.length === 0) return []
  return run(
    'killbill.evidence.blocks',
    sql`select state.record_id, own.id as subscription_id, state.type, state.state, state.service, state.block_billing,
        state.effective_date
      from subscriptions as own
      join accounts as account on account.record_id = own.account_record_id
      join blocking_states as state on state.blockable_id in (own.id, own.bundle_id, account.id)
        and state.tenant_record_id in (${tenants}) and state.is_active = true
        and state.state not in ('ENT_STARTED', 'ENT_CANCELLED')
      where own.tenant_record_id in (${tenants}) and own.id in (${textList(ids)})
      order by state.effective_date, state.record_id`,
  )
}

/** Invoices by id. */
export async function readInvoices(run: QueryRunner, tenants: Fragment, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  return run(
    'killbill.evidence.invoices',
    sql`select invoice.record_id, invoice.id, invoice.invoice_date, invoice.currency, invoice.status, invoice.created_date
      from invoices as invoice where invoice.tenant_record_id in (${tenants}) and invoice.id in (${textList(ids)})`,
  )
}

/** Invoice items by record id. */
export async function readItems(run: QueryRunner, tenants: Fragment, ids: readonly string[]): Promise<readonly Row[]> {
  const known = ids.filter((id) => /^\d{1,15}$/.test(id))
  if (known.length === 0) return []
  return run(
    'killbill.evidence.items',
    sql`select item.record_id, item.id, item.type, item.amount, item.start_date, item.end_date, item.created_date
      from invoice_items as item where item.tenant_record_id in (${tenants}) and item.record_id in (${integers(known)})`,
  )
}

/** Accounts by id. */
export async function readAccounts(run: QueryRunner, tenants: Fragment, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  return run(
    'killbill.evidence.accounts',
    sql`select account.record_id, account.id, account.created_date, account.currency
      from accounts as account where account.tenant_record_id in (${tenants}) and account.id in (${textList(ids)})`,
  )
}

function integers(ids: readonly string[]): Fragment {
  return value(ids.map(Number), 'integers')
}

import type { Customers } from '../../src/connector-kit/mirror-source.ts'
import { type Fragment, fn, sql, value } from '../../src/connector-kit/query-runner.ts'
import { CONTROL_TAGS } from './control-tags.ts'

/** Conditions and values that the rows of a table depend on. */
export interface Scope {
  /** The tenants of the session, for `in (…)`. */
  readonly tenants: Fragment
  readonly customers: Customers
  /** Condition: this column is the key of one of the customers. */
  of(column: Fragment): Fragment
  readonly cancelReasonField: Fragment
}

/** The condition that a row `t` of custom fields is the number that a plugin gave to an invoice. */
export const IS_INVOICE_NUMBER = sql`t.object_type = 'INVOICE' and t.field_name = 'INVOICE_SEQUENCE_NUMBER'`

/** The condition that a row `t` of tags marks an invoice as written off, now or once. */
export const IS_WRITE_OFF = sql`t.object_type = 'INVOICE' and t.tag_definition_id = ${value(CONTROL_TAGS.WRITTEN_OFF, 'text')}`

/** The ids of the customers' subscriptions. */
export function ownedSubscriptions(tenants: Fragment, of: Scope['of']): Fragment {
  return sql`select owner.id from subscriptions as owner
    where owner.tenant_record_id in (${tenants}) and ${of(sql`owner.account_record_id`)}`
}

/** The active CANCEL events of the customers' subscriptions, as a table `canceling` with their `record_id`. */
function canceling({ tenants, customers, of }: Scope): Fragment {
  const cancels = sql`event.tenant_record_id in (${tenants}) and event.is_active = true and event.user_type = 'CANCEL'`
  if (customers === 'all') return sql`(select event.record_id from subscription_events as event where ${cancels}) as canceling`
  const isTheirs = fn('is_among', sql`event.subscription_id`, ownedSubscriptions(tenants, of))
  return sql`(select event.record_id from subscription_events as event where ${isTheirs} and ${cancels}) as canceling`
}

/** The history rows of those events. */
export function cancelHistoryRows(scope: Scope): Fragment {
  return scope.customers !== 'all'
    ? sql`from subscription_event_history as t
where ${fn('is_among', sql`t.target_record_id`, sql`select canceling.record_id from ${canceling(scope)}`)}
  and t.tenant_record_id in (${scope.tenants}) and t.user_type = 'CANCEL'`
    : sql`from ${canceling(scope)}
join subscription_event_history as t on t.target_record_id = canceling.record_id
where t.tenant_record_id in (${scope.tenants}) and t.user_type = 'CANCEL'`
}

/** The audit rows of those events and of their history rows. */
export function auditRows(scope: Scope): Fragment {
  if (scope.customers !== 'all') {
    const canceled = sql`select canceling.record_id from ${canceling(scope)}`
    const histories = sql`select history.record_id from subscription_event_history as history
    where ${fn('is_among', sql`history.target_record_id`, canceled)}
      and history.tenant_record_id in (${scope.tenants}) and history.user_type = 'CANCEL'`
    const audits = (
      table: Fragment,
      rows: Fragment,
    ) => sql`select a.record_id, a.target_record_id, a.table_name, a.change_type, a.reason_code
  from audit_log as a where a.table_name = ${table} and ${fn('is_among', sql`a.target_record_id`, rows)}`
    return sql`from (
  ${audits(sql`'SUBSCRIPTION_EVENT_HISTORY'`, histories)}
  union all
  ${audits(sql`'SUBSCRIPTION_EVENTS'`, canceled)}
) as t
where t.change_type = 'INSERT' and t.reason_code is not null`
  }
  return sql`from (
  select history.record_id as target_record_id, 'SUBSCRIPTION_EVENT_HISTORY' as table_name
  from ${canceling(scope)}
  join subscription_event_history as history on history.target_record_id = canceling.record_id
  where history.tenant_record_id in (${scope.tenants}) and history.user_type = 'CANCEL'
  union all
  select canceling.record_id, 'SUBSCRIPTION_EVENTS' from ${canceling(scope)}
) as written
join audit_log as t on t.target_record_id = written.target_record_id and t.table_name = written.table_name
where t.change_type = 'INSERT' and t.reason_code is not null`
}

/** A table that only grows and tells by its new rows what has changed (KB 1.5). */
export interface Log {
  readonly table: string
  /** Column with the account that a row is about; null where a row is about all of a tenant. */
  readonly account: 'account_record_id' | 'target_record_id' | null
  /** Where a row may stand under another account than the object it is about: how that is found. */
  readonly object?: LogObject
}

/** A column of the log, and the table with the object under that key. */
export interface LogObject {
  readonly key: string
  readonly table: string
  readonly id: { readonly column: string; readonly type: 'integer' | 'text' }
}

/** A bundle is renamed for the sake of another account's bundle that takes its key. */
const BUNDLE: LogObject = { key: 'target_record_id', table: 'bundles', id: { column: 'record_id', type: 'integer' } }
/** An event is written for the sake of another account's transfer. */
const SUBSCRIPTION: LogObject = { key: 'subscription_id', table: 'subscriptions', id: { column: 'id', type: 'text' } }

/**
 * Every table that the fold reads is written together with one of these, or is one itself. The catalog's rows are told by the
 * broadcasts; an invoice linked to its parent's by the link.
 */
export const LOGS: readonly Log[] = [
  { table: 'account_history', account: 'target_record_id' },
  { table: 'bundle_history', account: 'account_record_id', object: BUNDLE },
  { table: 'subscription_history', account: 'account_record_id' },
  { table: 'subscription_event_history', account: 'account_record_id', object: SUBSCRIPTION },
  { table: 'blocking_state_history', account: 'account_record_id' },
  { table: 'tag_history', account: 'account_record_id' },
  { table: 'custom_field_history', account: 'account_record_id' },
  { table: 'invoice_history', account: 'account_record_id' },
  { table: 'invoice_item_history', account: 'account_record_id' },
  { table: 'invoice_payment_history', account: 'account_record_id' },
  { table: 'invoice_parent_children', account: 'account_record_id' },
  { table: 'tenants', account: null },
  { table: 'tenant_broadcasts', account: null },
  { table: 'catalog_override_plan_definition', account: null },
  { table: 'catalog_override_phase_definition', account: null },
  { table: 'catalog_override_plan_phase', account: null },
]

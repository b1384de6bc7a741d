import { type Fragment, ident, join, sql } from '../../../src/connector-kit/query-runner.ts'

/** A table that only grows. Its new rows show the changes (KB 1.5). */
export interface Log {
  readonly table: string
  /** Column with the account of a row. Null if a row is about a whole tenant. */
  readonly account: 'account_record_id' | 'target_record_id' | null
  /** The object of a row. Only for logs whose rows may have another account than their objects. */
  readonly object?: LogObject
  /** Columns that distinguish a row from another one with the same number. Absent if each row has an id. */
  readonly identity?: readonly string[]
}

/** A column of the log with the key of an object, and the table that has the object. The object's account is concerned too. */
export interface LogObject {
  readonly key: string
  readonly table: string
  readonly id: { readonly column: string; readonly type: 'integer' | 'text' }
}

/** Another account's call may rename a bundle, because that account's bundle takes its key. */
const BUNDLE: LogObject = { key: 'target_record_id', table: 'bundles', id: { column: 'record_id', type: 'integer' } }
/** An event may be written because of another account's transfer. */
const SUBSCRIPTION: LogObject = { key: 'subscription_id', table: 'subscriptions', id: { column: 'id', type: 'text' } }
/** The parent's account writes that it pays an invoice of a child. Nothing else shows it for the child. */
const CHILD_INVOICE: LogObject = { key: 'child_invoice_id', table: 'invoices', id: { column: 'id', type: 'text' } }

/**
 * The logs. The fold reads only these tables, and tables that the engine writes together with one of them:
 *
 * - accounts, bundles, subscriptions, events, blocking states, tags, custom fields, invoices, items, payments: with their histories;
 * - `audit_log`, for reasons of cancellations: with the history row that it describes;
 * - `invoice_parent_children`, `tenants`, the overrides: rows are only added, so each table is a log;
 * - `tenant_kvs`: a new catalog has a new row there, and a changed or deactivated one has a broadcast;
 * - `tag_definitions`: a definition cannot be renamed, and a tag under a new one has a history row;
 * - rates of the analytics plugin: not stored, each refresh reads them.
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
  { table: 'invoice_parent_children', account: 'account_record_id', object: CHILD_INVOICE },
  { table: 'tenants', account: null },
  { table: 'tenant_broadcasts', account: null },
  // A role may read this table through a view of few columns, because its other rows hold secrets.
  { table: 'tenant_kvs', account: null, identity: ['tenant_record_id', 'tenant_key'] },
  { table: 'catalog_override_plan_definition', account: null, identity: ['tenant_record_id', 'parent_plan_name'] },
  {
    table: 'catalog_override_phase_definition',
    account: null,
    identity: ['tenant_record_id', 'parent_phase_name', 'currency', 'recurring_price'],
  },
  {
    table: 'catalog_override_plan_phase',
    account: null,
    identity: ['tenant_record_id', 'phase_number', 'phase_def_record_id', 'target_plan_def_record_id'],
  },
]

/** The columns that identify a row. In a log without ids, several rows may have equal values. */
export function identityOf({ identity }: Log): readonly string[] {
  return identity ?? ['id']
}

/** All columns of the log that are read. A role needs the right to each of them. */
export function columnsOf(log: Log): readonly string[] {
  const { account, object } = log
  const named = ['record_id', account, object?.key, ...identityOf(log)]
  return [...new Set(named.filter((name) => typeof name === 'string'))]
}

/**
 * A 32-bit hash of the columns that identify a row of a log. `alias` is the name of the table in the statement. The hash function
 * belongs to the server and needs to be stable only on that server. A server with another function causes a new filling.
 */
export function rowPrint(log: Log, alias: string, dialect: string): Fragment {
  const cells = identityOf(log).map((column) => sql`${ident(alias)}.${ident(column)}`)
  const [only] = cells
  const text = cells.length === 1 && only !== undefined ? only : sql`concat_ws('|', ${join(cells, sql`, `)})`
  return dialect === 'postgres' ? sql`coalesce(hashtext(${text}), 0)` : sql`coalesce(crc32(${text}), 0)`
}

import { type Fragment, ident, join, sql } from '../../../src/connector-kit/query-runner.ts'

/** A table that only grows and tells by its new rows what has changed (KB 1.5). */
export interface Log {
  readonly table: string
  /** Column with the account that a row is about; null where a row is about all of a tenant. */
  readonly account: 'account_record_id' | 'target_record_id' | null
  /** Where a row may stand under another account than the object it is about: how that is found. */
  readonly object?: LogObject
  /** Columns that tell a row from another one with the same number; absent where the row has an id of its own. */
  readonly identity?: readonly string[]
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
 * Every table that the fold reads is written together with one of these, or is one itself:
 *
 * - accounts, bundles, subscriptions, events, blocking states, tags, custom fields, invoices, items, payments: with their histories;
 * - `audit_log`, for reasons of cancellations: with the history row that it is about;
 * - `invoice_parent_children`, `tenants`, the overrides: rows are only added, so each table is its own log;
 * - `tenant_kvs`: a catalog that is added has a row there, one that is changed or switched off has a broadcast;
 * - `tag_definitions`: a definition cannot be renamed, and a tag under a new one has its history row;
 * - rates of the analytics plugin: not kept, each refresh reads them.
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
  // A role may read this table through a view of few columns, as its other rows hold secrets.
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

/** The columns by which a row is identified, as far as rows of the log can be told apart. */
export function identityOf({ identity }: Log): readonly string[] {
  return identity ?? ['id']
}

/** All columns of the log that its readers ask for: a role needs the right to each of them. */
export function columnsOf(log: Log): readonly string[] {
  const { account, object } = log
  const named = ['record_id', account, object?.key, ...identityOf(log)]
  return [...new Set(named.filter((name) => typeof name === 'string'))]
}

/**
 * A number of 32 bits that identifies a row of a log, as far as the log's rows can be told apart. `alias` names the table. The function is
 * the server's own and need mean the same on that server only: another one that prints differently costs a filling.
 */
export function rowPrint(log: Log, alias: string, dialect: string): Fragment {
  const cells = identityOf(log).map((column) => sql`${ident(alias)}.${ident(column)}`)
  const [only] = cells
  const text = cells.length === 1 && only !== undefined ? only : sql`concat_ws('|', ${join(cells, sql`, `)})`
  return dialect === 'postgres' ? sql`coalesce(hashtext(${text}), 0)` : sql`coalesce(crc32(${text}), 0)`
}

import { type Fragment, fn, ident, type QueryRunner, sql, text, textList } from '../../../src/connector-kit/query-runner.ts'
import type { LagoSchema } from '../schema.ts'

/** The objects to which rows belong. A change of a row touches the customers of its object. */
export type Owner = 'customer' | 'subscription' | 'invoice' | 'plan'

/** Rows of one table that are watched together. */
export interface Part {
  readonly name: string
  readonly table: string
  readonly owner: Owner
  /** The id of the owner, in a row `t`. */
  readonly id: Fragment
  /** The rows that a relation reads, as `from` and `where`. */
  readonly rows: Fragment
  /** A number that changes with the cells that are read. Absent: one that changes with each save. */
  readonly cells?: Fragment
}

const of = (owner: Owner, table: string, column: string, where?: Fragment): Part => ({
  name: table,
  table,
  owner,
  id: sql`t.${ident(column)}`,
  rows: where === undefined ? sql`${ident(table)} as t` : sql`${ident(table)} as t where ${where}`,
})

/** Saved changes of the items of a type, by item. The engine stores ids of items as text. */
const versionsOf = (owner: Owner, type: Fragment, name: string): Part => ({
  name: `versions of ${name}`,
  table: 'versions',
  owner,
  id: sql`cast(t.item_id as uuid)`,
  rows: sql`versions as t where t.item_type = ${type} and t.event <> 'create'`,
})

/** Rows from which the relations of every database are made, apart from organizations and billing entities. */
export const PARTS: readonly Part[] = [
  of('customer', 'customers', 'id'),
  of('customer', 'customer_metadata', 'customer_id'),
  of('customer', 'subscriptions', 'customer_id'),
  of('customer', 'invoices', 'customer_id'),
  of('customer', 'payments', 'customer_id'),
  of('customer', 'credit_notes', 'customer_id'),
  of('subscription', 'fixed_charge_events', 'subscription_id'),
  of('subscription', 'invoice_subscriptions', 'subscription_id'),
  of('subscription', 'fees', 'subscription_id', sql`t.fee_type = 0`),
  { ...of('invoice', 'fees', 'invoice_id', sql`t.fee_type <> 0 and t.invoice_id is not null`), name: 'fees of invoices' },
  versionsOf('subscription', sql`'Subscription'`, 'subscriptions'),
  of('invoice', 'invoice_settlements', 'target_invoice_id'),
  of('invoice', 'invoices_payment_requests', 'invoice_id'),
  versionsOf('invoice', sql`'Invoice'`, 'invoices'),
  of('plan', 'plans', 'id'),
  of('plan', 'charges', 'plan_id'),
  of('plan', 'fixed_charges', 'plan_id'),
  versionsOf('plan', sql`'Plan'`, 'plans'),
  {
    ...versionsOf('plan', sql`'FixedCharge'`, 'fixed charges'),
    id: sql`charge.plan_id`,
    rows: sql`versions as t join fixed_charges as charge on ${fn('text', sql`charge.id`)} = t.item_id
      where t.item_type = 'FixedCharge' and t.event <> 'create'`,
  },
]

/** The items of credit notes, which not every database has. Nobody changes them. */
const NOTE_ITEMS: Part = {
  name: 'credit_note_items',
  table: 'credit_note_items',
  owner: 'invoice',
  id: sql`note.invoice_id`,
  rows: sql`credit_note_items as t join credit_notes as note on note.id = t.credit_note_id`,
  cells: sql`hashtextextended(concat_ws('|', t.fee_id, t.amount_cents), 0)`,
}

/** All rows from which the relations of a database are made. */
export function partsOf({ ledger_unknown, has_note_items }: LagoSchema): readonly Part[] {
  return ledger_unknown === undefined && has_note_items ? [...PARTS, NOTE_ITEMS] : PARTS
}

/** The names of the tables whose rows the role may ask for their last transaction. */
export async function readTracked(run: QueryRunner): Promise<ReadonlySet<string>> {
  const rows = await run(
    'lago.tracked',
    sql`select relation.relname as table_name
      from pg_catalog.pg_class as relation join pg_catalog.pg_attribute as attribute on attribute.attrelid = relation.oid
      where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
        and relation.relname in (${textList([...new Set(PARTS.map(({ table }) => table))])}) and relation.relkind = 'r'
        and attribute.attname = 'xmin' and has_column_privilege(relation.oid, attribute.attnum, 'select')`,
  )
  return new Set(rows.map((row) => text(row['table_name'])))
}

/** A number that changes with each save of a row `t`, or with its cells. */
export function saveOf({ table, cells }: Part, tracked: ReadonlySet<string>): Fragment {
  if (cells !== undefined) return cells
  if (tracked.has(table)) return sql`cast(cast(t.xmin as text) as bigint)`
  return table === 'versions' ? sql`t.id` : sql`coalesce(timestamp_hash_extended(t.updated_at, 0), 0)`
}

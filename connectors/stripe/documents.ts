import type { Customers, RowKeys } from '../../src/connector-kit/mirror-source.ts'
import { type Fragment, fn, ident, join, sql, textList, value } from '../../src/connector-kit/query-runner.ts'

/** The shape of a mirror (docs/stripe.md): whole documents in `_raw_data`, or a typed column for each field. */
export type Family = 'documents' | 'columns'

/** Live mode or test mode: never both (S2). */
export type Mode = 'live' | 'test'

/** Tables about money that went back, which a mirror may lack. Only refunds read them (S23). */
export const RETURNS = ['refunds', 'disputes', 'charges', 'invoice_payments'] as const
export type ReturnTable = (typeof RETURNS)[number]

/** The rows that count: a family, its accounts and their mode. */
export interface Scope {
  readonly family: Family
  readonly accounts: readonly string[]
  readonly mode: Mode
  /** The tables about money that went back, as far as the mirror has them and the role may read them. */
  readonly returns: readonly ReturnTable[]
}

/** The id of the only account of a mirror with typed columns, which does not store one (S1). */
export const ONLY_ACCOUNT = 'stripe'

/** Tables of documents. */
export type DocumentTable = 'products' | 'prices' | 'customers' | 'subscriptions' | 'invoices' | ReturnTable

/** The document of a row `t`. */
export function documentOf({ family }: Pick<Scope, 'family'>): Fragment {
  return family === 'documents' ? sql`t._raw_data` : sql`to_jsonb(t)`
}

/** The instant of the event that brought a row `t`, UTC without zone. */
export function syncedAt({ family }: Pick<Scope, 'family'>): Fragment {
  const column = family === 'documents' ? sql`t._last_synced_at` : sql`t.last_synced_at`
  return sql`date_trunc('second', ${column} at time zone 'UTC')`
}

/** The account of a row `t`. */
function accountOf({ family }: Scope): Fragment {
  return family === 'documents' ? sql`t._account_id` : value(ONLY_ACCOUNT, 'text')
}

/** The condition that a row `t` is one of the accounts. */
export function ofAccounts(scope: Scope): Fragment {
  return sql`${accountOf(scope)} in (${textList(scope.accounts.length === 0 ? [''] : scope.accounts)})`
}

/** The condition that a value of `livemode`, as text, is that of the mode. A document without a value is of live mode. */
export function isOfMode({ mode }: Pick<Scope, 'mode'>, livemode: Fragment): Fragment {
  return sql`coalesce(${livemode}, 'true') = ${value(String(mode === 'live'), 'text')}`
}

/** The condition that a row `t` is one of the accounts and of the mode. */
export function ofScope(scope: Scope): Fragment {
  return sql`${ofAccounts(scope)} and ${isOfMode(scope, sql`${documentOf(scope)} ->> 'livemode'`)}`
}

/** The key of the customer of a row `t`. A document holds the id, or the customer itself. */
export function customerOf(scope: Scope): Fragment {
  const document = documentOf(scope)
  return sql`coalesce(${document} -> 'customer' ->> 'id', ${document} ->> 'customer')`
}

/** The text of an id in a JSON value, which is the id or the object with the id. */
export function idIn(field: Fragment): Fragment {
  return sql`coalesce(${field} ->> 'id', ${field} #>> '{}')`
}

/** A field of a document, with its type in PostgreSQL. */
export type FieldType = 'text' | 'numeric' | 'jsonb' | 'bool'

/** Fields of a document with their types. */
export type Fields = Readonly<Record<string, FieldType>>

/** `as <alias> (…)`: the fields of a document as columns, taken apart in one pass. */
export function fieldsAs(alias: string, fields: Fields): Fragment {
  const columns = Object.entries(fields).map(([name, type]) => sql`${ident(name)} ${ident(type)}`)
  return sql`as ${ident(alias)} (${join(columns, sql`, `)})`
}

/** Rows that are read: those of some customers, or those with these ids. */
export type Rows = Customers | { readonly rows: RowKeys }

/**
 * The documents of a table, as columns `account_id`, `synced_at` and the fields. Of the customers in `rows`: of their own rows for
 * `customers`, else of the rows that name them.
 */
export function documents(table: DocumentTable, scope: Scope, fields: Fields, rows: Rows = 'all'): Fragment {
  return documentsWhere(table, scope, fields, sql`${rowsIn(table, scope, rows)} and ${ofScope(scope)}`)
}

/**
 * The same, read in half the time: a document is compressed, and the database takes it apart once for all its fields, also for its mode. It expects other numbers
 * of rows then, so a statement with many joins may become slow. Only statements that read most documents use it.
 */
export function documentsOnce(table: DocumentTable, scope: Scope, fields: Fields, rows: Rows = 'all'): Fragment {
  const ofMode = isOfMode(scope, sql`field.livemode`)
  return documentsWhere(
    table,
    scope,
    { livemode: 'text', ...fields },
    sql`${rowsIn(table, scope, rows)} and ${ofAccounts(scope)} and ${ofMode}`,
  )
}

/** The same for the rows `t` for which a condition holds. */
export function documentsWhere(table: DocumentTable, scope: Scope, fields: Fields, condition: Fragment): Fragment {
  const names = Object.keys(fields).map((name) => sql`field.${ident(name)}`)
  return sql`(select ${accountOf(scope)} as account_id, ${syncedAt(scope)} as synced_at, ${join(names, sql`, `)}
    from ${ident(table)} as t cross join lateral jsonb_to_record(${documentOf(scope)}) ${fieldsAs('field', fields)}
    where ${condition})`
}

/** Number of customers up to which the database looks for an index on the customer. Without one, it compares each row with each of them. */
const FEW = 100

/**
 * The condition that a row `t` is one of some rows. It comes before others, because an index can answer it. Every table has an index on its ids. Only
 * an owner who made one has another on the customers (docs/stripe.md, "The cache").
 */
export function rowsIn(table: DocumentTable, scope: Scope, rows: Rows): Fragment {
  if (rows === 'all') return sql`1 = 1`
  const keys = 'keys' in rows ? rows.keys : []
  if (table === 'customers' && 'keys' in rows) return fn('is_among', sql`t.id`, listed(keys))
  if (rows.rows !== undefined) return fn('is_among', sql`t.id`, listed(rows.rows[table] ?? []))
  return keys.length <= FEW ? fn('is_among', customerOf(scope), listed(keys)) : sql`${customerOf(scope)} in (${listed(keys)})`
}

/** A select of these texts. They are one value, because a statement takes a limited number of them. */
export function listed(texts: readonly string[]): Fragment {
  return sql`select listed.key from jsonb_array_elements_text(cast(${value(JSON.stringify(texts), 'text')} as jsonb)) as listed (key)`
}

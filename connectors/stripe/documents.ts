import { type Customers, customersIn } from '../../src/connector-kit/mirror-source.ts'
import { type Fragment, ident, join, sql, textList, value } from '../../src/connector-kit/query-runner.ts'

/** The shape of a mirror (docs/stripe.md): whole documents in `_raw_data`, or a typed column for each field. */
export type Family = 'documents' | 'columns'

/** Live mode or test mode: never both (S2). */
export type Mode = 'live' | 'test'

/** The rows that count: a family, its accounts and their mode. */
export interface Scope {
  readonly family: Family
  readonly accounts: readonly string[]
  readonly mode: Mode
}

/** The id of the only account of a mirror with typed columns, which does not store one (S1). */
export const ONLY_ACCOUNT = 'stripe'

/** Tables of documents. */
export type DocumentTable = 'products' | 'prices' | 'customers' | 'subscriptions' | 'invoices'

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

/** The condition that a row `t` is one of the accounts and of the mode. */
export function ofScope(scope: Scope): Fragment {
  const accounts = scope.accounts.length === 0 ? [''] : scope.accounts
  const ofMode = sql`coalesce(${documentOf(scope)} ->> 'livemode', 'true') = ${value(String(scope.mode === 'live'), 'text')}`
  return sql`${accountOf(scope)} in (${textList(accounts)}) and ${ofMode}`
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

/** `as <alias> (…)`: the fields of a document as columns, taken apart in one pass. */
export function fieldsAs(alias: string, fields: Readonly<Record<string, FieldType>>): Fragment {
  const columns = Object.entries(fields).map(([name, type]) => sql`${ident(name)} ${ident(type)}`)
  return sql`as ${ident(alias)} (${join(columns, sql`, `)})`
}

/**
 * The documents of a table, as columns `account_id`, `synced_at` and the fields. Of the customers in `customers`: of their own rows for
 * `customers`, else of the rows that name them.
 */
export function documents(
  table: DocumentTable,
  scope: Scope,
  fields: Readonly<Record<string, FieldType>>,
  customers: Customers = 'all',
): Fragment {
  const names = Object.keys(fields).map((name) => sql`field.${ident(name)}`)
  const key = table === 'customers' ? sql`t.id` : customerOf(scope)
  return sql`(select ${accountOf(scope)} as account_id, ${syncedAt(scope)} as synced_at, ${join(names, sql`, `)}
    from ${ident(table)} as t cross join lateral jsonb_to_record(${documentOf(scope)}) ${fieldsAs('field', fields)}
    where ${ofScope(scope)} and ${customersIn(key, customers, 'text')})`
}

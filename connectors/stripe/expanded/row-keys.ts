import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, ident, join, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { customerOf, ofScope, rowsIn, type Scope } from '../documents.ts'
import { keysOfRefunds, knowsRefunds } from './refunds.ts'

/** Tables whose rows name their customer in the document. */
const NAMING = ['subscriptions', 'invoices'] as const

/** The ids of the rows of customers. Of subscriptions and invoices, the database reads no more than their mode and their customer. */
export function keysOfRows(scope: Scope, customers: Customers): Fragment {
  const selects = NAMING.map(
    (table) => sql`select ${customerOf(scope)} as customer_key, ${value(table, 'text')} as table_name, t.id as row_key
      from ${ident(table)} as t where ${rowsIn(table, scope, customers)} and ${ofScope(scope)}`,
  )
  return join(knowsRefunds(scope) ? [...selects, keysOfRefunds(scope, customers)] : selects, sql` union all `)
}

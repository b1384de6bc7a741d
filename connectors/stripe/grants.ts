import { postgresGrants, unknownTables } from '../../src/connector-kit/grants.ts'
import { errorFromIssues, type Issue } from '../../src/core/errors.ts'
import type { GrantRequest } from '../../src/core/grant-request.ts'
import { RETURNS } from './documents.ts'
import { RETURN_COLUMNS, SCHEMA, SYNC_RUNS, TABLES } from './tables.ts'

/** The name of the database in the one-click integration that most mirrors come from. */
const DATABASE = 'postgres'

/**
 * Statements that create a role with the rights that the connector needs, and no others. It grants four columns of each table, and never the digests of keys in
 * `accounts` or the secrets in `_managed_webhooks`. From `xmin`, the number of its last transaction, the cache sees that a row has changed. If
 * `tables` is given, only the grants on these tables. AppError `invalid_value` for another database than PostgreSQL, and for unknown tables.
 */
export function stripeGrants(request: GrantRequest): readonly string[] {
  const columns: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(Object.entries(TABLES.documents).map(([table, names]) => [table, [...names, ...tracked(table)]])),
    ...SYNC_RUNS,
    ...Object.fromEntries(RETURNS.map((table) => [table, [...RETURN_COLUMNS.documents, 'xmin']])),
  }
  const known = Object.keys(columns)
  const issues = [...wrongDialect(request), ...unknownTables(request, known)]
  if (issues.length > 0) throw errorFromIssues(issues, { available: known })
  // The command names `public` if nobody chose a schema. A mirror is never there.
  const schema = request.schema === 'public' ? SCHEMA : request.schema
  return postgresGrants({ ...request, schema }, { database: DATABASE, columns, tables: [], optional: RETURNS })
}

const tracked = (table: string): readonly string[] => (table === 'accounts' ? [] : ['xmin'])

function wrongDialect({ dialect }: GrantRequest): readonly Issue[] {
  if (dialect === 'postgres') return []
  const message = 'A mirror of Stripe is on PostgreSQL only.'
  return [{ code: 'invalid_value', where: 'params.dialect', value: dialect, message, did_you_mean: ['postgres'] }]
}

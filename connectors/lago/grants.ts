import { postgresGrants, unknownTables } from '../../src/connector-kit/grants.ts'
import { errorFromIssues, type Issue } from '../../src/core/errors.ts'
import type { GrantRequest } from '../../src/core/grant-request.ts'
import { PARTS } from './changes/parts.ts'
import { GRANTED_BY_COLUMN, OPTIONAL, READ } from './tables.ts'

/** The name of the database in Lago's installation. */
const DATABASE = 'lago'

/**
 * Statements that create a role with the rights that the connector needs, and no others. If `tables` is given, only the grants on these tables, for an
 * existing role. AppError `invalid_value` for another database than PostgreSQL, and for tables that the connector does not read.
 */
export function lagoGrants(request: GrantRequest): readonly string[] {
  const known = Object.keys(READ)
  const issues = [...wrongDialect(request), ...unknownTables(request, known)]
  if (issues.length > 0) throw errorFromIssues(issues, { available: known })
  return postgresGrants(request, {
    database: DATABASE,
    columns: Object.fromEntries(GRANTED_BY_COLUMN.map((table) => [table, grantedColumns(table)])),
    tables: known.filter((table) => !GRANTED_BY_COLUMN.includes(table) && !OPTIONAL.includes(table)),
    optional: OPTIONAL,
  })
}

function wrongDialect({ dialect }: GrantRequest): readonly Issue[] {
  if (dialect === 'postgres') return []
  const message = 'Lago runs on PostgreSQL only.'
  return [{ code: 'invalid_value', where: 'params.dialect', value: dialect, message, did_you_mean: ['postgres'] }]
}

/** The columns that are granted one by one. From `xmin`, the number of its last transaction, the cache sees that a row has changed. */
function grantedColumns(table: string): readonly string[] {
  const columns = READ[table] ?? []
  return PARTS.some((part) => part.table === table) ? [...columns, 'xmin'] : columns
}

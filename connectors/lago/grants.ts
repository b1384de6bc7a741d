import { errorFromIssues, suggest } from '../../src/core/errors.ts'
import { type GrantRequest, postgresName } from '../../src/core/grant-request.ts'
import { PARTS } from './changes/parts.ts'
import { GRANTED_BY_COLUMN, TABLES } from './tables.ts'

/** The name of the database in Lago's installation. */
const DATABASE = 'lago'

/**
 * Statements that create a role with the rights that the connector needs, and no others. If `tables` is given, only the grants on these tables, for an
 * existing role. AppError `invalid_value` for another database than PostgreSQL, and for tables that the connector does not read.
 */
export function lagoGrants(request: GrantRequest): readonly string[] {
  const known = Object.keys(TABLES)
  const unknown = request.tables.filter((table) => !known.includes(table))
  const issues = [
    ...(request.dialect === 'postgres'
      ? []
      : [
          {
            code: 'invalid_value' as const,
            where: 'params.dialect',
            value: request.dialect,
            message: 'Lago runs on PostgreSQL only.',
            did_you_mean: ['postgres'],
          },
        ]),
    ...unknown.map((table) => ({
      code: 'invalid_value' as const,
      where: 'params.tables',
      value: table,
      message: `There is no table "${table}" among those that the connector reads.`,
      did_you_mean: suggest(table, known),
    })),
  ]
  if (issues.length > 0) throw errorFromIssues(issues, { available: known })
  const { user, database = DATABASE, schema } = request
  const role = postgresName(user)
  const placed = (table: string) => (schema === 'public' ? table : `${postgresName(schema)}.${table}`)
  const tables = request.tables.length === 0 ? known : [...new Set(request.tables)]
  const whole = tables.filter((table) => !GRANTED_BY_COLUMN.includes(table))
  const grants = [
    ...tables
      .filter((table) => GRANTED_BY_COLUMN.includes(table))
      .map((table) => `grant select (${grantedColumns(table).join(', ')}) on ${placed(table)} to ${role}`),
    ...(whole.length === 0 ? [] : [`grant select on ${whole.map(placed).join(', ')} to ${role}`]),
  ]
  if (request.tables.length > 0) return grants
  return [
    `create role ${role} login password '…'`,
    `grant connect on database ${postgresName(database)} to ${role}`,
    `grant usage on schema ${postgresName(schema)} to ${role}`,
    ...grants,
    `alter role ${role} set default_transaction_read_only = on`,
  ]
}

/** The columns that are granted one by one. From `xmin`, the number of its last transaction, the cache sees that a row has changed. */
function grantedColumns(table: string): readonly string[] {
  const columns = TABLES[table] ?? []
  return PARTS.some((part) => part.table === table) ? [...columns, 'xmin'] : columns
}

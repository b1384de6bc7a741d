import { errorFromIssues, type Issue, suggest } from '../../src/core/errors.ts'
import { type GrantRequest, isPlainName, postgresName } from '../../src/core/grant-request.ts'

/** The name of the database in Kill Bill's installation. */
const DATABASE = 'killbill'

/** The one table that is not granted as a whole: its other columns are secrets. */
const TENANTS = 'tenants'
const TENANT_COLUMNS = 'record_id, id, external_key, api_key, created_date, updated_date'

/** Tables that the connector reads, in some version of the engine: its relations, the feed of the cache and the catalog. */
const TABLES = [
  'tenant_kvs',
  'tenant_broadcasts',
  'accounts',
  'account_history',
  'bundles',
  'bundle_history',
  'subscriptions',
  'subscription_history',
  'subscription_events',
  'subscription_event_history',
  'blocking_states',
  'blocking_state_history',
  'catalog_override_plan_definition',
  'catalog_override_phase_definition',
  'catalog_override_plan_phase',
  'catalog_override_usage_definition',
  'catalog_override_tier_definition',
  'catalog_override_block_definition',
  'catalog_override_phase_usage',
  'catalog_override_usage_tier',
  'catalog_override_tier_block',
  'invoices',
  'invoice_history',
  'invoice_items',
  'invoice_item_history',
  'invoice_payments',
  'invoice_payment_history',
  'invoice_parent_children',
  'custom_fields',
  'custom_field_history',
  'tags',
  'tag_history',
  'tag_definitions',
  'audit_log',
]
/** A table of the analytics plugin, if it is installed (D11). It is granted only by name. */
const OPTIONAL = ['analytics_currency_conversion']

/**
 * Statements that create a role with the rights that the connector needs, and no others. If `tables` is given, only the grants on
 * these tables, for an existing role. AppError `invalid_value` lists every table that the connector does not read.
 */
export function killbillGrants(request: GrantRequest): readonly string[] {
  const known = [TENANTS, ...TABLES, ...OPTIONAL]
  const issues = request.tables.filter((table) => !known.includes(table)).map((table) => unknownTable(table, known))
  if (issues.length > 0) throw errorFromIssues(issues, { available: known })
  const isWhole = request.tables.length === 0
  const tables = isWhole ? TABLES : [...new Set(request.tables)].filter((table) => table !== TENANTS)
  const hasTenants = isWhole || request.tables.includes(TENANTS)
  return request.dialect === 'postgres'
    ? forPostgres(request, tables, hasTenants, isWhole)
    : forMysql(request, tables, hasTenants, isWhole)
}

function forPostgres(
  { user, database = DATABASE, schema }: GrantRequest,
  tables: readonly string[],
  hasTenants: boolean,
  isWhole: boolean,
): readonly string[] {
  const role = postgresName(user)
  const space = postgresName(schema)
  const placed = (table: string) => (schema === 'public' ? table : `${space}.${table}`)
  const grants = [
    ...(hasTenants ? [`grant select (${TENANT_COLUMNS}) on ${placed(TENANTS)} to ${role}`] : []),
    ...(tables.length === 0 ? [] : [`grant select on ${tables.map(placed).join(', ')} to ${role}`]),
  ]
  if (!isWhole) return grants
  return [
    `create role ${role} login password '…'`,
    `grant connect on database ${postgresName(database)} to ${role}`,
    `grant usage on schema ${space} to ${role}`,
    ...grants,
    `alter role ${role} set default_transaction_read_only = on`,
  ]
}

function forMysql(
  { user, database = DATABASE }: GrantRequest,
  tables: readonly string[],
  hasTenants: boolean,
  isWhole: boolean,
): readonly string[] {
  const role = `${singleQuoted(user)}@'%'`
  const space = isPlainName(database) ? database : `\`${database.replaceAll('`', '``')}\``
  return [
    ...(isWhole ? [`create user ${role} identified by '…'`] : []),
    ...(hasTenants ? [`grant select (${TENANT_COLUMNS}) on ${space}.${TENANTS} to ${role}`] : []),
    ...tables.map((table) => `grant select on ${space}.${table} to ${role}`),
  ]
}

function unknownTable(table: string, known: readonly string[]): Issue {
  const message = `There is no table "${table}" among those that the connector reads.`
  return { code: 'invalid_value', where: 'params.tables', value: table, message, did_you_mean: suggest(table, known) }
}

function singleQuoted(name: string): string {
  return isPlainName(name) ? name : `'${name.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** The command that prints the grants on these tables. Without a user it contains a placeholder. */
export function grantsCommand({
  dialect,
  tables,
  user = '<role>',
  database,
  schema = 'public',
}: {
  readonly dialect: string
  readonly tables: readonly string[]
  readonly user?: string | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
}): string {
  return [
    'plumbline grants',
    `--dialect ${dialect}`,
    `--user ${user}`,
    ...(database === undefined ? [] : [`--database ${database}`]),
    ...(schema === 'public' ? [] : [`--schema ${schema}`]),
    `--tables ${tables.join(',')}`,
  ].join(' ')
}

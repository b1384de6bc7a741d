import { postgresGrants, unknownTables } from '../../src/connector-kit/grants.ts'
import { errorFromIssues } from '../../src/core/errors.ts'
import { type GrantRequest, isPlainName, mysqlAccount } from '../../src/core/grant-request.ts'

/** The name of the database in Kill Bill's installation. */
const DATABASE = 'killbill'

/** The one table that is not granted as a whole: its other columns are secrets. */
const TENANTS = 'tenants'
const TENANT_COLUMNS = ['record_id', 'id', 'external_key', 'api_key', 'created_date', 'updated_date']

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
  'payments',
  'payment_methods',
  'payment_transactions',
  'rolled_up_usage',
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
  const issues = unknownTables(request, known)
  if (issues.length > 0) throw errorFromIssues(issues, { available: known })
  return request.dialect === 'postgres'
    ? postgresGrants(request, { database: DATABASE, columns: { [TENANTS]: TENANT_COLUMNS }, tables: TABLES })
    : mysqlGrants(request)
}

function mysqlGrants({ user, database = DATABASE, tables: named }: GrantRequest): readonly string[] {
  const isWhole = named.length === 0
  const tables = isWhole ? TABLES : [...new Set(named)].filter((table) => table !== TENANTS)
  const hasTenants = isWhole || named.includes(TENANTS)
  const role = mysqlAccount(user)
  const space = isPlainName(database) ? database : `\`${database.replaceAll('`', '``')}\``
  return [
    ...(isWhole ? [`create user ${role} account lock`] : []),
    ...(hasTenants ? [`grant select (${TENANT_COLUMNS.join(', ')}) on ${space}.${TENANTS} to ${role}`] : []),
    ...tables.map((table) => `grant select on ${space}.${table} to ${role}`),
  ]
}

import type { Sight } from '../../src/connector-kit/rights.ts'
import { OF_ATTEMPTS, OF_BILLINGS, OF_LEDGER, OF_NOTICES, PAYMENT_HISTORY } from './optional-columns.ts'

/** Tables and columns that the relations and the mirror read. A missing one is reported before any metric runs (KB 1.6, 11.4). */
export const REQUIRED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  tenants: ['record_id', 'id', 'external_key', 'api_key'],
  tenant_kvs: ['record_id', 'tenant_record_id', 'tenant_key', 'tenant_value', 'is_active'],
  accounts: [
    'record_id',
    'id',
    'external_key',
    'email',
    'name',
    'currency',
    'country',
    'created_date',
    'tenant_record_id',
    'company_name',
    'city',
    'state_or_province',
    'postal_code',
    'locale',
    'time_zone',
    'reference_time',
  ],
  bundles: ['record_id', 'id', 'external_key', 'account_record_id', 'tenant_record_id'],
  bundle_history: ['target_record_id', 'external_key', 'change_type', 'created_date', 'tenant_record_id'],
  subscriptions: [
    'record_id',
    'id',
    'bundle_id',
    'external_key',
    'category',
    'start_date',
    'account_record_id',
    'tenant_record_id',
    'created_date',
    'charged_through_date',
  ],
  subscription_events: [
    'record_id',
    'event_type',
    'user_type',
    'effective_date',
    'subscription_id',
    'plan_name',
    'phase_name',
    'price_list_name',
    'is_active',
    'account_record_id',
    'tenant_record_id',
    'created_date',
  ],
  blocking_states: [
    'blockable_id',
    'type',
    'state',
    'service',
    'block_billing',
    'effective_date',
    'is_active',
    'account_record_id',
    'created_date',
    'record_id',
    'tenant_record_id',
  ],
  catalog_override_plan_definition: ['record_id', 'parent_plan_name', 'tenant_record_id'],
  catalog_override_phase_definition: ['record_id', 'parent_phase_name', 'currency', 'recurring_price', 'tenant_record_id'],
  catalog_override_plan_phase: [
    'record_id',
    'phase_number',
    'phase_def_record_id',
    'target_plan_def_record_id',
    'tenant_record_id',
  ],
  invoices: [
    'record_id',
    'id',
    'currency',
    'status',
    'migrated',
    'parent_invoice',
    'created_date',
    'account_record_id',
    'tenant_record_id',
    'invoice_date',
  ],
  invoice_history: ['target_record_id', 'status', 'created_date', 'account_record_id', 'tenant_record_id'],
  invoice_items: [
    'record_id',
    'id',
    'type',
    'invoice_id',
    'child_account_id',
    'subscription_id',
    'start_date',
    'end_date',
    'amount',
    'rate',
    'catalog_effective_date',
    'linked_item_id',
    'account_record_id',
    'tenant_record_id',
    'created_date',
    'phase_name',
  ],
  invoice_payments: ['record_id', 'invoice_id', 'payment_date', 'amount', 'account_record_id', 'tenant_record_id'],
  invoice_parent_children: ['parent_invoice_id', 'child_invoice_id', 'tenant_record_id'],
  subscription_event_history: ['record_id', 'target_record_id', 'user_type', 'tenant_record_id'],
  custom_fields: [
    'record_id',
    'object_id',
    'object_type',
    'field_name',
    'field_value',
    'is_active',
    'account_record_id',
    'tenant_record_id',
  ],
  audit_log: ['record_id', 'target_record_id', 'table_name', 'change_type', 'reason_code'],
  tag_definitions: ['id', 'name', 'tenant_record_id'],
  tags: [
    'record_id',
    'object_id',
    'object_type',
    'tag_definition_id',
    'is_active',
    'created_date',
    'account_record_id',
    'tenant_record_id',
  ],
}

/** The result for an engine's schema: the required columns that cannot be read, and whether it is the 0.22 layout (KB 11.4). */
export interface SchemaProbe {
  /** Required tables, and columns as `table.column`, that cannot be read. */
  readonly missing: readonly string[]
  /** True if none of the required tables can be read. */
  readonly is_absent: boolean
  readonly has_quantity: boolean
  readonly has_payment_status: boolean
  readonly has_analytics_rates: boolean
  /** True if it shows which accounts have a payment method and a parent that pays. */
  readonly has_payers: boolean
  /** True if the records of usage can be read. */
  readonly has_usage_records: boolean
}

const RATES_TABLE = 'analytics_currency_conversion'
const RATES_COLUMNS = ['record_id', 'currency', 'start_date', 'reference_rate', 'reference_currency']

/** Tables whose columns `judgeSchema` needs. */
export const PROBED_TABLES: readonly string[] = [
  ...new Set([
    ...Object.keys(REQUIRED_COLUMNS),
    RATES_TABLE,
    ...Object.keys(OF_NOTICES),
    ...Object.keys(PAYMENT_HISTORY),
    ...Object.keys(OF_ATTEMPTS),
  ]),
]

/** Columns that only some versions have. */
const OF_VERSIONS: Readonly<Record<string, readonly string[]>> = {
  subscription_events: ['quantity'],
  invoice_payments: ['status', 'success'],
}

/** Every column that the connector reads if it is there, as `table.column`. */
export const READ_COLUMNS: ReadonlySet<string> = new Set(
  [
    REQUIRED_COLUMNS,
    OF_NOTICES,
    OF_BILLINGS,
    OF_LEDGER,
    PAYMENT_HISTORY,
    OF_ATTEMPTS,
    OF_VERSIONS,
    { [RATES_TABLE]: RATES_COLUMNS },
  ].flatMap((tables) => Object.entries(tables).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))),
)

/** A column that came with 0.24, together with `invoice_payments.status`: neither exists without the other. */
export const QUANTITY = 'subscription_events.quantity'

/** Tables that came with 0.22, all at once. */
const SINCE_022 = ['bundle_history', 'subscription_event_history', 'invoice_history']

/** The engine's version, as far as its tables show it. */
export function schemaName({ has_quantity }: SchemaProbe): string {
  return has_quantity ? 'Kill Bill 0.24 or later' : 'Kill Bill 0.22: no quantities'
}

/** True if everything that is missing came with 0.22. */
export function isBefore022(missing: readonly string[]): boolean {
  return SINCE_022.every((table) => missing.includes(table)) && !missing.includes('subscription_events')
}

/** Judges the columns found in `PROBED_TABLES`. `unneeded` tables may be missing. */
export function judgeSchema(found: ReadonlyMap<string, ReadonlySet<string>>, unneeded: readonly string[] = []): SchemaProbe {
  const needed = Object.entries(REQUIRED_COLUMNS).filter(([table]) => !unneeded.includes(table))
  const missing = needed.flatMap(([table, columns]) => {
    const present = found.get(table)
    if (present === undefined) return [table]
    return columns.filter((column) => !present.has(column)).map((column) => `${table}.${column}`)
  })
  const hasColumns = (table: string) => OF_NOTICES[table]?.every((column) => found.get(table)?.has(column)) === true
  const payments = found.get('invoice_payments')
  const hasStatus = payments?.has('status') ?? false
  if (payments !== undefined && !hasStatus && !payments.has('success')) missing.push('invoice_payments.status')
  return {
    missing,
    is_absent: !Object.keys(REQUIRED_COLUMNS).some((table) => found.has(table)),
    has_quantity: found.get('subscription_events')?.has('quantity') ?? false,
    has_payment_status: hasStatus,
    has_analytics_rates: RATES_COLUMNS.every((column) => found.get(RATES_TABLE)?.has(column)),
    has_payers: hasColumns('accounts'),
    has_usage_records: hasColumns('rolled_up_usage'),
  }
}

/** Columns of the engine's own rates that exist but that the role may not read. */
export function withheldRates({ columns, denied }: Pick<Sight, 'columns' | 'denied'>): readonly string[] {
  if (!columns.has(RATES_TABLE)) return denied.has(RATES_TABLE) ? [RATES_TABLE] : []
  const names = RATES_COLUMNS.filter((column) => columns.get(RATES_TABLE)?.has(column) !== true)
  return names.map((column) => `${RATES_TABLE}.${column}`)
}

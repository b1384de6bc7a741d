import type { ColumnKind } from '../../src/connector-kit/mirror-source.ts'
import { READ_COLUMNS } from './required-schema.ts'

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'fixed_price', 'rate', 'recurring_price', 'reference_rate'])
const FLAGS: ReadonlySet<string> = new Set([
  'is_active',
  'block_billing',
  'migrated',
  'parent_invoice',
  'success',
  'is_payment_delegated_to_parent',
])
const COUNTS: ReadonlySet<string> = new Set(['billing_cycle_day_local', 'phase_number', 'quantity'])
/** Days without a time. Every other date is an instant. */
const DAYS: ReadonlySet<string> = new Set([
  'invoices.invoice_date',
  'invoice_items.start_date',
  'invoice_items.end_date',
  'analytics_currency_conversion.start_date',
])
/** A day in Kill Bill 0.22, an instant later. */
const EITHER = 'rolled_up_usage.record_date'

/** The kind of the engine's values in a column (`table.column`). Undefined if the connector does not read it, or if that depends on the version. */
export function kindOfColumn(name: string): ColumnKind | undefined {
  if (!READ_COLUMNS.has(name) || name === EITHER) return undefined
  const column = name.slice(name.indexOf('.') + 1)
  if (AMOUNTS.has(column)) return 'decimal'
  if (FLAGS.has(column)) return 'boolean'
  if (COUNTS.has(column) || /(^|_)record_id$/.test(column)) return 'integer'
  if (DAYS.has(name)) return 'date'
  return /_(date|time)$/.test(column) ? 'timestamp' : 'text'
}

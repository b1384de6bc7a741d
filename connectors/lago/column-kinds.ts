import type { ColumnKind, EngineColumns } from '../../src/connector-kit/mirror-source.ts'
import { READ, TABLES } from './tables.ts'

const COUNTS: ReadonlySet<string> = new Set(['interval', 'status', 'payment_status', 'invoice_type', 'fee_type', 'refund_status'])
const FLAGS: ReadonlySet<string> = new Set(['bill_fixed_charges_monthly', 'self_billed', 'pay_in_advance'])
const DECIMALS: ReadonlySet<string> = new Set(['units', 'precise_coupons_amount_cents'])
/** A floating point number in the engine too, so each type holds it as exactly as the engine does. */
const EITHER = 'plans.trial_period'

/** The kind of the engine's values in a column (`table.column`). Undefined if the connector does not read it, or reads any type. */
export function kindOfColumn(name: string): ColumnKind | undefined {
  const [table = '', column = ''] = name.split('.')
  if (READ[table]?.includes(column) !== true || name === EITHER) return undefined
  if (DECIMALS.has(column)) return 'decimal'
  if (COUNTS.has(column) || column.endsWith('_cents') || name === 'versions.id') return 'integer'
  if (FLAGS.has(column)) return 'boolean'
  if (column.endsWith('_date')) return 'date'
  return column === 'timestamp' || column.endsWith('_at') ? 'timestamp' : 'text'
}

/** The columns of copies that publications read. */
export const COLUMNS: EngineColumns = { tables: Object.keys(TABLES), kindOf: kindOfColumn, key: 'id' }

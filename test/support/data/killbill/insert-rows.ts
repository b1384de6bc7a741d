import { createHash } from 'node:crypto'
import type { TestDatabase } from '../../databases/test-database.ts'
import { readSchema } from './killbill-fixture.ts'
import type { KillbillColumn, KillbillSchema } from './killbill-schema.ts'
import { insertStatements, type LiteralValue, literal } from './sql-literals.ts'

export type FilledRow = Readonly<Record<string, LiteralValue>>

const CREATED = '2024-01-01 00:00:00'

/** Values of omitted columns by name: Kill Bill's own default, or the value of an ordinary row. */
const BY_NAME: Readonly<Record<string, LiteralValue>> = {
  created_by: 'test',
  updated_by: 'test',
  tenant_record_id: 1,
  account_record_id: 1,
  is_active: true,
  change_type: 'INSERT',
  time_zone: 'UTC',
  category: 'BASE',
  currency: 'USD',
  processed_currency: 'USD',
  service: 'entitlement-service',
  plugin_name: 'test',
}

/** The same for one table, where a name means different things. */
const BY_TABLE: Readonly<Record<string, LiteralValue>> = {
  'subscription_events.event_type': 'API_USER',
  'subscription_events.quantity': 1,
  'blocking_states.type': 'SUBSCRIPTION',
  'invoices.status': 'COMMITTED',
  'invoice_payments.type': 'ATTEMPT',
  'invoice_payments.status': 'SUCCESS',
  'payment_transactions.transaction_status': 'SUCCESS',
  'payment_transactions.transaction_type': 'PURCHASE',
  'tenant_kvs.tenant_key': 'CATALOG',
}

/** Nullable columns that are filled all the same. */
const FILLED_ANYWAY = new Set(['is_active', 'subscription_events.quantity'])
const SAME_AS_ID = new Set(['external_key', 'grp_id', 'transaction_external_key'])

const counters = new WeakMap<object, Map<string, number>>()

/**
 * Inserts hand-made rows; omitted NOT NULL columns get a default: `record_id` counts up, `id` follows from table and `record_id`,
 * instants are the row's `created_date` (2024-01-01), numbers 0, flags false. Instants and days may be `Date`s. A text column without a
 * sensible default must be given. Resolves to the rows as stored.
 */
export async function insertRows(
  database: TestDatabase,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  schema: KillbillSchema = readSchema(),
): Promise<readonly FilledRow[]> {
  const columns = columnsOf(table, schema)
  const filled = completeRows(database, table, rows, schema)
  const engine = database.dialect.name
  const tuples = filled.map((row) => `(${columns.map(({ name, type }) => literal(row[name] ?? null, type, engine)).join(', ')})`)
  const names = columns.map((column) => column.name)
  for (const statement of insertStatements(table, names, tuples)) await database.adminQuery(statement)
  return filled
}

/** The same rows without a database; `owner` is whom the `record_id`s are counted for. */
export function completeRows(
  owner: object,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  schema: KillbillSchema = readSchema(),
): readonly FilledRow[] {
  const columns = columnsOf(table, schema)
  return rows.map((row) => fill(owner, table, columns, row))
}

function columnsOf(table: string, schema: KillbillSchema): readonly KillbillColumn[] {
  const columns = schema.tables[table]?.columns
  if (columns === undefined) throw new Error(`insertRows: no table ${table}`)
  return columns
}

/** One row with its defaults filled in and the next number that `owner` has for the table; nothing is stored. */
export function fillRow(owner: object, table: string, row: Readonly<Record<string, unknown>>): FilledRow {
  const columns = readSchema().tables[table]?.columns
  if (columns === undefined) throw new Error(`fillRow: no table ${table}`)
  return fill(owner, table, columns, row)
}

function fill(
  owner: object,
  table: string,
  columns: readonly KillbillColumn[],
  row: Readonly<Record<string, unknown>>,
): FilledRow {
  const unknown = Object.keys(row).filter((name) => !columns.some((column) => column.name === name))
  if (unknown.length > 0) throw new Error(`insertRows: ${table} has no column ${unknown.join(', ')}`)
  const recordId = nextRecordId(owner, table, row['record_id'])
  const createdDate = row['created_date'] === undefined ? CREATED : plain(row['created_date'], 'datetime')
  const id = typeof row['id'] === 'string' ? row['id'] : deterministicUuid(`${table}/${recordId}`)
  const cells = columns.map((column) => {
    const given = row[column.name]
    if (given !== undefined) return [column.name, plain(given, column.type)] as const
    if (column.name === 'record_id') return [column.name, recordId] as const
    if (column.name === 'id') return [column.name, id] as const
    return [column.name, defaultOf(table, column, id, createdDate)] as const
  })
  return Object.fromEntries(cells)
}

function defaultOf(table: string, column: KillbillColumn, id: string, createdDate: LiteralValue): LiteralValue {
  const qualified = `${table}.${column.name}`
  if (column.nullable && !FILLED_ANYWAY.has(column.name) && !FILLED_ANYWAY.has(qualified)) return null
  const named = BY_TABLE[qualified] ?? BY_NAME[column.name]
  if (named !== undefined) return named
  if (SAME_AS_ID.has(column.name)) return id
  if (column.type === 'datetime') return createdDate
  if (column.type === 'date') return String(createdDate).slice(0, 10)
  if (column.type === 'boolean') return false
  if (column.type === 'blob') return '\\x'
  if (/^(bigint|integer|decimal)/.test(column.type)) return 0
  throw new Error(`insertRows: ${qualified} needs a value`)
}

function nextRecordId(owner: object, table: string, given: unknown): number {
  const counts = counters.get(owner) ?? new Map<string, number>()
  counters.set(owner, counts)
  const last = counts.get(table) ?? 0
  const recordId = given === undefined ? last + 1 : Number(given)
  counts.set(table, Math.max(last, recordId))
  return recordId
}

function plain(value: unknown, type: string): LiteralValue {
  if (value instanceof Date)
    return value
      .toISOString()
      .slice(0, type === 'date' ? 10 : 19)
      .replace('T', ' ')
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Error(`insertRows cannot store ${JSON.stringify(value)}`)
}

function deterministicUuid(seed: string): string {
  const digits = createHash('sha256').update(seed).digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

import type { DialectName } from '../../src/compiler/dialect.ts'
import type { KillbillSchema, KillbillTable } from '../support/data/killbill/killbill-schema.ts'

/** Tables with rows of every copy; all others keep the recorded rows. */
export const MULTIPLIED = [
  'accounts',
  'bundles',
  'bundle_history',
  'subscriptions',
  'subscription_events',
  'blocking_states',
  'invoices',
  'invoice_history',
  'invoice_items',
  'invoice_payments',
  'tags',
  'custom_fields',
] as const

/** Table whose record_id a column holds; `record_id` itself holds its own. */
const RECORD_ID_OF: Readonly<Record<string, string>> = {
  account_record_id: 'accounts',
  'bundle_history.target_record_id': 'bundles',
  'invoice_history.target_record_id': 'invoices',
}
const UNCHANGED = ['tag_definition_id', 'catalog_effective_date']
// The whole first group: shorter prefixes do meet recorded identifiers that begin with them.
const PREFIX_DIGITS = 8
const DAYS = 28
// Coprime with DAYS: neighbouring copies lie far apart.
const DAYS_STEP = 11
// Recorded instants are at 06:00 or later: a copy stays on its UTC day.
const MOST_SECONDS = 5 * 3600
const SECONDS_STEP = 1237

/** Table of the copies, one row each: what is added to or put into the recorded values. */
export function copiesTable(name: string, copies: number): readonly string[] {
  const rows = Array.from({ length: copies }, (_, copy) => {
    const prefix = copy === 0 ? '' : copy.toString(16).padStart(PREFIX_DIGITS, '0')
    const days = (copy * DAYS_STEP) % DAYS
    const seconds = days * 86_400 + ((copy * SECONDS_STEP) % MOST_SECONDS)
    return `(${copy}, ${days}, ${seconds}, '${prefix}', '${copy === 0 ? '' : `-c${copy}`}')`
  })
  return [
    `create table ${name} (n bigint primary key, days integer not null, seconds integer not null, prefix varchar(${PREFIX_DIGITS}) not null,
      tail varchar(10) not null)`,
    `insert into ${name} (n, days, seconds, prefix, tail) values ${rows.join(', ')}`,
  ]
}

/** Where the recorded rows and the copies are. */
export interface MultiplyPlace {
  readonly source: string
  /** The table of the copies, and their number. */
  readonly copies: string
  readonly amount: number
  readonly engine: DialectName
  readonly lastRecordIds: ReadonlyMap<string, number>
}

/** Copies of one statement: PostgreSQL sorts them in memory. InnoDB loads in bulk only into an empty table, in one statement. */
const COPIES_AT_ONCE = 40

/** Statements that fill a table with every copy of the rows of the table of that name in `source`. */
export function multiplyStatements(table: string, schema: KillbillSchema, place: MultiplyPlace): readonly string[] {
  const columns = columnsOf(schema, table).columns
  const values = columns.map(({ name, type }) => {
    const column = `origin.${name}`
    if (UNCHANGED.includes(name)) return column
    const numbered = name === 'record_id' ? table : (RECORD_ID_OF[name] ?? RECORD_ID_OF[`${table}.${name}`])
    if (numbered !== undefined) return `${column} + copy.n * ${place.lastRecordIds.get(numbered) ?? 0}`
    // To the past: every fact that had happened by the end of the recording has happened in every copy.
    if (type === 'datetime' || type === 'date') return earlier(place.engine, column, type)
    if (name === 'external_key' || name === 'name') return joined(place.engine, column, 'copy.tail')
    if (name === 'email') return `replace(${column}, '@', ${joined(place.engine, 'copy.tail', "'@'")})`
    if (type === 'varchar(36)') return joined(place.engine, 'copy.prefix', `substr(${column}, char_length(copy.prefix) + 1)`)
    return column
  })
  const names = columns.map(({ name }) => name).join(', ')
  // In the order of the primary key, so that pages fill from left to right; MySQL would otherwise start with the larger table.
  const join = place.engine === 'mysql' ? 'straight_join' : 'cross join'
  const statement = `insert into ${table} (${names}) select ${values.join(', ')} from ${place.copies} as copy ${join} ${place.source}.${table} as origin`
  if (place.engine === 'mysql') return [statement]
  return Array.from({ length: Math.ceil(place.amount / COPIES_AT_ONCE) }, (_, index) => {
    const first = index * COPIES_AT_ONCE
    return `${statement} where copy.n between ${first} and ${first + COPIES_AT_ONCE - 1} order by copy.n, origin.record_id`
  })
}

/** Statement that takes the recorded rows of a table over. */
export function copyStatement(table: string, schema: KillbillSchema, source: string): string {
  const names = columnsOf(schema, table)
    .columns.map(({ name }) => name)
    .join(', ')
  return `insert into ${table} (${names}) select ${names} from ${source}.${table}`
}

function columnsOf(schema: KillbillSchema, table: string): KillbillTable {
  const known = schema.tables[table]
  if (known === undefined) throw new Error(`schema.json has no table ${table}`)
  return known
}

function earlier(engine: DialectName, column: string, type: 'datetime' | 'date'): string {
  const [amount, unit] = type === 'date' ? ['copy.days', 'day'] : ['copy.seconds', 'second']
  if (engine === 'mysql') return `date_sub(${column}, interval ${amount} ${unit})`
  return type === 'date' ? `${column} - ${amount}` : `${column} - make_interval(secs => ${amount})`
}

function joined(engine: DialectName, left: string, right: string): string {
  return engine === 'mysql' ? `concat(${left}, ${right})` : `(${left} || ${right})`
}

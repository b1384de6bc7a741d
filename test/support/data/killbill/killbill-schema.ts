import type { BillingDialect } from '../../../../src/compiler/dialect.ts'

/** The tables of a Kill Bill installation in words of no engine in particular, as schema.json has them. */
export interface KillbillSchema {
  readonly engine_version: string
  readonly tables: Readonly<Record<string, KillbillTable>>
}

export interface KillbillTable {
  readonly columns: readonly KillbillColumn[]
  readonly indexes: readonly {
    readonly name: string
    readonly columns: readonly string[]
    readonly unique: boolean
    readonly primary: boolean
  }[]
}

export interface KillbillColumn {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

/** Columns wider in MySQL than their neutral type says. */
const WIDE_MYSQL_COLUMNS: Readonly<Record<string, string>> = {
  'tenant_kvs.tenant_value': 'mediumtext',
  'payment_attempts.plugin_properties': 'mediumblob',
}

/** Kill Bill's own words for PostgreSQL types: drivers and expressions see the base type. */
const POSTGRES_DOMAINS: Readonly<Record<string, string>> = {
  datetime: 'timestamp without time zone',
  mediumtext: 'text',
  longtext: 'text',
  mediumblob: 'bytea',
  blob: 'bytea',
}

/** Statements that make the types and empty tables, the primary keys included. */
export function createTables(schema: KillbillSchema, engine: BillingDialect): string[] {
  const domains = Object.entries(POSTGRES_DOMAINS).map(([name, base]) => `create domain ${name} as ${base}`)
  const tables = Object.entries(schema.tables).map(([name, table]) => createTable(name, table, engine))
  return engine === 'postgres' ? [...domains, ...tables] : tables
}

/** Statements that make the tables with every index, for few rows: on MySQL each table at once, as making an index there is slow. */
export function createWhole(schema: KillbillSchema, engine: BillingDialect): string[] {
  if (engine === 'postgres') return [...createTables(schema, engine), ...createIndexes(schema, engine)]
  return Object.entries(schema.tables).map(([name, table]) => createTable(name, table, engine, secondaryKeys(table)))
}

/** Statements that make every other index; quicker after the rows are in. */
export function createIndexes(schema: KillbillSchema, engine: BillingDialect): string[] {
  return Object.entries(schema.tables).flatMap(([name, table]) => {
    if (engine === 'mysql') {
      // One statement per table, so that its rows are read once.
      const added = secondaryKeys(table).map((key) => `add ${key}`)
      return added.length === 0 ? [] : [`alter table ${name} ${added.join(', ')}`]
    }
    const secondary = table.indexes.filter((index) => !index.primary)
    return secondary.map(
      (index) => `create ${index.unique ? 'unique ' : ''}index ${index.name} on ${name} (${index.columns.join(', ')})`,
    )
  })
}

/** Every index but the primary key, in MySQL's words within a table. */
function secondaryKeys({ indexes }: KillbillTable): string[] {
  return indexes
    .filter((index) => !index.primary)
    .map(({ name, columns, unique }) => `${unique ? 'unique ' : ''}index ${name} (${columns.join(', ')})`)
}

function createTable(name: string, table: KillbillTable, engine: BillingDialect, more: readonly string[] = []): string {
  const columns = table.columns.map((column) => {
    const type = engine === 'postgres' ? postgresType(column) : mysqlType(name, column)
    return `${column.name} ${type}${column.nullable ? '' : ' not null'}${engine === 'mysql' && column.name === 'record_id' ? ' auto_increment' : ''}`
  })
  const keys = table.indexes.filter((index) => index.primary).map((index) => `primary key (${index.columns.join(', ')})`)
  const options = engine === 'mysql' ? ' engine = InnoDB default charset = utf8mb3 collate = utf8mb3_bin' : ''
  return `create table ${name} (${[...columns, ...keys, ...more].join(', ')})${options}`
}

function postgresType({ type }: KillbillColumn): string {
  return type.startsWith('decimal') ? type.replace('decimal', 'numeric') : type
}

function mysqlType(table: string, { name, type }: KillbillColumn): string {
  if (type === 'bigint') return 'bigint unsigned'
  if (type === 'boolean') return 'tinyint(1)'
  return WIDE_MYSQL_COLUMNS[`${table}.${name}`] ?? type
}

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import type { ExecutorOptions } from '../../../src/databases/options.ts'
import { createTrinoExecutor } from '../../../src/databases/trino/trino.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { TrinoServer } from './servers/trino.ts'
import { queryTrino } from './servers/trino-client.ts'
import type { TestDatabase } from './test-database.ts'

/** A schema of Iceberg tables. */
export interface TrinoSchema {
  readonly url: string
  readonly schema: string
  /** A separate executor, which the caller closes. */
  executor(options?: Partial<ExecutorOptions>): Executor
  /** Runs any statement. */
  run(text: string): Promise<readonly Row[]>
}

/** A column of a table, and the types with which Trino and DuckDB keep it. */
interface Column {
  readonly name: string
  readonly trino: string
  readonly duckdb: string
}

/** A new, empty schema. It ends with the server. */
export async function createTrinoSchema(server: TrinoServer): Promise<TrinoSchema> {
  const schema = `pl_${randomBytes(6).toString('hex')}`
  const run = (text: string) => queryTrino(server, schema, text)
  await run(`create schema lake.${schema}`)
  const { host } = new URL(server.origin)
  const url = `trino://reader@${host}/lake/${schema}`
  return {
    url,
    schema,
    executor: (options) =>
      createTrinoExecutor({ url, dialect: trino, poolSize: 2, queueMs: 240_000, statementTimeoutMs: 240_000, ...options }),
    run,
  }
}

/** A part of the rows of a database, in SQL of PostgreSQL. */
export interface CopiedPart {
  /** False for a table that nobody reads. */
  has(table: string): boolean
  /** The condition of the rows of a table with these columns. */
  where(table: string, columns: readonly string[]): string
  /** The cell of a column. */
  cell(column: string): string
}

const WHOLE: CopiedPart = { has: () => true, where: () => 'true', cell: (column) => `"${column}"` }

/** A schema with copies of all tables of a PostgreSQL database, typed as a tool that copies changes types them. Columns of bytes are left out. */
export async function copyToTrino(
  server: TrinoServer,
  source: Pick<TestDatabase, 'url' | 'adminQuery'>,
  part = WHOLE,
): Promise<TrinoSchema> {
  const copy = await createTrinoSchema(server)
  const columns = await columnsOf(source)
  const folder = join(server.files, 'copied', copy.schema)
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  for (const [table, named] of columns) {
    if (!part.has(table)) continue
    const place = join(folder, table)
    await mkdir(place, { recursive: true })
    const names = named.map(({ name }) => name)
    const [lines, file] = [join(place, 'rows.csv'), join(place, 'rows.parquet')]
    const rows = named.map(({ name }) => `(${part.cell(name)})::text`)
    await copyOut(source, `select ${rows.join(', ')} from ${table} where ${part.where(table, names)}`, lines)
    await copy.run(`create table ${table} (${named.map((column) => `"${column.name}" ${column.trino}`).join(', ')})`)
    const isEmpty = (await stat(lines)).size === 0
    const cells = named.map(({ name, duckdb }) => `cast("${name}" as ${duckdb}) as "${name}"`)
    const texts = names.map((name) => `"${name}": 'varchar'`)
    if (!isEmpty)
      await connection.run(
        `copy (select ${cells.join(', ')} from read_csv('${lines}', header = false, delim = ',', quote = '"', escape = '"',
        allow_quoted_nulls = false, max_line_size = 100000000, parallel = false, columns = {${texts.join(', ')}}))
        to '${file}' (format parquet)`,
      )
    await rm(lines)
    if (isEmpty) continue
    await copy.run(
      `alter table ${table} execute add_files(location => 'local:///copied/${copy.schema}/${table}', format => 'PARQUET')`,
    )
  }
  connection.disconnectSync()
  database.closeSync()
  return copy
}

/** Writes the rows of a query as lines of CSV, in which only a null has no quotes. */
async function copyOut({ url }: Pick<TestDatabase, 'url'>, query: string, file: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await pipeline(client.query(copyTo(`copy (${query}) to stdout (format csv, force_quote *)`)), createWriteStream(file))
  } finally {
    await client.end()
  }
}

async function columnsOf(source: Pick<TestDatabase, 'adminQuery'>): Promise<ReadonlyMap<string, readonly Column[]>> {
  const rows = await source.adminQuery(
    `select table_name, column_name, data_type, numeric_precision, numeric_scale from information_schema.columns
     where table_schema = current_schema() and data_type <> 'bytea' order by table_name, ordinal_position`,
  )
  const found = new Map<string, Column[]>()
  for (const row of rows) {
    const table = String(row['table_name'])
    const type = String(row['data_type'])
    const digits = `(${row['numeric_precision'] ?? 38}, ${row['numeric_scale'] ?? 9})`
    const column = { name: String(row['column_name']), ...typesOf(type, digits) }
    found.set(table, [...(found.get(table) ?? []), column])
  }
  return found
}

function typesOf(type: string, digits: string): Omit<Column, 'name'> {
  switch (type) {
    case 'numeric':
      return { trino: `decimal${digits}`, duckdb: `decimal${digits}` }
    case 'timestamp without time zone':
      return { trino: 'timestamp(6)', duckdb: 'timestamp' }
    case 'smallint':
    case 'integer':
      return { trino: 'integer', duckdb: 'integer' }
    case 'bigint':
    case 'boolean':
    case 'date':
      return { trino: type, duckdb: type }
    case 'double precision':
      return { trino: 'double', duckdb: 'double' }
    case 'uuid':
    case 'jsonb':
    case 'USER-DEFINED':
    case 'text':
    case 'character':
    case 'character varying':
      return { trino: 'varchar', duckdb: 'varchar' }
    default:
      throw new Error(`no type of Trino for ${type}`)
  }
}

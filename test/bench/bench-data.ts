import { createHash } from 'node:crypto'
import { fixtureDigest, readFixture, readSchema } from '../support/data/killbill/killbill-fixture.ts'
import { createIndexes, createTables, type KillbillSchema } from '../support/data/killbill/killbill-schema.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { insertStatements, literal } from '../support/data/killbill/sql-literals.ts'
import { type BenchDatabase, type BenchServer, DATABASE_PREFIX } from './bench-database.ts'
import { extraQuantityUpdates, records } from './growth.ts'
import { copiesTable, copyStatement, MULTIPLIED, type MultiplyPlace, multiplyStatements } from './multiply.ts'

/** Raise it when other rows come out: databases of an older version are not taken for new ones. */
const GENERATOR_VERSION = 3
const TENANT = 'alpha'
const MARKER = 'plumbline_bench'

/** Sees what is being done and how long the step before took. */
export type Progress = (text: string) => void

/** Name of the database with at least that many subscriptions. */
export function databaseName(subscriptions: number): string {
  const contents = `${subscriptions}:${GENERATOR_VERSION}:${fixtureDigest([])}`
  return `${DATABASE_PREFIX}${subscriptions}_${createHash('sha256').update(contents).digest('hex').slice(0, 8)}`
}

/** The database with at least that many subscriptions of tenant alpha, made if the server does not have it yet or if it is to be `fresh`. */
export async function benchDatabase(
  server: BenchServer,
  subscriptions: number,
  options: { readonly fresh: boolean; readonly progress: Progress },
): Promise<BenchDatabase> {
  const name = databaseName(subscriptions)
  const known = (await server.list()).includes(name)
  if (known && !options.fresh) {
    const database = await server.open(name)
    if (await isComplete(database)) return database
    await database.drop()
  }
  await server.drop(name)
  await server.create(name)
  const database = await server.open(name)
  await generate(server, database, subscriptions, options.progress)
  return database
}

// A crash of PostgreSQL empties unlogged tables, but not the marker.
async function isComplete(database: BenchDatabase): Promise<boolean> {
  const found = await database.adminQuery(
    `select table_name from information_schema.tables where table_name = '${MARKER}' and table_schema in ('public', '${database.name}')`,
  )
  return found.length > 0 && (await database.adminQuery('select record_id from subscriptions limit 1')).length > 0
}

async function generate(server: BenchServer, database: BenchDatabase, subscriptions: number, progress: Progress): Promise<void> {
  const engine = database.dialect.name
  const schema = readSchema()
  const source = `${database.name}_source`

  progress('recorded rows')
  await dropSource(server, database, source)
  if (engine === 'mysql') await server.create(source)
  else await database.adminQuery(`create schema ${source}`)
  await database.use(source)
  await loadReal(database, { tenants: [TENANT] })
  await addQuantityUpdates(database)
  const lastRecordIds = await lastRecordIdsOf(database)
  const amount = Math.ceil(subscriptions / (await count(database, 'subscriptions')))
  await runAll(database, copiesTable(`${source}.bench_copy`, amount))
  await database.use(database.name)
  const place = { source, copies: `${source}.bench_copy`, amount, engine, lastRecordIds }
  await runAll(database, createTables(schema, engine).map(engine === 'postgres' ? unlogged : String))

  const indexes = createIndexes(schema, engine).filter((statement) => amount < LEAN_FROM || !isSpared(statement))
  await shareOut(
    server,
    database,
    Object.keys(schema.tables).map((table) => ({ title: table, statements: rowsOf(table, schema, place) })),
    progress,
  )
  await dropSource(server, database, source)
  await shareOut(
    server,
    database,
    indexes.map((index) => ({ title: index.slice(0, 80), statements: [index] })),
    progress,
  )
  progress('statistics')
  await runAll(database, engine === 'mysql' ? [`analyze table ${Object.keys(schema.tables).join(', ')}`] : ['vacuum analyze'])
  await database.adminQuery(`create table ${MARKER} (generator_version integer)`)
}

function rowsOf(table: string, schema: KillbillSchema, place: MultiplyPlace): readonly string[] {
  return MULTIPLIED.some((name) => name === table)
    ? multiplyStatements(table, schema, place)
    : [copyStatement(table, schema, place.source)]
}

/** A table without a log: the database can be made again, and loading takes half the time. */
function unlogged(statement: string): string {
  return statement.replace(/^create table/, 'create unlogged table')
}

interface Work {
  readonly title: string
  readonly statements: readonly string[]
}

/** Runs pieces of work, the next one on whichever connection is free. InnoDB loads fastest with one. */
async function shareOut(server: BenchServer, database: BenchDatabase, work: readonly Work[], progress: Progress): Promise<void> {
  const engine = database.dialect.name
  const left = [...work]
  const take = async (own: BenchDatabase): Promise<void> => {
    await runAll(own, FAST_LOAD[engine])
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      progress(next.title)
      await runAll(own, next.statements)
    }
  }
  const second = engine === 'postgres' ? await server.open(database.name) : undefined
  try {
    await Promise.all([take(database), ...(second === undefined ? [] : [take(second)])])
  } finally {
    await second?.drop()
  }
}

/** From this number of copies on, large indexes that neither metrics nor the cache use are left out: a million subscriptions would take 23 GB. */
const LEAN_FROM = 1_000
const LARGE = /^create (?:unique )?index \w+ on (?:invoices|invoice_history|invoice_items|invoice_payments) \((\w+)/
const READ_BY = ['invoice_id', 'account_record_id', 'tenant_record_id']

function isSpared(createIndex: string): boolean {
  const column = LARGE.exec(createIndex)?.[1]
  return column !== undefined && !READ_BY.includes(column) && !createIndex.includes(' on invoices (id)')
}

const FAST_LOAD = {
  // Together they let InnoDB load an empty table in bulk, without one undo record per row.
  mysql: ['set unique_checks = 0, foreign_key_checks = 0'],
  postgres: ['set synchronous_commit = off', "set maintenance_work_mem = '512MB'", "set work_mem = '256MB'"],
} as const

async function dropSource(server: BenchServer, database: BenchDatabase, source: string): Promise<void> {
  if (database.dialect.name === 'mysql') await server.drop(source)
  else await database.adminQuery(`drop schema if exists ${source} cascade`)
}

async function addQuantityUpdates(database: BenchDatabase): Promise<void> {
  const { columns } = readFixture('subscription_events')
  const types = new Map(readSchema().tables['subscription_events']?.columns.map(({ name, type }) => [name, type]))
  const tenant = records(readFixture('tenants')).find((row) => row['external_key'] === TENANT)?.['record_id'] ?? ''
  const tuples = extraQuantityUpdates(tenant).map((row) => {
    const cells = columns.map((name) => literal(row[name] ?? null, types.get(name) ?? 'text', database.dialect.name))
    return `(${cells.join(',')})`
  })
  await runAll(database, [...insertStatements('subscription_events', columns, tuples)])
}

async function lastRecordIdsOf(database: BenchDatabase): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>()
  for (const table of MULTIPLIED) {
    const [row] = await database.adminQuery(`select max(record_id) as last from ${table}`)
    last.set(table, Number(row?.['last'] ?? 0))
  }
  return last
}

/** Rows of a table that fulfil a condition. */
export async function count(database: BenchDatabase, table: string, condition = 'true'): Promise<number> {
  const [row] = await database.adminQuery(`select count(*) as rows_found from ${table} where ${condition}`)
  return Number(row?.['rows_found'] ?? 0)
}

async function runAll(database: BenchDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await database.adminQuery(statement)
}

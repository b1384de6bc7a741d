import mysql from 'mysql2/promise'
import pg from 'pg'
import { mysql as mysqlDialect } from '../../src/compiler/dialects/mysql.ts'
import { postgres as postgresDialect } from '../../src/compiler/dialects/postgres.ts'
import { createMysqlExecutor } from '../../src/databases/mysql/mysql.ts'
import { createPostgresExecutor } from '../../src/databases/postgres/postgres.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { TargetPlace } from '../support/databases/target-places.ts'
import { type TestDatabase, trackExecutors } from '../support/databases/test-database.ts'

/** Every database of the benchmarks begins with it. */
export const DATABASE_PREFIX = 'pl_bench_'

/** A server with administrator rights, for databases that outlive the run. */
export interface BenchServer {
  readonly place: TargetPlace
  /** Databases of the benchmarks, half-made ones too. */
  list(): Promise<readonly string[]>
  create(name: string): Promise<void>
  drop(name: string): Promise<void>
  open(name: string): Promise<BenchDatabase>
  /** Version and the settings that decide speed most, in a line. */
  describe(): Promise<string>
  close(): Promise<void>
}

/** `drop` of this database only closes it. */
export type BenchDatabase = TestDatabase & {
  readonly name: string
  /** From here on, unqualified names mean this namespace of the same server: a PostgreSQL schema or a further MySQL database. */
  use(namespace: string): Promise<void>
}

/** Connects to the server at a place. */
export function connectServer(place: TargetPlace): Promise<BenchServer> {
  return place.name === 'postgres' ? connectPostgres(place) : connectMysql(place)
}

async function connectPostgres(place: TargetPlace): Promise<BenchServer> {
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  return {
    place,
    async list() {
      const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [
        DATABASE_PREFIX,
      ])
      return rows.map((row) => row.datname)
    },
    create: async (name) => void (await client.query(`create database ${name}`)),
    drop: async (name) => void (await client.query(`drop database if exists ${name} with (force)`)),
    async open(name) {
      const url = urlOfDatabase(place.url, name)
      const admin = new pg.Client({ connectionString: url })
      await admin.connect()
      const executors = trackExecutors((settings) => createPostgresExecutor({ url, dialect: postgresDialect, ...settings }))
      return {
        name,
        target: place.name,
        dialect: postgresDialect,
        url,
        executor: executors.executor,
        adminQuery: async (sql, values) => (await admin.query<Row>(sql, values === undefined ? undefined : [...values])).rows,
        use: async (namespace) => void (await admin.query(`set search_path to ${namespace === name ? 'public' : namespace}`)),
        async drop() {
          await executors.closeAll()
          await admin.end()
        },
      }
    },
    async describe() {
      const { rows } = await client.query<Record<string, string>>(
        "select current_setting('server_version') as version, current_setting('shared_buffers') as memory",
      )
      return `PostgreSQL ${rows[0]?.['version']}, shared_buffers ${rows[0]?.['memory']}`
    },
    close: () => client.end(),
  }
}

async function connectMysql(place: TargetPlace): Promise<BenchServer> {
  const connection = await mysql.createConnection(place.url)
  return {
    place,
    async list() {
      const [rows] = await connection.query<mysql.RowDataPacket[]>(
        'select schema_name as name from information_schema.schemata where left(schema_name, ?) = ?',
        [DATABASE_PREFIX.length, DATABASE_PREFIX],
      )
      return rows.map((row) => String(row['name']))
    },
    create: async (name) => void (await connection.query(`create database ${name} character set utf8mb3 collate utf8mb3_bin`)),
    drop: async (name) => void (await connection.query(`drop database if exists ${name}`)),
    async open(name) {
      const url = urlOfDatabase(place.url, name)
      const admin = await mysql.createConnection({ uri: url, dateStrings: true, timezone: 'Z' })
      const executors = trackExecutors((settings) => createMysqlExecutor({ url, dialect: mysqlDialect, ...settings }))
      return {
        name,
        target: place.name,
        dialect: mysqlDialect,
        url,
        executor: executors.executor,
        async adminQuery(sql, values) {
          const [rows] = await admin.query(sql, values === undefined ? undefined : [...values])
          return Array.isArray(rows) ? (rows as Row[]) : []
        },
        use: async (namespace) => void (await admin.query(`use ${namespace}`)),
        async drop() {
          await executors.closeAll()
          await admin.end()
        },
      }
    },
    async describe() {
      const [rows] = await connection.query<mysql.RowDataPacket[]>(
        'select @@version as version, @@innodb_buffer_pool_size as memory',
      )
      return `${place.name} ${rows[0]?.['version']}, innodb_buffer_pool_size ${Number(rows[0]?.['memory']) / 1024 ** 2}MB`
    },
    close: () => connection.end(),
  }
}

function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

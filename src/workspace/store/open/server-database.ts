import knex, { type Knex } from 'knex'
import { AppError } from '../../../core/errors.ts'
import { mysqlClient } from '../../../databases/addresses/mysql-client.ts'
import { postgresClient } from '../../../databases/addresses/postgres-client.ts'
import type { ServerAddress } from '../../../databases/addresses/server-address.ts'
import { type Database, QUIET_KNEX, WRITE_WAIT_MS } from '../database.ts'
import { migrateServer } from './migrate.ts'
import type { StoreTarget } from './store-target.ts'

type ServerTarget = Extract<StoreTarget, { kind: 'postgres' | 'mysql' }>

const SETTING = 'store.url'
const CONNECT_TIMEOUT_MS = 5_000
const NO_LIMIT = '18446744073709551615'
// The mode is strict and always allows backslashes as escapes, because the driver escapes values with them. It replaces the
// server's default.
const MYSQL_MODE = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
// These variables change results, and a server, role or database may set them. Optimizer switches are not set: the bug of MySQL
// 8.0 concerns prepared statements, and the store sends its statements as text.
const MYSQL_SETTINGS = [
  'set session transaction isolation level repeatable read, read write',
  `set session sql_mode = '${MYSQL_MODE}', time_zone = '+00:00', innodb_lock_wait_timeout = ${WRITE_WAIT_MS / 1_000},
  sql_select_limit = ${NO_LIMIT}, max_join_size = ${NO_LIMIT}, sql_big_selects = 1, sql_safe_updates = 0, sql_auto_is_null = 0,
  autocommit = 1, completion_type = 0, foreign_key_checks = 1, unique_checks = 1, div_precision_increment = 4,
  max_sort_length = 65536,
  character_set_client = utf8mb4, character_set_results = utf8mb4, collation_connection = utf8mb4_general_ci`,
]

/** Connects to a PostgreSQL, MySQL or MariaDB store and migrates it. Rejects with the driver's error. */
export async function openServerDatabase(target: ServerTarget): Promise<Database> {
  const connected = knex(target.kind === 'postgres' ? postgresConfig(target.address) : mysqlConfig(target.address))
  const schema = target.kind === 'postgres' ? target.schema : undefined
  try {
    if (schema !== undefined) await refusePolicies(connected, schema)
    await migrateServer(connected, schema)
  } catch (error) {
    await connected.destroy()
    throw error
  }
  return { knex: connected, schema, close: () => connected.destroy() }
}

/**
 * Refuses row-level security, because the rows that it hides would be missing without an error. Checks the policies, because a
 * pooler does not preserve `row_security = off`.
 */
async function refusePolicies(connected: Knex, schema: string): Promise<void> {
  const { rows } = await connected.raw<{ rows: readonly { name: string }[] }>(
    `select relname as name from pg_catalog.pg_class where relkind in ('r', 'p') and row_security_active(oid)
      and relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ?) order by relname`,
    [schema],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  const detail = `Row-level security hides rows of the store, in ${names}, from its database role. Give that role BYPASSRLS, or drop the policies that apply to it.`
  throw new AppError('connector_unavailable', detail, { context: { row_security: rows.map(({ name }) => name) } })
}

function postgresConfig(address: ServerAddress): Knex.Config {
  return {
    ...QUIET_KNEX,
    client: 'pg',
    connection: {
      application_name: 'plumbline',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...postgresClient(address, SETTING),
      types: pgTypes,
    },
    pool: {
      min: 0,
      max: 4,
      // A pooler may run a client's next transaction on another connection. It preserves only these two settings.
      afterCreate: prepareWith(["set datestyle = 'ISO, YMD'; set timezone = 'UTC'"]),
    },
  }
}

function mysqlConfig(address: ServerAddress): Knex.Config {
  const connection = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...mysqlClient(address, SETTING),
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  }
  return {
    ...QUIET_KNEX,
    client: 'mysql2',
    connection,
    pool: {
      min: 0,
      max: 4,
      afterCreate: prepareWith(MYSQL_SETTINGS),
    },
  }
}

interface RawConnection {
  query(text: string, done: (error: Error | null) => void): void
}

function prepareWith(statements: readonly string[]) {
  return (connection: RawConnection, done: (error: Error | null, connection: RawConnection) => void): void => {
    const [statement, ...others] = statements
    if (statement === undefined) done(null, connection)
    else connection.query(statement, (error) => (error ? done(error, connection) : prepareWith(others)(connection, done)))
  }
}

// Some values cannot be represented exactly in JavaScript, or a time zone would shift them. They remain the text that the server
// sent.
const BOOLEAN = 16
const SMALL_INTEGERS = [21, 23]

type Parser = (text: string) => unknown

const asText: Parser = (text) => text

/** PostgreSQL result types by OID for `pg`: booleans and small integers, everything else as text. */
const pgTypes = {
  getTypeParser(oid: number): Parser {
    if (oid === BOOLEAN) return (text) => text === 't'
    return SMALL_INTEGERS.includes(oid) ? Number : asText
  },
}

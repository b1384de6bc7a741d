import type mysql from 'mysql2'
import type { Executor } from '../../ports/executor.ts'
import { tlsFailure } from '../addresses/failed-connection.ts'
import { mysqlClient } from '../addresses/mysql-client.ts'
import { placeOf, serverAddress } from '../addresses/read-address.ts'
import type { ServerAddress } from '../addresses/server-address.ts'
import { type Driver, mysqlDriver } from '../driver.ts'
import { createExecutor } from '../executor.ts'
import { type ExecutorOptions, type Limits, resolveLimits } from '../options.ts'
import { mysqlTableSizes } from '../table-sizes.ts'
import { createMysqlSession, runText } from './connection.ts'
import { mysqlFailure } from './errors.ts'
import { mysqlWritePrivileges } from './privileges.ts'
import { openSession } from './session.ts'
import { clientScript, type MysqlVariant } from './settings.ts'
import { mysqlSchema, mysqlState } from './state.ts'

/**
 * Executor over a MySQL or MariaDB server. It connects with the first snapshot. Until the server has reported its version, `variant` is the
 * URL's scheme. The time limit of a statement includes the reading of its rows, so a slow reader of a stream can reach it.
 */
export function createMysqlExecutor(options: ExecutorOptions): Executor {
  const limits = resolveLimits(options)
  return createExecutor(createMysqlDriver(options, limits), limits, {
    state: mysqlState,
    schema: mysqlSchema,
    writePrivileges: mysqlWritePrivileges,
    tableSizes: mysqlTableSizes,
  })
}

function createMysqlDriver(options: ExecutorOptions, limits: Limits): Driver {
  const address = serverAddress(options.url, 'database.url')
  const config = connectionConfig(address, options, limits)
  const pool = mysqlDriver().createPool({
    ...config,
    connectionLimit: limits.poolSize,
    idleTimeout: 30_000,
    maxPreparedStatements: 64,
  })
  const prepared = new WeakSet<mysql.PoolConnection>()
  let variant: MysqlVariant = options.url.startsWith('mariadb:') ? 'mariadb' : 'mysql'

  const prepare = async (connection: mysql.PoolConnection): Promise<void> => {
    variant = await openSession((text) => runText(connection, text, limits.tap), limits)
    prepared.add(connection)
  }

  return {
    get variant() {
      return variant
    },
    place: placeOf(address),
    explain: (error) => tlsFailure(error, address),
    get dialect() {
      return options.dialect.ofServer?.(variant) ?? options.dialect
    },
    get client() {
      return clientScript(variant)
    },
    statementTimeoutMs: limits.statementTimeoutMs,
    connectTimeoutMs: limits.connectTimeoutMs,
    async connect() {
      const connection = await lend(pool)
      try {
        if (!prepared.has(connection)) await prepare(connection)
      } catch (error) {
        connection.destroy()
        throw error
      }
      return createMysqlSession(connection, config, options.dialect.ofServer?.(variant) ?? options.dialect, limits.tap)
    },
    failureKind: mysqlFailure,
    close: () =>
      new Promise((resolve, reject) => pool.end((error) => (error === null || error === undefined ? resolve() : reject(error)))),
  }
}

function connectionConfig(address: ServerAddress, options: ExecutorOptions, limits: Limits): mysql.ConnectionOptions {
  return {
    connectTimeout: limits.connectTimeoutMs,
    ...mysqlClient(address, 'database.url'),
    ...(options.schema === undefined ? {} : { database: options.schema }),
    connectAttributes: { program_name: limits.applicationName },
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
  }
}

function lend(pool: mysql.Pool): Promise<mysql.PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error === null || error === undefined ? resolve(connection) : reject(error)))
  })
}

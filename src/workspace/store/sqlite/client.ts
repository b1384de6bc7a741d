import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import { InternalError } from '../../../core/errors.ts'
import { openSqlite, type SqliteConnection } from './connection.ts'
import type { SqliteOpening, SqliteValue } from './protocol.ts'

/** The object that knex passes to a client for each statement. The client adds the result to it. */
interface Query {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  response?: unknown
  context?: { readonly changes: number }
}

// The module of this dialect has no types.
const SqliteDialect = createRequire(import.meta.url)('knex/lib/dialects/better-sqlite3') as typeof Knex.Client

/** knex's own SQLite dialect, with connections that run in threads. `first` is open already. */
export function sqliteClient(opening: SqliteOpening, first?: SqliteConnection): typeof Knex.Client {
  let given = first
  return class extends SqliteDialect {
    _driver(): object {
      return {}
    }

    override async acquireRawConnection(): Promise<SqliteConnection> {
      const open = given
      given = undefined
      return open ?? openSqlite(opening)
    }

    override destroyRawConnection(connection: SqliteConnection): Promise<void> {
      return connection.close()
    }

    override async validateConnection(connection: SqliteConnection): Promise<boolean> {
      return connection.isOpen()
    }

    async _query(connection: SqliteConnection, query: Query): Promise<Query> {
      // A transaction takes the write lock when it begins. A transaction that meets another writer later can no longer wait.
      const sql = query.sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : query.sql
      const { rows, changes } = await connection.run(sql, (query.bindings ?? []).map(bound))
      query.response = rows
      query.context = { changes }
      return query
    }
  }
}

function bound(value: unknown): SqliteValue {
  // Only knex's migration table needs this.
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new InternalError(`SQLite has no ${typeof value}`)
}

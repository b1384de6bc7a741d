import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import { InternalError } from '../../../core/errors.ts'
import { openSqlite, type SqliteConnection } from './connection.ts'
import type { SqliteOpening, SqliteValue } from './protocol.ts'

/** The object that knex hands to a client for one statement, with the places for the outcome. */
interface Query {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  response?: unknown
  context?: { readonly changes: number }
}

// The module of that dialect has no types.
const SqliteDialect = createRequire(import.meta.url)('knex/lib/dialects/better-sqlite3') as typeof Knex.Client

/** knex's own SQLite dialect over connections that work in threads. */
export function sqliteClient(opening: SqliteOpening): typeof Knex.Client {
  return class extends SqliteDialect {
    _driver(): object {
      return {}
    }

    override acquireRawConnection(): Promise<SqliteConnection> {
      return openSqlite(opening)
    }

    override destroyRawConnection(connection: SqliteConnection): Promise<void> {
      return connection.close()
    }

    override async validateConnection(connection: SqliteConnection): Promise<boolean> {
      return connection.isOpen()
    }

    async _query(connection: SqliteConnection, query: Query): Promise<Query> {
      // A transaction takes the lock of the writer when it begins. If it found out later that another one writes, it could wait no longer.
      const sql = query.sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : query.sql
      const { rows, changes } = await connection.run(sql, (query.bindings ?? []).map(bound))
      query.response = rows
      query.context = { changes }
      return query
    }
  }
}

function bound(value: unknown): SqliteValue {
  // Only knex's own table of migrations needs this.
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new InternalError(`SQLite has no ${typeof value}`)
}

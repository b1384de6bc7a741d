import type { Knex } from 'knex'
import { InternalError } from '../../core/errors.ts'

/** Kinds of databases that hold a store. */
export type StoreEngine = 'postgres' | 'mysql' | 'sqlite'

const ENGINES: Readonly<Record<string, StoreEngine>> = { pg: 'postgres', mysql2: 'mysql', 'better-sqlite3': 'sqlite' }

/** What a connection, a transaction on it or a query leads to. */
export function engineOf({ client }: Pick<Knex | Knex.QueryBuilder, 'client'>): StoreEngine {
  const engine = ENGINES[String(client.driverName)]
  if (engine === undefined) throw new InternalError(`no store is driven by ${String(client.driverName)}`)
  return engine
}

import type { Knex } from 'knex'
import { InternalError } from '../../core/errors.ts'

/** Kinds of databases that hold a store. */
export type StoreEngine = 'postgres' | 'mysql' | 'sqlite'

const ENGINES: Readonly<Record<string, StoreEngine>> = { pg: 'postgres', mysql2: 'mysql', 'better-sqlite3': 'sqlite' }

/** The engine of a connection, transaction or query. */
export function engineOf({ client }: Pick<Knex | Knex.QueryBuilder, 'client'>): StoreEngine {
  const engine = ENGINES[String(client.driverName)]
  if (engine === undefined) throw new InternalError(`no store is driven by ${String(client.driverName)}`)
  return engine
}

/** A store that has been opened and migrated. */
export interface Database {
  readonly knex: Knex
  /** PostgreSQL schema of the tables. Undefined if the database or file itself is the schema. */
  readonly schema: string | undefined
  close(): Promise<void>
}

/** Access to the store, which opens when it is first needed. Errors are AppErrors or InternalErrors. */
export interface Access {
  /** Runs `work`. Runs it a second time if the server has cut the connection. */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Runs `work` once, while no other write of this process runs. On a server it checks the connection first. */
  write<T>(work: (database: Database) => Promise<T>): Promise<T>
  /**
   * Runs a short write that no answer depends on. If the database can, it runs concurrently with a long write, on PostgreSQL in a
   * transaction. `work` must be harmless when repeated, because it runs a second time if the server has cut the connection.
   */
  writeConcurrently<T>(work: (database: Database) => Promise<T>): Promise<T>
}

/** A query builder for a table of the store. It always names the schema, so the search path does not matter. */
export function table(database: Database, name: string, scope: Knex = database.knex): Knex.QueryBuilder {
  return database.schema === undefined ? scope(name) : scope(name).withSchema(database.schema)
}

/** Reads the write counter. */
export async function readVersion(database: Database): Promise<number> {
  const rows: { version: string | number }[] = await table(database, 'store_version').select('version')
  const version = Number(rows[0]?.version)
  if (!Number.isSafeInteger(version)) throw new InternalError('the store has lost its counter of writes')
  return version
}

/**
 * Reads the write counter and the sources. A source is added and removed without raising the counter, because it must not wait for a
 * long import.
 */
export async function readFingerprint(database: Database): Promise<string> {
  const { knex } = database
  const rows: Readonly<Record<string, unknown>>[] = await table(database, 'store_version')
    .leftJoin('source', knex.raw('1 = 1'))
    .orderBy(['source.workspace', 'source.id'])
    .select('store_version.version', 'source.workspace', 'source.id', 'source.type')
  return JSON.stringify(rows.map(({ version, workspace, id, type }) => [String(version), workspace, id, type]))
}

/** Reads the name that the store got when it was created. */
export async function readIdentity(database: Database): Promise<string> {
  const rows: { identity: string }[] = await table(database, 'store_identity').select('identity')
  const [row] = rows
  if (row === undefined) throw new InternalError('the store has lost its identity')
  return row.identity
}

/**
 * Runs a transaction that raises the write counter first, so that writers take turns. Rows that the transaction reads do not
 * change until it ends.
 */
export function writeExclusively<T>(access: Access, work: (database: Database, transaction: Knex) => Promise<T>): Promise<T> {
  return access.write((database) =>
    inTransaction(database, async (transaction) => {
      await raiseVersion(database, transaction)
      return work(database, transaction)
    }),
  )
}

/**
 * Runs a transaction concurrently with other writers. Writers do not see each other's unfinished changes, and each locks only the
 * rows that it changes.
 */
export function changeConcurrently<T>(access: Access, work: (database: Database, transaction: Knex) => Promise<T>): Promise<T> {
  return access.writeConcurrently((database) => {
    // MySQL would otherwise lock gaps between rows, and other writers could not insert there.
    const settings: Knex.TransactionConfig = engineOf(database.knex) === 'mysql' ? { isolationLevel: 'read committed' } : {}
    return inTransaction(database, (transaction) => work(database, transaction), settings)
  })
}

/**
 * Runs a transaction that waits for a lock no longer than WRITE_WAIT_MS. Uses the open transaction if there is one. On PostgreSQL the limit
 * applies to the transaction only, because a pooler may give the connection to another client afterwards.
 */
export async function inTransaction<T>(
  { knex }: Database,
  work: (transaction: Knex) => Promise<T>,
  settings: Knex.TransactionConfig = {},
): Promise<T> {
  if (knex.isTransaction === true) return work(knex)
  return knex.transaction(async (transaction) => {
    if (engineOf(knex) === 'postgres') await transaction.raw(`set local lock_timeout = ${WRITE_WAIT_MS}`)
    return work(transaction)
  }, settings)
}

/** Raises the write counter. If it is the first statement of a transaction, writers also take turns. */
export async function raiseVersion(database: Database, transaction: Knex): Promise<void> {
  await table(database, 'store_version', transaction).where({ id: 1 }).increment('version', 1)
}

/** Longest time that a write waits for another write, in milliseconds. */
export const WRITE_WAIT_MS = 10_000

/** Settings for all kinds of stores. The driver prints nothing, and error messages contain no values. */
export const QUIET_KNEX: Knex.Config = {
  compileSqlOnError: false,
  acquireConnectionTimeout: 10_000,
  log: { warn() {}, error() {}, deprecate() {}, debug() {} },
}

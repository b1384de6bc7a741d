import type { Knex } from 'knex'
import { InternalError } from '../core/errors.ts'

/** An opened side schema, migrated. */
export interface Database {
  readonly knex: Knex
  /** PostgreSQL schema of the tables; undefined where the database itself is the schema. */
  readonly schema: string | undefined
  close(): Promise<void>
}

/** Ways to work on the store, opening it first if need be; errors come out as AppError or InternalError. */
export interface Access {
  /** Runs `work`, a second time when the server has cut the connection meanwhile. */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Runs `work` once, on a store that has just answered. */
  write<T>(work: (database: Database) => Promise<T>): Promise<T>
}

/** Query builder for a table of the side schema. The schema is always named, so no search path is needed or left behind. */
export function table(database: Database, name: string, scope: Knex = database.knex): Knex.QueryBuilder {
  return database.schema === undefined ? scope(name) : scope(name).withSchema(database.schema)
}

/** The counter that every write raises. */
export async function readVersion(database: Database): Promise<number> {
  const rows: { version: string | number }[] = await table(database, 'store_version').select('version')
  const version = Number(rows[0]?.version)
  if (!Number.isSafeInteger(version)) throw new InternalError('the store has lost its counter of writes')
  return version
}

/** The store's name of its own. */
export async function readIdentity(database: Database): Promise<string> {
  const rows: { identity: string }[] = await table(database, 'store_identity').select('identity')
  const [row] = rows
  if (row === undefined) throw new InternalError('the store has lost its identity')
  return row.identity
}

/** A transaction whose first act raises the counter, so that writers take turns and what is looked up inside stays so. */
export function writeAlone<T>(access: Access, work: (database: Database, transaction: Knex) => Promise<T>): Promise<T> {
  return access.write((database) =>
    database.knex.transaction(async (transaction) => {
      await raiseVersion(database, transaction)
      return work(database, transaction)
    }),
  )
}

/** Raises the counter; done first in a transaction it also makes writers take turns. */
export async function raiseVersion(database: Database, transaction: Knex): Promise<void> {
  await table(database, 'store_version', transaction).where({ id: 1 }).increment('version', 1)
}

/** Settings that every kind of store shares: nothing printed by the driver, no values in error messages. */
export const QUIET_KNEX: Knex.Config = {
  compileSqlOnError: false,
  acquireConnectionTimeout: 10_000,
  log: { warn() {}, error() {}, deprecate() {}, debug() {} },
}

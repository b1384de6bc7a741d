import type { Knex } from 'knex'
import { migrations } from '../migrations/index.ts'

const TABLE = 'plumbline_migration'
const LOCK_WAIT_SECONDS = 60

/**
 * Migrates a store, in one process at a time, because other processes may also open it. Creates the PostgreSQL schema if it is
 * absent.
 */
export async function migrateServer(knex: Knex, schema: string | undefined): Promise<void> {
  await knex.transaction(async (guard) => {
    if (schema === undefined) {
      await withMysqlLock(guard, () => migrate(knex, undefined))
      return
    }
    await guard.raw(`set local lock_timeout = '${LOCK_WAIT_SECONDS}s'`)
    await guard.raw('select pg_advisory_xact_lock(hashtext(?))', [`plumbline migration of ${schema}`])
    // Use only this connection. Other processes may hold all other connections of a pooler while they wait for the lock.
    await createSchema(guard, schema)
    await migrate(guard, schema)
  })
}

/**
 * Migrates an embedded store in one transaction, because other processes may also open it. If the store is up to date, it is only
 * read, so it opens even while another process writes. `fill` puts rows into a store that has just been created.
 */
export async function migrateEmbedded(knex: Knex, fill: (transaction: Knex) => Promise<void>): Promise<void> {
  if (await isUpToDate(knex)) return
  await knex.transaction(async (transaction) => {
    const isNew = !(await transaction.schema.hasTable(TABLE))
    await transaction.migrate.latest(settings(undefined))
    if (isNew) await fill(transaction)
  })
}

async function isUpToDate(knex: Knex): Promise<boolean> {
  if (!(await knex.schema.hasTable(TABLE))) return false
  const rows: { name: string }[] = await knex(TABLE).select('name').orderBy('id')
  return JSON.stringify(rows.map(({ name }) => name)) === JSON.stringify(Object.keys(migrations))
}

async function migrate(knex: Knex, schema: string | undefined): Promise<void> {
  // The caller holds the server's own lock. A mark in knex's lock table can therefore only come from a process that died.
  await knex.migrate.forceFreeMigrationsLock(settings(schema))
  await knex.migrate.latest(settings(schema))
}

function settings(schema: string | undefined): Knex.MigratorConfig {
  const source: Knex.MigrationSource<string> = {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name) => name,
    getMigration: async (name) => {
      const change = migrations[name]
      if (change === undefined) throw new Error(`unknown migration ${name}`)
      return {
        up: (knex) => change(knex, schema),
        // Stores are only migrated forward. An older version refuses a newer store instead of undoing its changes.
        down: async () => {
          throw new Error(`migration ${name} cannot be undone`)
        },
      }
    },
  }
  return { migrationSource: source, tableName: TABLE, ...(schema === undefined ? {} : { schemaName: schema }) }
}

// Even if the schema exists, `create schema if not exists` needs the privilege to create schemas.
async function createSchema(knex: Knex, schema: string): Promise<void> {
  const found: unknown[] = await knex('pg_catalog.pg_namespace').where('nspname', schema).select('nspname')
  if (found.length === 0) await knex.schema.createSchema(schema)
}

async function withMysqlLock(guard: Knex, work: () => Promise<void>): Promise<void> {
  const lock = "concat('plumbline.', left(sha2(database(), 256), 40))"
  const [rows]: { taken: string | number | null }[][] = await guard.raw(`select get_lock(${lock}, ?) as taken`, [
    LOCK_WAIT_SECONDS,
  ])
  if (Number(rows?.[0]?.taken) !== 1) throw new Error('another process is still migrating the store')
  try {
    await work()
  } finally {
    await guard.raw(`do release_lock(${lock})`)
  }
}

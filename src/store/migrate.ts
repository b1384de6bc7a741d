import type { Knex } from 'knex'
import { migrations } from './migrations/index.ts'

const TABLE = 'plumbline_migration'
const LOCK_WAIT_SECONDS = 60

/** Migrates a store that other processes may be opening too: one of them at a time. Creates the PostgreSQL schema if absent. */
export async function migrateServer(knex: Knex, schema: string | undefined): Promise<void> {
  await knex.transaction(async (guard) => {
    if (schema === undefined) {
      await withMysqlLock(guard, () => migrate(knex, undefined))
      return
    }
    await guard.raw(`set local lock_timeout = '${LOCK_WAIT_SECONDS}s'`)
    await guard.raw('select pg_advisory_xact_lock(hashtext(?))', [`plumbline migration of ${schema}`])
    await createSchema(knex, schema)
    await migrate(knex, schema)
  })
}

/** Migrates the embedded store, which nobody else can have open. */
export async function migrateEmbedded(knex: Knex, schema: string): Promise<void> {
  await createSchema(knex, schema)
  await migrate(knex, schema)
}

async function migrate(knex: Knex, schema: string | undefined): Promise<void> {
  // Who is here holds the server's own lock, so a mark in knex's lock table is left over from a process that died.
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
        // Stores go forward only: an older version refuses a newer store instead of undoing it.
        down: async () => {
          throw new Error(`migration ${name} cannot be undone`)
        },
      }
    },
  }
  return { migrationSource: source, tableName: TABLE, ...(schema === undefined ? {} : { schemaName: schema }) }
}

// `create schema if not exists` asks for the right to create one even when it is there.
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

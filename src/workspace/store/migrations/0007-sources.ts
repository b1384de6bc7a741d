import type { Knex } from 'knex'
import { createTable, documentType, instantType, keyType, textType } from './columns.ts'

const WORKSPACE = 64
const ID = 255
const UUID = 36
const NAME = 64
const DIGEST = 64

/** Expense sources: connections with their sealed secrets, runs, the queue of notifications, and pending consents. */
export async function createSources(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'source', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, ID)).notNullable()
    table.specificType('type', keyType(knex, NAME)).notNullable()
    table.specificType('name', textType(knex)).notNullable()
    table.specificType('config', documentType(knex)).notNullable()
    table.string('status', 16).notNullable()
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('last_synced_at', instantType(knex))
    table.specificType('read_to', textType(knex))
    table.specificType('secrets', documentType(knex))
    table.specificType('renewer', keyType(knex, UUID))
    table.specificType('renew_until', instantType(knex))
    table.primary(['workspace', 'id'])
  })
  await createTable(knex, schema, 'sync_run', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('source_id', keyType(knex, ID)).notNullable()
    table.string('kind', 16).notNullable()
    table.specificType('since', keyType(knex, 10))
    table.string('status', 16).notNullable()
    table.specificType('started_at', instantType(knex)).notNullable()
    table.specificType('finished_at', instantType(knex))
    table.specificType('counts', documentType(knex)).notNullable()
    table.specificType('error', documentType(knex))
    table.specificType('progress', documentType(knex))
    table.specificType('held_until', instantType(knex))
    table.specificType('claim', keyType(knex, UUID))
    table.primary(['workspace', 'id'])
    table.index(['workspace', 'source_id', 'started_at'], 'sync_run_by_source')
  })
  await createTable(knex, schema, 'inbox', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('source_id', keyType(knex, ID)).notNullable()
    table.specificType('entity', keyType(knex, NAME)).notNullable()
    table.specificType('entity_id', keyType(knex, ID)).notNullable()
    table.specificType('operation', keyType(knex, NAME)).notNullable()
    table.specificType('received_at', instantType(knex)).notNullable()
    table.integer('attempts').notNullable()
    table.specificType('next_attempt_at', instantType(knex))
    table.specificType('error', documentType(knex))
    table.specificType('claim', keyType(knex, UUID))
    table.primary(['workspace', 'id'])
    table.index(['workspace', 'next_attempt_at'], 'inbox_by_due')
    table.index(['workspace', 'source_id', 'entity_id'], 'inbox_by_entity')
  })
  await createTable(knex, schema, 'pending_consent', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('state', keyType(knex, DIGEST)).notNullable()
    table.specificType('browser', keyType(knex, DIGEST)).notNullable()
    table.specificType('type', keyType(knex, NAME)).notNullable()
    table.specificType('expires_at', instantType(knex)).notNullable()
    table.primary(['workspace', 'state'])
  })
}

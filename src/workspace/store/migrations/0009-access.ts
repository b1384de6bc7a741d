import type { Knex } from 'knex'
import { createTable, documentType, instantType, keyType } from './columns.ts'

const WORKSPACE = 64
const UUID = 36
const DIGEST = 64
const ACTOR = 255
const NAME = 200
const WORD = 64

/** API keys, stored only as digests, and the audit log. */
export async function createAccess(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'api_key', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('digest', keyType(knex, DIGEST)).notNullable()
    table.specificType('name', keyType(knex, NAME)).notNullable()
    table.specificType('key_prefix', keyType(knex, WORD)).notNullable()
    table.specificType('scopes', documentType(knex)).notNullable()
    table.specificType('created_by', keyType(knex, ACTOR)).notNullable()
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('last_used_at', instantType(knex))
    table.specificType('expires_at', instantType(knex))
    table.specificType('revoked_at', instantType(knex))
    table.primary(['workspace', 'id'])
    table.unique(['workspace', 'digest'], { indexName: 'api_key_digest' })
  })
  await createTable(knex, schema, 'audit_event', (table) => {
    table.bigIncrements('event_id')
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('at', instantType(knex)).notNullable()
    table.specificType('actor_id', keyType(knex, ACTOR)).notNullable()
    table.specificType('actor_kind', keyType(knex, WORD)).notNullable()
    table.specificType('actor_name', keyType(knex, NAME))
    table.specificType('action', keyType(knex, WORD)).notNullable()
    table.specificType('path', keyType(knex, ACTOR))
    table.specificType('target', keyType(knex, ACTOR))
    table.specificType('remote_address', keyType(knex, WORD))
    table.specificType('request_id', keyType(knex, WORD))
    table.specificType('outcome', keyType(knex, WORD)).notNullable()
    table.integer('status')
    table.integer('alike').notNullable()
    table.index(['workspace', 'at'], 'audit_event_by_time')
  })
}

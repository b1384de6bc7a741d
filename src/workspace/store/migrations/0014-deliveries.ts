import type { Knex } from 'knex'
import { createTable, documentType, instantType, keyType } from './columns.ts'

const WORKSPACE = 64
const UUID = 36
const SLOT = 32
const DIGEST = 64

/** Deliveries with their sealed addresses, their runs, and the rows that alerts have sent. A slot of a delivery has one run. */
export async function createDeliveries(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'delivery', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('content', documentType(knex)).notNullable()
    table.specificType('since', instantType(knex)).notNullable()
    table.specificType('state', documentType(knex)).notNullable()
    table.specificType('secrets', documentType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
    table.primary(['workspace', 'id'])
  })
  await createTable(knex, schema, 'delivery_run', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('delivery_id', keyType(knex, UUID)).notNullable()
    table.specificType('slot', keyType(knex, SLOT)).notNullable()
    table.specificType('due_at', instantType(knex)).notNullable()
    table.string('status', 16).notNullable()
    table.integer('attempts').notNullable()
    table.specificType('started_at', instantType(knex)).notNullable()
    table.specificType('finished_at', instantType(knex))
    table.specificType('next_attempt_at', instantType(knex))
    table.specificType('error', documentType(knex))
    table.specificType('accepted', documentType(knex)).notNullable()
    table.specificType('claim', keyType(knex, UUID))
    table.primary(['workspace', 'delivery_id', 'slot'])
    table.index(['workspace', 'next_attempt_at'], 'delivery_run_by_due')
  })
  await createTable(knex, schema, 'delivery_row', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('delivery_id', keyType(knex, UUID)).notNullable()
    table.specificType('row_key', keyType(knex, DIGEST)).notNullable()
    table.specificType('known_at', instantType(knex)).notNullable()
    table.primary(['workspace', 'delivery_id', 'row_key'])
  })
}

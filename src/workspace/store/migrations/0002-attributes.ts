import type { Knex } from 'knex'
import { booleanType, createTable, decimalType, instantType, keyType, textType } from './columns.ts'

const KEY = 128
const ID = 255

/** Attributes of customers: definitions, notes on attributes of the billing engine, and values with one column per type. */
export async function createAttributes(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'attribute_definition', (table) => {
    table.specificType('attribute_key', keyType(knex, KEY)).primary()
    table.string('type', 16).notNullable()
    table.string('source', 64).notNullable()
    table.specificType('label', textType(knex)).notNullable()
    table.specificType('description', textType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
  })
  await createTable(knex, schema, 'attribute_note', (table) => {
    table.specificType('attribute_key', keyType(knex, KEY)).primary()
    table.string('type', 16)
    table.specificType('label', textType(knex))
    table.specificType('description', textType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
  })
  await createTable(knex, schema, 'attribute_value', (table) => {
    table.specificType('attribute_key', keyType(knex, KEY)).notNullable()
    table.specificType('source_id', keyType(knex, ID)).notNullable()
    table.specificType('customer_id', keyType(knex, ID)).notNullable()
    table.specificType('value_string', textType(knex))
    table.specificType('value_number', decimalType(knex, 38, 12))
    table.specificType('value_boolean', booleanType(knex))
    table.specificType('value_timestamp', instantType(knex))
    table.string('origin', 16).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
    table.primary(['attribute_key', 'source_id', 'customer_id'])
    table.index(['customer_id', 'source_id', 'attribute_key'], 'attribute_value_by_customer')
  })
}

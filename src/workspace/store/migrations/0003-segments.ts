import type { Knex } from 'knex'
import { createTable, documentType, instantType, keyType, textType } from './columns.ts'

const ID = 36
const NAME = 200

/** Saved groups of customers. `definition` is the JSON that the client sent. */
export async function createSegments(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'segment', (table) => {
    table.specificType('id', keyType(knex, ID)).primary()
    table.specificType('name', keyType(knex, NAME)).notNullable().unique({ indexName: 'segment_name' })
    table.specificType('description', textType(knex))
    table.specificType('definition', documentType(knex)).notNullable()
    table.specificType('created_by', textType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
  })
}

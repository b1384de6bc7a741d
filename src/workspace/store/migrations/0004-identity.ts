import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { createTable, keyType } from './columns.ts'

/** Gives each store a name, so that a second connection can verify that it reads the same store. */
export async function createIdentity(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'store_identity', (table) => {
    table.integer('id').primary()
    table.specificType('identity', keyType(knex, 36)).notNullable()
  })
  const identity = schema === undefined ? knex('store_identity') : knex('store_identity').withSchema(schema)
  await identity.insert({ id: 1, identity: randomUUID() }).onConflict('id').ignore()
}

import type { Knex } from 'knex'
import { createTable, dayType, decimalType, keyType } from './columns.ts'

/** Exchange rates (D11), and the counter that every write to the side schema raises. */
export async function createFxRate(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'store_version', (table) => {
    table.integer('id').primary()
    table.bigInteger('version').notNullable()
  })
  const version = schema === undefined ? knex('store_version') : knex('store_version').withSchema(schema)
  await version.insert({ id: 1, version: 0 }).onConflict('id').ignore()

  await createTable(knex, schema, 'fx_rate', (table) => {
    table.specificType('from_currency', keyType(knex, 3)).notNullable()
    table.specificType('to_currency', keyType(knex, 3)).notNullable()
    table.specificType('rate_date', dayType(knex)).notNullable()
    table.specificType('rate', decimalType(knex, 30, 12)).notNullable()
    table.primary(['to_currency', 'from_currency', 'rate_date'])
  })
}

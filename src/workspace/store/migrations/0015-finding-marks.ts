import type { Knex } from 'knex'
import { createTable, instantType, keyType, textType } from './columns.ts'

/**
 * Marks of findings and notices of billing health. `subject` is a digest of what is marked, which has one mark. The amounts are those of the day
 * of the mark.
 */
export async function createFindingMarks(knex: Knex, schema: string | undefined): Promise<void> {
  const [workspace, subject, id, name] = [64, 64, 36, 255].map((length) => keyType(knex, length)) as [
    string,
    string,
    string,
    string,
  ]
  await createTable(knex, schema, 'finding_mark', (table) => {
    table.specificType('workspace', workspace).notNullable()
    table.specificType('subject', subject).notNullable()
    table.specificType('id', id).notNullable()
    table.specificType('source_id', name).notNullable()
    table.specificType('kind', subject).notNullable()
    table.specificType('customer_id', name).notNullable()
    table.specificType('subscription_id', name)
    table.specificType('invoice_id', name)
    table.string('state', 16).notNullable()
    table.specificType('note', textType(knex))
    table.specificType('author', textType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.string('base_currency', 16).notNullable()
    table.bigInteger('monthly_base_cents')
    table.bigInteger('amount_base_cents')
    table.primary(['workspace', 'subject'])
  })
}

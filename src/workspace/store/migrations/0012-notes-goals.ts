import type { Knex } from 'knex'
import { createTable, documentType, instantType, keyType, textType } from './columns.ts'

const WORKSPACE = 64
const UUID = 36
const DIGEST = 64
const DAY = 10
const NAME = 200
const WORD = 64
const NUMBER = 40

/** Notes on days, and goals for months and quarters. `goal_key` is a digest of the number and the period that a goal is for. */
export async function createNotesAndGoals(knex: Knex, schema: string | undefined): Promise<void> {
  await createTable(knex, schema, 'note', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('day', keyType(knex, DAY)).notNullable()
    table.specificType('text', documentType(knex)).notNullable()
    table.specificType('metric', keyType(knex, NAME))
    table.specificType('tenant', documentType(knex))
    table.specificType('created_by', textType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
    table.primary(['workspace', 'id'])
    table.index(['workspace', 'day'], 'note_by_day')
  })
  await createTable(knex, schema, 'goal', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('goal_key', keyType(knex, DIGEST)).notNullable()
    table.specificType('metric', keyType(knex, NAME)).notNullable()
    table.specificType('query_type', keyType(knex, NAME)).notNullable()
    table.specificType('measure', keyType(knex, NAME)).notNullable()
    table.specificType('filter', documentType(knex)).notNullable()
    table.specificType('period', keyType(knex, DAY)).notNullable()
    table.specificType('value', keyType(knex, NUMBER)).notNullable()
    table.specificType('currency', keyType(knex, WORD))
    table.specificType('created_by', textType(knex))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('updated_at', instantType(knex)).notNullable()
    table.primary(['workspace', 'id'])
    table.unique(['workspace', 'goal_key'], { indexName: 'goal_of_period' })
  })
}

import type { Knex } from 'knex'
import { booleanType, createTable, documentType, instantType, keyType } from './columns.ts'

const WORKSPACE = 64
const UUID = 36
const DIGEST = 64
const ACTOR = 255
const NAME = 200
const WORD = 64

/**
 * Dashboards become visible to their workspace: `visibility`, and `owner_name` to show whose they are. Links, stored only as digests. Each step can run
 * again, because MySQL commits every statement.
 */
export async function createLinks(knex: Knex, schema: string | undefined): Promise<void> {
  // A builder collects its steps, so each step has a new one.
  const at = () => (schema === undefined ? knex.schema : knex.schema.withSchema(schema))
  if (!(await at().hasColumn('dashboard', 'visibility'))) {
    await at().alterTable('dashboard', (dashboard) => {
      dashboard.specificType('visibility', keyType(knex, WORD)).notNullable().defaultTo('private')
    })
  }
  if (!(await at().hasColumn('dashboard', 'owner_name'))) {
    await at().alterTable('dashboard', (dashboard) => void dashboard.specificType('owner_name', keyType(knex, NAME)))
  }
  await createTable(knex, schema, 'link', (table) => {
    table.specificType('workspace', keyType(knex, WORKSPACE)).notNullable()
    table.specificType('id', keyType(knex, UUID)).notNullable()
    table.specificType('digest', keyType(knex, DIGEST)).notNullable()
    table.specificType('kind', keyType(knex, WORD)).notNullable()
    table.specificType('dashboard_id', keyType(knex, UUID))
    table.specificType('chart_id', keyType(knex, UUID))
    table.specificType('moment', keyType(knex, WORD)).notNullable()
    table.specificType('names', booleanType(knex)).notNullable()
    table.specificType('kept', documentType(knex))
    table.specificType('creator_id', keyType(knex, ACTOR)).notNullable()
    table.specificType('creator_kind', keyType(knex, WORD)).notNullable()
    table.specificType('creator_name', keyType(knex, NAME))
    table.specificType('created_at', instantType(knex)).notNullable()
    table.specificType('expires_at', instantType(knex)).notNullable()
    table.specificType('revoked_at', instantType(knex))
    table.specificType('opened_at', instantType(knex))
    table.primary(['workspace', 'id'])
    table.unique(['workspace', 'digest'], { indexName: 'link_digest' })
  })
}

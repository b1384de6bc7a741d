import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'

const unzip = promisify(gunzip)

/** The part of `schema.json` that table creation needs. */
const schemaFile = z.object({
  tables: z.record(
    z.string(),
    z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean() })),
      indexes: z.array(z.object({ name: z.string(), columns: z.array(z.string()), unique: z.boolean() })),
    }),
  ),
})

/** Tables that the queries of the demo read. */
export const READ = [
  'tenants',
  'tenant_kvs',
  'accounts',
  'bundles',
  'bundle_history',
  'subscriptions',
  'subscription_events',
  'subscription_event_history',
  'blocking_states',
  'catalog_override_plan_definition',
  'catalog_override_phase_definition',
  'catalog_override_plan_phase',
  'invoices',
  'invoice_history',
  'invoice_items',
  'invoice_payments',
  'invoice_parent_children',
  'custom_fields',
  'tags',
  'tag_definitions',
  'audit_log',
]

/** Tables that only tell the cache about changes. The data of the demo does not change, so they stay empty. */
export const EMPTY = [
  'account_history',
  'subscription_history',
  'blocking_state_history',
  'tag_history',
  'custom_field_history',
  'invoice_item_history',
  'invoice_payment_history',
  'tenant_broadcasts',
]

/** All tables of the demo's database. */
export const TABLES = [...READ, ...EMPTY]

/** Creates the billing tables in an embedded PostgreSQL and loads one tenant of the bundled data into them. */
export async function loadSampleTables(database: PGlite, folder: string, tenant: string): Promise<void> {
  const { tables } = schemaFile.parse(JSON.parse(await readFile(join(folder, 'schema.json'), 'utf8')))
  for (const table of TABLES) {
    const shape = tables[table]
    if (shape === undefined) throw new Error(`schema.json has no table ${table}`)
    const columns = shape.columns.map(
      (column) => `${column.name} ${postgresType(column.type)}${column.nullable ? '' : ' not null'}`,
    )
    await database.exec(`create table ${table} (${columns.join(', ')})`)
    if (READ.includes(table)) {
      await loadRows(database, folder, table)
      if (shape.columns.some((column) => column.name === 'tenant_record_id'))
        await database.query(
          `delete from ${table} where tenant_record_id <> (select record_id from tenants where external_key = $1)`,
          [tenant],
        )
    }
    for (const index of shape.indexes)
      await database.exec(`create ${index.unique ? 'unique ' : ''}index on ${table} (${index.columns.join(', ')})`)
  }
  await database.query('delete from tenants where external_key <> $1', [tenant])
  await database.exec('analyze')
}

async function loadRows(database: PGlite, folder: string, table: string): Promise<void> {
  const csv = await unzip(await readFile(join(folder, 'csv', `${table}.csv.gz`)))
  await database.query(`copy ${table} from '/dev/blob' with (format csv, header)`, [], { blob: new Blob([csv]) })
}

function postgresType(neutral: string): string {
  if (neutral === 'datetime') return 'timestamp'
  return neutral === 'blob' ? 'bytea' : neutral
}

import type { Knex } from 'knex'
import { engineOf } from '../database.ts'
import { keyType } from './columns.ts'

const NAME = 64
/** Tables whose rows belong to a workspace, with the rest of their primary keys. */
const OWNED = {
  attribute_definition: ['attribute_key'],
  attribute_note: ['attribute_key'],
  attribute_value: ['attribute_key', 'source_id', 'customer_id'],
  segment: ['id'],
} as const

/**
 * Assigns attributes and segments to workspaces. Existing rows have an empty workspace name until a service adopts them
 * (workspaces.ts). The column has no default. A process of an earlier version therefore fails instead of writing rows without an
 * owner.
 */
export async function addWorkspaces(knex: Knex, schema: string | undefined): Promise<void> {
  for (const [name, key] of Object.entries(OWNED)) {
    switch (engineOf(knex)) {
      case 'postgres':
        await changePostgres(knex, schema ?? '', name, key)
        break
      case 'mysql':
        await changeMysql(knex, name, key)
        break
      case 'sqlite':
        await rebuildSqlite(knex, name)
    }
  }
}

async function changePostgres(knex: Knex, schema: string, name: string, key: readonly string[]): Promise<void> {
  await knex.raw(
    `alter table ??.?? add column workspace ${keyType(knex, NAME)} not null default '',
       drop constraint ??, add constraint ?? primary key (workspace, ${key.join(', ')})`,
    [schema, name, `${name}_pkey`, `${name}_pkey`],
  )
  await knex.raw('alter table ??.?? alter column workspace drop default', [schema, name])
  if (name !== 'segment') return
  await knex.raw('alter table ??.?? drop constraint segment_name, add constraint segment_name unique (workspace, name)', [
    schema,
    name,
  ])
}

// Each table is changed in one statement. MySQL commits every statement, so an earlier run of this migration may have broken off
// between two statements.
async function changeMysql(knex: Knex, name: string, key: readonly string[]): Promise<void> {
  if (!(await knex.schema.hasColumn(name, 'workspace'))) await addMysqlColumn(knex, name, key)
  await knex.raw('alter table ?? alter column workspace drop default', [name])
}

async function addMysqlColumn(knex: Knex, name: string, key: readonly string[]): Promise<void> {
  const names = name === 'segment' ? ', drop index segment_name, add unique index segment_name (workspace, name)' : ''
  await knex.raw(
    `alter table ?? add column workspace ${keyType(knex, NAME)} not null default '',
       drop primary key, add primary key (workspace, ${key.join(', ')})${names}`,
    [name],
  )
}

// SQLite cannot change a primary key, so the table is recreated from its own definition.
async function rebuildSqlite(knex: Knex, name: string): Promise<void> {
  const made: { type: string; sql: string }[] = await knex('sqlite_master')
    .where({ tbl_name: name })
    .whereNotNull('sql')
    .select('type', 'sql')
  const columns: { name: string }[] = await knex.raw('select name from pragma_table_info(?)', [name])
  await knex.schema.renameTable(name, `${name}_before`)
  for (const { type, sql } of made.sort((a, b) => (a.type > b.type ? -1 : 1))) {
    if (type === 'index') await knex.raw('drop index if exists ??', [nameOfIndex(sql)])
    await knex.raw(
      sql
        .replace('(', type === 'table' ? '(`workspace` text not null, ' : '(')
        .replace('primary key (', 'primary key (`workspace`, ')
        .replace('on `segment` (', 'on `segment` (`workspace`, '),
    )
  }
  const list = columns.map((column) => `\`${column.name}\``).join(', ')
  await knex.raw(`insert into ?? (workspace, ${list}) select '', ${list} from ??`, [name, `${name}_before`])
  await knex.schema.dropTable(`${name}_before`)
}

function nameOfIndex(sql: string): string {
  return /index `(\w+)`/i.exec(sql)?.[1] ?? ''
}

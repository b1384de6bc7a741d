import type { Knex } from 'knex'
import { engineOf } from '../database.ts'

/** Text that is compared by code point. Keys are then case-sensitive and have the same order in every database. */
export function keyType(knex: Knex, length: number): string {
  switch (engineOf(knex)) {
    case 'postgres':
      return `varchar(${length}) collate pg_catalog."C"`
    case 'mysql':
      return `varchar(${length}) character set utf8mb4 collate utf8mb4_bin`
    case 'sqlite':
      return 'text'
  }
}

/** Text of up to 64 KB, also compared by code point. */
export function textType(knex: Knex): string {
  switch (engineOf(knex)) {
    case 'postgres':
      return 'text collate pg_catalog."C"'
    case 'mysql':
      return 'text character set utf8mb4 collate utf8mb4_bin'
    case 'sqlite':
      return 'text'
  }
}

/** Text of any length. */
export function documentType(knex: Knex): string {
  return engineOf(knex) === 'mysql' ? 'longtext character set utf8mb4 collate utf8mb4_bin' : 'text'
}

/** An instant in UTC with milliseconds. */
export function instantType(knex: Knex): string {
  switch (engineOf(knex)) {
    case 'postgres':
      return 'timestamp(3)'
    case 'mysql':
      return 'datetime(3)'
    case 'sqlite':
      return 'text'
  }
}

/** A calendar day. */
export function dayType(knex: Knex): string {
  return engineOf(knex) === 'sqlite' ? 'text' : 'date'
}

/**
 * An exact decimal. SQLite has no such type, so it stores the text that `withoutPadding` returns, which is the same for equal
 * numbers.
 */
export function decimalType(knex: Knex, precision: number, scale: number): string {
  return engineOf(knex) === 'sqlite' ? 'text' : `decimal(${precision}, ${scale})`
}

/** A boolean. SQLite and MySQL store 1 or 0. */
export function booleanType(knex: Knex): string {
  return engineOf(knex) === 'sqlite' ? 'integer' : 'boolean'
}

/** Creates a table. On MySQL it uses utf8mb4 with binary comparison, independent of the database's defaults. */
export async function createTable(
  knex: Knex,
  schema: string | undefined,
  name: string,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  // MySQL commits every statement, so if the table exists, an earlier run of this migration broke off after creating it.
  if (isMysql(knex) && (await knex.schema.hasTable(name))) return
  const builder = schema === undefined ? knex.schema : knex.schema.withSchema(schema)
  await builder.createTable(name, (table) => {
    if (isMysql(knex)) {
      table.engine('InnoDB')
      table.charset('utf8mb4')
      table.collate('utf8mb4_bin')
    }
    define(table)
  })
}

function isMysql(knex: Knex): boolean {
  return engineOf(knex) === 'mysql'
}

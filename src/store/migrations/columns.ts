import type { Knex } from 'knex'

/** Text compared by code point, so that keys are case-sensitive and sort alike in every database. */
export function keyType(knex: Knex, length: number): string {
  return isMysql(knex)
    ? `varchar(${length}) character set utf8mb4 collate utf8mb4_bin`
    : `varchar(${length}) collate pg_catalog."C"`
}

/** Text of up to 64 KB compared the same way. */
export function textType(knex: Knex): string {
  return isMysql(knex) ? 'text character set utf8mb4 collate utf8mb4_bin' : 'text collate pg_catalog."C"'
}

/** Text of any length. */
export function documentType(knex: Knex): string {
  return isMysql(knex) ? 'longtext character set utf8mb4 collate utf8mb4_bin' : 'text'
}

/** An instant in UTC with milliseconds. */
export function instantType(knex: Knex): string {
  return isMysql(knex) ? 'datetime(3)' : 'timestamp(3)'
}

/** Creates a table, on MySQL as utf8mb4 with binary comparison whatever the database's defaults are. */
export async function createTable(
  knex: Knex,
  schema: string | undefined,
  name: string,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  // MySQL commits each statement: a table that is there comes from a run of this change that broke off.
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
  return knex.client.driverName === 'mysql2'
}

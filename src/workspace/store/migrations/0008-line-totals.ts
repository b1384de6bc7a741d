import type { Knex } from 'knex'
import { engineOf } from '../database.ts'
import { createTable, dayType, keyType } from './columns.ts'

const ID = 128
const CODE = 3
const DIGITS = 38

/**
 * Totals of the counted lines by day, account and currency. With them, figures over years read some thousand rows instead of
 * millions. A change of lines changes the totals in the same transaction (expenses/lines.ts). Empty text means null, because a
 * key cannot contain null.
 */
export async function createLineTotals(knex: Knex, schema: string | undefined): Promise<void> {
  const isSqlite = engineOf(knex) === 'sqlite'
  // SQLite has integers of at most 64 bits. Without a check it would continue with doubles.
  const sum = isSqlite ? 'integer' : `decimal(${DIGITS}, 0)`
  await createTable(knex, schema, 'line_total', (table) => {
    table.integer('book_id').notNullable()
    table.specificType('document_date', dayType(knex)).notNullable()
    table.specificType('account_external_id', keyType(knex, ID)).notNullable()
    table.specificType('currency', keyType(knex, CODE)).notNullable()
    table.specificType('home_currency', keyType(knex, CODE)).notNullable()
    for (const column of ['amount_sum', 'home_sum']) {
      table.specificType(column, sum).notNullable()
      if (isSqlite) table.check(`typeof(${column}) = 'integer'`)
    }
    for (const column of ['line_count', 'nonzero_count', 'unhomed_count']) table.bigInteger(column).notNullable()
    table.primary(['book_id', 'document_date', 'account_external_id', 'currency', 'home_currency'])
  })
  const name = (table: string) => (schema === undefined ? knex.ref(table) : knex.ref(table).withSchema(schema))
  // MySQL commits every statement, so an earlier run that broke off may have left some rows.
  await knex.raw('delete from ??', [name('line_total')])
  await knex.raw(
    `insert into ?? select book_id, document_date, coalesce(account_external_id, ''), currency, coalesce(home_currency, ''),
       sum(amount_cents), sum(coalesce(home_amount_cents, 0)), count(*), sum(case when amount_cents <> 0 then 1 else 0 end),
       sum(case when amount_cents <> 0 and home_amount_cents is null then 1 else 0 end)
     from ?? where is_counted = true
     group by book_id, document_date, coalesce(account_external_id, ''), currency, coalesce(home_currency, '')`,
    [name('line_total'), name('document_line')],
  )
}

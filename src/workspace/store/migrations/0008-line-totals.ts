import type { Knex } from 'knex'
import { engineOf } from '../database.ts'
import { createTable, dayType, keyType } from './columns.ts'

const ID = 128
const CODE = 3
const DIGITS = 38

/**
 * What the counted lines of a day, account and currency add up to, so that figures over years read some thousand rows and not millions. Whoever
 * changes lines changes it in the same transaction (line-totals.ts). Empty text stands for null, which no key takes.
 */
export async function createLineTotals(knex: Knex, schema: string | undefined): Promise<void> {
  const isSqlite = engineOf(knex) === 'sqlite'
  // SQLite has no larger numbers than those of 64 bits; it would go on with doubles unless it is told not to.
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
  // MySQL commits every statement, so a run that broke off may have left some.
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

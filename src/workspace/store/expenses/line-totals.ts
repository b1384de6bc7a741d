import type { Knex } from 'knex'
import { engineOf } from '../engine-of.ts'
import { type BookPlace, inBook } from './place.ts'

const TOTAL_IDENTITY = ['book_id', 'document_date', 'account_external_id', 'currency', 'home_currency']
/** What is added up of each line. */
const MEASURES = {
  amount_sum: 'amount_cents',
  home_sum: 'coalesce(home_amount_cents, 0)',
  line_count: '1',
  nonzero_count: 'case when amount_cents <> 0 then 1 else 0 end',
  unhomed_count: 'case when amount_cents <> 0 and home_amount_cents is null then 1 else 0 end',
} as const

/** Narrows the lines of a book to those that change. */
export type Changing = (lines: Knex.QueryBuilder) => Knex.QueryBuilder

/** Changes lines of a book that are there, and their totals with them. */
export async function changeLines(
  place: BookPlace,
  changing: Changing,
  change: (lines: Knex.QueryBuilder) => PromiseLike<unknown>,
) {
  await addToTotals(place, changing, -1)
  await change(changing(inBook(place, 'document_line')))
  await addToTotals(place, changing, 1)
}

/** Adds lines that were written just now to their totals. */
export async function countLines(place: BookPlace, written: Changing): Promise<void> {
  await addToTotals(place, written, 1)
}

async function addToTotals(place: BookPlace, changing: Changing, sign: 1 | -1): Promise<void> {
  const { database, transaction } = place
  const keys = TOTAL_IDENTITY.map((column) =>
    column.startsWith('account') || column.startsWith('home') ? `coalesce(${column}, '') as ${column}` : column,
  )
  const sums = Object.entries(MEASURES).map(([name, measure]) => `${sign === 1 ? '' : '-'}sum(${measure}) as ${name}`)
  const added = changing(inBook(place, 'document_line'))
    // Written so that no index serves it: SQLite would rather read all lines that count than those of some documents.
    .whereRaw('case when is_counted then 1 else 0 end = 1')
    .select(transaction.raw([...keys, ...sums].join(', ')))
    .groupBy(TOTAL_IDENTITY)
  const names = Object.keys(MEASURES)
  const merged =
    engineOf(transaction) === 'mysql'
      ? `on duplicate key update ${names.map((name) => `${name} = line_total.${name} + values(${name})`).join(', ')}`
      : `on conflict (${TOTAL_IDENTITY.join(', ')}) do update set ${names.map((name) => `${name} = line_total.${name} + excluded.${name}`).join(', ')}`
  const { schema } = database
  const target = schema === undefined ? transaction.ref('line_total') : transaction.ref('line_total').withSchema(schema)
  const { sql, bindings } = added.toSQL()
  const columns = [...TOTAL_IDENTITY, ...names].join(', ')
  await transaction.raw(`insert into ?? (${columns}) ${sql} ${merged}`, [target, ...bindings])
}

import type { Knex } from 'knex'
import { integerCell } from '../../../ports/cells.ts'
import type { ExpenseListQuery } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Database, engineOf, type StoreEngine, table } from '../database.ts'

/** A list request and its ledgers: source ids by `book_id`. */
export interface Listing {
  readonly database: Database
  readonly ledgers: ReadonlyMap<number, string>
  readonly query: ExpenseListQuery
}

/** Rows of a table in these ledgers. */
export function inLedgers({ database, ledgers }: Listing, name: string): Knex.QueryBuilder {
  return table(database, name).whereIn(`${name}.book_id`, [...ledgers.keys()])
}

/** One page of `rows` in the given order, and the number of all rows. */
export async function pageOf(rows: Knex.QueryBuilder, columns: readonly string[], { query }: Listing, order: readonly Order[]) {
  const [counted]: Row[] = await rows.clone().count({ total_count: '*' })
  const { limit, offset } = query
  const found: Row[] = await rows
    .clone()
    .select(columns)
    .orderBy([...order])
    .limit(limit)
    .offset(offset)
  return { total: counted === undefined ? 0 : integerCell(counted, 'total_count'), found }
}

interface Order {
  readonly column: string
  readonly order: 'asc' | 'desc'
}

/** Keeps rows whose column has one of these texts. */
export function holdsAny(rows: Knex.QueryBuilder, column: string, texts: readonly (string | null)[]): void {
  const known = texts.filter((text) => text !== null)
  rows.where((either) => {
    either.whereIn(column, known)
    if (known.length < texts.length) either.orWhereNull(column)
  })
}

/** Keeps rows with the text in one of the columns, case-insensitively. */
export function search(rows: Knex.QueryBuilder, columns: readonly string[], text: string | undefined): void {
  if (text === undefined) return
  const [condition, pattern] = partLike(engineOf(rows), text)
  rows.where((either) => {
    for (const column of columns) either.orWhereRaw(condition, [column, pattern])
  })
}

function partLike(engine: StoreEngine, text: string): readonly [condition: string, pattern: string] {
  // SQLite ignores case only for English letters, so the pattern contains both cases of each letter.
  if (engine === 'sqlite') return ['?? glob ?', `*${[...text].map(eitherCase).join('')}*`]
  // The columns compare by code point. With that collation PostgreSQL lowers only English letters.
  const folded = engine === 'postgres' ? 'lower(?? collate pg_catalog."default")' : 'lower(??)'
  return [`${folded} like lower(?) escape '!'`, `%${text.replace(/[!%_]/g, '!$&')}%`]
}

/**
 * A pattern for both cases of a character. A character matches only itself if it has no cases or if its capital is longer than
 * one character.
 */
function eitherCase(character: string): string {
  const folded = [character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1)
  const cases = new Set([character, ...folded])
  return cases.size > 1 || '*?['.includes(character) ? `[${[...cases].join('')}]` : character
}

/** Keeps rows from `start` to `end`, both inclusive. */
export function withinDays(rows: Knex.QueryBuilder, column: string, { start, end }: ExpenseListQuery): void {
  if (start !== undefined) rows.where(column, '>=', start)
  if (end !== undefined) rows.where(column, '<=', end)
}

/** Vendors or accounts that the rows name, by ledger and id. */
export async function namesOf(context: Listing, name: 'vendor' | 'account', found: readonly Row[], columns: readonly string[]) {
  const ids = [...new Set(found.flatMap((row) => row[`${name}_external_id`] ?? []))]
  const rows: Row[] =
    ids.length === 0
      ? []
      : await inLedgers(context, name)
          .whereIn('external_id', ids.map(String))
          .select('book_id', 'external_id', ...columns)
  const byKey = new Map(rows.map((row) => [keyOf(row, 'external_id'), row]))
  return (row: Row): Row | undefined => byKey.get(keyOf(row, `${name}_external_id`))
}

function keyOf(row: Row, column: string): string {
  return `${integerCell(row, 'book_id')} ${row[column]}`
}

/** The id of the source that a row belongs to. */
export function sourceIdOf({ ledgers }: Listing, row: Row): string {
  return ledgers.get(integerCell(row, 'book_id')) ?? ''
}

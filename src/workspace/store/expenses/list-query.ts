import type { Knex } from 'knex'
import { integerCell } from '../../../ports/cells.ts'
import type { ExpenseListQuery } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Database, engineOf, type StoreEngine, table } from '../database.ts'

/** What a list is read with: the ledgers it is about, by their numbers, with the ids of their sources. */
export interface Listing {
  readonly database: Database
  readonly ledgers: ReadonlyMap<number, string>
  readonly query: ExpenseListQuery
}

/** Rows of a table in these ledgers. */
export function inLedgers({ database, ledgers }: Listing, name: string): Knex.QueryBuilder {
  return table(database, name).whereIn(`${name}.book_id`, [...ledgers.keys()])
}

/** The page of `rows` in an order, and how many there are. */
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

/** The rows whose column holds one of these texts. */
export function holdsAny(rows: Knex.QueryBuilder, column: string, texts: readonly (string | null)[]): void {
  const known = texts.filter((text) => text !== null)
  rows.where((either) => {
    either.whereIn(column, known)
    if (known.length < texts.length) either.orWhereNull(column)
  })
}

/** The rows of which one of the columns has a part like this, in any case. */
export function search(rows: Knex.QueryBuilder, columns: readonly string[], text: string | undefined): void {
  if (text === undefined) return
  const [condition, pattern] = partLike(engineOf(rows), text)
  rows.where((either) => {
    for (const column of columns) either.orWhereRaw(condition, [column, pattern])
  })
}

function partLike(engine: StoreEngine, text: string): readonly [condition: string, pattern: string] {
  // SQLite folds English letters only, so its pattern names both cases of each letter.
  if (engine === 'sqlite') return ['?? glob ?', `*${[...text].map(eitherCase).join('')}*`]
  // The columns compare by code point, by which PostgreSQL knows capitals of English letters only.
  const folded = engine === 'postgres' ? 'lower(?? collate pg_catalog."default")' : 'lower(??)'
  return [`${folded} like lower(?) escape '!'`, `%${text.replace(/[!%_]/g, '!$&')}%`]
}

/** A class of the character's cases; one without cases, or whose capital is longer than itself, stands alone. */
function eitherCase(character: string): string {
  const folded = [character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1)
  const cases = new Set([character, ...folded])
  return cases.size > 1 || '*?['.includes(character) ? `[${[...cases].join('')}]` : character
}

/** The days that `start` and `end` leave. */
export function withinDays(rows: Knex.QueryBuilder, column: string, { start, end }: ExpenseListQuery): void {
  if (start !== undefined) rows.where(column, '>=', start)
  if (end !== undefined) rows.where(column, '<=', end)
}

/** Named records of the ledgers, by book and id. */
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

/** The id of the source whose book a row is in. */
export function sourceIdOf({ ledgers }: Listing, row: Row): string {
  return ledgers.get(integerCell(row, 'book_id')) ?? ''
}

import { AppError, InternalError } from '../../core/errors.ts'
import { type DriverValue, driverValue } from '../bound-value.ts'
import { type BoundValue, type Fragment, fragment, ident, join, sql, value } from '../fragment.ts'
import type { InlineColumn, InlineRelation } from '../inline.ts'

/** Up to this number, rows are written one by one. More rows are sent as one JSON value. */
export const TYPED_ROW_LIMIT = 20
/** Most rows of an inline relation. PostgreSQL takes five seconds for a million rows on a busy machine. */
const INLINE_ROW_LIMIT = 1_000_000

/** Refuses too many rows, and rows without exactly one cell per column. */
export function checkRows(relation: InlineRelation): void {
  const { name, columns, rows } = relation
  if (rows.length > INLINE_ROW_LIMIT) throw tooLarge(relation, `has ${rows.length} rows`, INLINE_ROW_LIMIT)
  const odd = rows.findIndex((row) => row.length !== columns.length)
  if (odd >= 0)
    throw new InternalError(`relation.${name}: row ${odd} has ${rows[odd]?.length} cells for ${columns.length} columns`)
  if (columns.length === 0) throw new InternalError(`relation.${name} has no columns`)
}

/** Rows as `select … union all select …`, in parentheses. `cell` makes a typed value. */
export function unionOfRows(
  { columns, rows }: InlineRelation,
  cell: (bound: BoundValue, column: InlineColumn) => Fragment,
): Fragment {
  const selects = rows.map((row) => {
    const cells = columns.map((column, index) => sql`${cell(row[index] ?? null, column)} as ${ident(column.name)}`)
    return sql`select ${join(cells, sql`, `)}`
  })
  return sql`(${join(selects, sql` union all `)})`
}

/** Writer of rows for dialects with typed placeholders: an empty relation, few rows one by one, or many by `jsonRows`. */
export function inlinedWith(jsonRows: (relation: InlineRelation) => Fragment): (relation: InlineRelation) => Fragment {
  return (relation) => {
    checkRows(relation)
    if (relation.rows.length === 0) return noRows(relation, (column) => value(null, column.type), sql``)
    if (relation.rows.length <= TYPED_ROW_LIMIT) return unionOfRows(relation, (cell, column) => value(cell, column.type))
    return jsonRows(relation)
  }
}

/** A relation without rows, but with column names and types. `nothing` is a typed null; `from` is the text that the dialect needs before WHERE. */
export function noRows({ columns }: InlineRelation, nothing: (column: InlineColumn) => Fragment, from: Fragment): Fragment {
  const cells = columns.map((column) => sql`${nothing(column)} as ${ident(column.name)}`)
  return sql`(select ${join(cells, sql`, `)}${from} where 1 = 0)`
}

/** Cells of the rows as driver values, with decimals as text. */
export function plainRows({ columns, rows }: InlineRelation, hasBooleans: boolean): DriverValue[][] {
  return rows.map((row) => columns.map((column, index) => driverValue(row[index] ?? null, column.type, hasBooleans)))
}

/** The rows as one bound JSON text of at most `byteLimit` bytes. */
export function jsonValue(relation: InlineRelation, rows: readonly unknown[], byteLimit: number): Fragment {
  const json = JSON.stringify(rows)
  const bytes = Buffer.byteLength(json)
  if (bytes > byteLimit) throw tooLarge(relation, `takes ${bytes} bytes`, byteLimit)
  return value(json, 'json')
}

function tooLarge({ name, about }: InlineRelation, what: string, limit: number): AppError {
  const { subject, remedy } = about ?? { subject: `relation.${name}`, remedy: '' }
  const detail = `${subject} ${what}; at most ${limit} can be sent with a statement. ${remedy}`.trimEnd()
  return new AppError('result_too_large', detail, { context: { limit } })
}

/** SQL text from constants and numbers of a dialect. */
export function trusted(text: string): Fragment {
  return fragment([{ kind: 'text', text }])
}

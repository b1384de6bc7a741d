import { AppError, InternalError } from '../../core/errors.ts'
import { type DriverValue, driverValue } from '../bound-value.ts'
import { type BoundValue, type Fragment, fragment, ident, join, sql, value } from '../fragment.ts'
import type { InlineColumn, InlineRelation } from '../inline.ts'

/** Up to here rows are written out one by one; above they travel as one JSON value. */
export const TYPED_ROW_LIMIT = 20
export const INLINE_ROW_LIMIT = 200_000
/** A statement above 16 MB ends the connection on a MariaDB server with usual settings. */
export const INLINE_BYTE_LIMIT = 15_000_000

/** Refuses rows that are too many or do not have one cell per column. */
export function checkRows({ name, columns, rows }: InlineRelation): void {
  if (rows.length > INLINE_ROW_LIMIT) {
    throw tooLarge(
      `relation.${name} has ${rows.length} rows; at most ${INLINE_ROW_LIMIT} can travel with a statement.`,
      INLINE_ROW_LIMIT,
    )
  }
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

/** No rows at all, but columns with names and types. `nothing` makes a typed null; `from` is what the dialect wants before WHERE. */
export function noRows({ columns }: InlineRelation, nothing: (column: InlineColumn) => Fragment, from: Fragment): Fragment {
  const cells = columns.map((column) => sql`${nothing(column)} as ${ident(column.name)}`)
  return sql`(select ${join(cells, sql`, `)}${from} where 1 = 0)`
}

/** The rows' cells as drivers would get them, decimals therefore as text. */
export function plainRows({ columns, rows }: InlineRelation, hasBooleans: boolean): DriverValue[][] {
  return rows.map((row) => columns.map((column, index) => driverValue(row[index] ?? null, column.type, hasBooleans)))
}

/** The rows as one bound JSON text. */
export function jsonValue({ name }: InlineRelation, rows: readonly unknown[]): Fragment {
  const json = JSON.stringify(rows)
  const bytes = Buffer.byteLength(json)
  if (bytes > INLINE_BYTE_LIMIT) {
    throw tooLarge(
      `relation.${name} takes ${bytes} bytes; at most ${INLINE_BYTE_LIMIT} can travel with a statement.`,
      INLINE_BYTE_LIMIT,
    )
  }
  return value(json, 'json')
}

function tooLarge(detail: string, limit: number): AppError {
  return new AppError('result_too_large', detail, { context: { limit } })
}

/** SQL text that a dialect puts together from its own constants and numbers. */
export function trusted(text: string): Fragment {
  return fragment([{ kind: 'text', text }])
}

import { InternalError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import { isoInstant } from '../core/periods.ts'
import type { Cell, Row } from './rows.ts'

/** Text of a row, or null. A whole number becomes its digits. InternalError if the row has no such column, or a cell of another type. */
export function textCell(row: Row, column: string): string | null {
  const cell = cellOf(row, column)
  return cell === null ? null : text(cell)
}

/** Text of a row that is never null. */
export function textOf(row: Row, column: string): string {
  return text(cellOf(row, column))
}

/** A sum or count of a row. A sum over nothing is 0. */
export function integerCell(row: Row, column: string): number {
  return integerOrNull(row, column) ?? 0
}

/** A whole number of a row, or null if it is not known. */
export function integerOrNull(row: Row, column: string): number | null {
  const cell = cellOf(row, column)
  return cell === null ? null : parseInteger(cell, column, row)
}

/** A calendar day of a row that is never null. */
export function dayCell(row: Row, column: string): string {
  const day = dayOrNull(row, column)
  if (day === null) throw new InternalError(`the result has a null day in "${column}"`)
  return day
}

/** A calendar day of a row. An instant becomes its UTC day. */
export function dayOrNull(row: Row, column: string): string | null {
  return textCell(row, column)?.slice(0, 10) ?? null
}

/** An instant of a row as answers write it, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function instantCell(row: Row, column: string): string | null {
  const cell = textCell(row, column)
  return cell === null ? null : isoInstant(cell)
}

/** A cell of a row. InternalError if the row has no such column. */
export function cellOf(row: Row, column: string): Cell {
  const cell = row[column]
  if (cell === undefined) throw new InternalError(`the result has no column "${column}"`)
  return cell
}

/** A cell that must be text. A number becomes its digits. */
export function text(cell: Cell | undefined): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return String(cell)
  throw new InternalError(`expected text, found ${cell === undefined ? 'no such column' : typeof cell}`)
}

/** A boolean of any database. MySQL returns it as an integer: a number for small types, text for large ones. */
export function isTrue(cell: unknown): boolean {
  return cell === true || cell === 1 || cell === '1'
}

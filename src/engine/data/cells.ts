import { parseInteger } from '../../core/money.ts'
import { type ResultRow, textCell } from '../../query/cells.ts'

/** An instant as answers write it, `YYYY-MM-DDTHH:MM:SS.000Z`. */
export function instantCell(row: ResultRow, column: string): string | null {
  const text = textCell(row, column)
  return text === null ? null : `${text.slice(0, 19).replace(' ', 'T')}.000Z`
}

/** A calendar day, of an instant its UTC day. */
export function dayOrNull(row: ResultRow, column: string): string | null {
  return textCell(row, column)?.slice(0, 10) ?? null
}

/** A whole number, or null where it is not known. */
export function numberOrNull(row: ResultRow, column: string): number | null {
  const raw = row[column]
  return raw === null || raw === undefined ? null : parseInteger(raw)
}

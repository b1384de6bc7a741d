import { isTrue } from '../core/boolean.ts'
import { InternalError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import type { Field } from './field.ts'

/** A row as an executor returns it: exact, not yet in the types of the answer. */
export type ResultRow = Readonly<Record<string, string | number | boolean | null>>

/** A dimension's value in an answer. */
export type DimensionValue = string | number | boolean | null

/** The value of a dimension in a result row, in the type of the answer. */
export function dimensionValue(row: ResultRow, field: Field): DimensionValue {
  const raw = row[field.key]
  if (raw === undefined) throw new InternalError(`the result has no column "${field.key}"`)
  if (raw === null) return null
  switch (field.type) {
    case 'number':
      return parseInteger(raw)
    case 'boolean':
      return isTrue(raw) || raw === 't'
    case 'date':
      return String(raw).slice(0, 10)
    default:
      return String(raw)
  }
}

/** A sum or count of a result row; a sum over nothing is 0. */
export function integerCell(row: ResultRow, column: string): number {
  const raw = row[column]
  if (raw === undefined) throw new InternalError(`the result has no column "${column}"`)
  return raw === null ? 0 : parseInteger(raw)
}

/** Text or day of a result row. */
export function textCell(row: ResultRow, column: string): string | null {
  const raw = row[column]
  if (raw === undefined) throw new InternalError(`the result has no column "${column}"`)
  return raw === null ? null : String(raw)
}

/** A calendar day of a result row that is never null. */
export function dayCell(row: ResultRow, column: string): string {
  const raw = textCell(row, column)
  if (raw === null) throw new InternalError(`the result has a null day in "${column}"`)
  return raw.slice(0, 10)
}

import { isoInstant } from '../core/periods.ts'
import { cellOf, isTrue } from '../ports/cells.ts'
import type { Cell, Row } from '../ports/rows.ts'
import type { Field } from './field.ts'

/** A dimension's value in an answer. */
export type DimensionValue = Cell

/** The value of a dimension in a result row, converted to the type of the answer. */
export function dimensionValue(row: Row, field: Field): DimensionValue {
  const raw = cellOf(row, field.column)
  if (raw === null) return null
  switch (field.type) {
    case 'number':
      return Number(raw)
    case 'boolean':
      return isTrue(raw) || raw === 't'
    case 'date':
      return String(raw).slice(0, 10)
    case 'timestamp':
      return isoInstant(String(raw))
    default:
      return String(raw)
  }
}

import { DuckDBDateValue, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api'
import type { ColumnType } from '../compiler/inline.ts'
import { InternalError } from '../core/errors.ts'
import type { Cell } from '../engine/ports.ts'

const MICROSECONDS = 1_000n
const DAY_MS = 86_400_000

/** A value of a result as an exact cell: whatever may exceed a double, and every instant and day, is text. */
export function readCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return String(value)
}

/** A cell as what the appender takes for a column of that type. */
export function appendedValue(cell: Cell, type: ColumnType): DuckDBValue {
  if (cell === null) return null
  switch (type) {
    case 'integer':
      return BigInt(cell)
    case 'boolean':
      return cell === true || cell === 1 || cell === '1'
    case 'timestamp':
      return new DuckDBTimestampValue(BigInt(millisecondsOf(`${String(cell).replace(' ', 'T')}Z`)) * MICROSECONDS)
    case 'date':
      return new DuckDBDateValue(millisecondsOf(String(cell)) / DAY_MS)
    case 'text':
      return String(cell)
    case 'decimal':
      throw new InternalError('the cache holds no decimals')
    default:
      return type satisfies never
  }
}

function millisecondsOf(text: string): number {
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) throw new InternalError(`not an instant: ${text}`)
  return milliseconds
}

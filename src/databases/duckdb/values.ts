import { type DuckDBAppender, DuckDBDateValue, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api'
import type { ColumnType } from '../../compiler/inline.ts'
import { InternalError } from '../../core/errors.ts'
import { isTrue } from '../../ports/cells.ts'
import type { Cell } from '../../ports/rows.ts'

const DAY_MS = 86_400_000

/** A result's value as an exact cell. Instants, days, and numbers of types that a double cannot always hold exactly are text. */
export function readCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return String(value)
}

/** Appends a cell to a column of that type. */
export function appendCell(appender: DuckDBAppender, cell: Cell, type: ColumnType): void {
  if (cell === null) appender.appendNull()
  else APPEND[type](appender, cell)
}

const APPEND: Readonly<Record<ColumnType, (appender: DuckDBAppender, cell: Exclude<Cell, null>) => void>> = {
  integer: (appender, cell) => appender.appendBigInt(BigInt(cell)),
  boolean: (appender, cell) => appender.appendBoolean(isTrue(cell)),
  timestamp: (appender, cell) => appender.appendTimestamp(new DuckDBTimestampValue(microsecondsOf(String(cell)))),
  date: (appender, cell) => appender.appendDate(new DuckDBDateValue(millisecondsOf(String(cell)) / DAY_MS)),
  text: (appender, cell) => appender.appendVarchar(String(cell)),
  decimal: () => {
    throw new InternalError('the cache holds no decimals')
  },
}

/** Microseconds since 1970 of a UTC instant in the engine's form, exact. */
function microsecondsOf(text: string): bigint {
  const [seconds = '', fraction = ''] = text.split('.')
  return BigInt(millisecondsOf(seconds)) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

/** Milliseconds since 1970 of a UTC instant in whole seconds, or of a day. */
function millisecondsOf(text: string): number {
  const milliseconds = Date.parse(text.length > 10 ? `${text.replace(' ', 'T')}Z` : text)
  if (Number.isNaN(milliseconds)) throw new InternalError(`not an instant: ${text}`)
  return milliseconds
}

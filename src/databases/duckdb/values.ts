import {
  type DuckDBAppender,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js'
import type { ColumnType } from '../../compiler/inline.ts'
import { InternalError } from '../../core/errors.ts'
import type { CacheType } from '../../ports/cache-database.ts'
import { isTrue } from '../../ports/cells.ts'
import type { Cell } from '../../ports/rows.ts'

const DAY_MS = 86_400_000

// The decoder of the package takes U+FEFF at the start of a text for a byte order mark, and drops it.
Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) })

/** A result's value as an exact cell. Instants, days, and numbers of types that a double cannot always hold exactly are text. */
export function readCell(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return String(value)
}

/** Appends a cell to a column of that type. */
export function appendCell(appender: DuckDBAppender, cell: Cell, type: CacheType): void {
  if (cell === null) appender.appendNull()
  else if (typeof type === 'object') appender.appendDecimal(decimalOf(String(cell), type))
  else APPEND[type](appender, cell)
}

const APPEND: Readonly<Record<ColumnType, (appender: DuckDBAppender, cell: Exclude<Cell, null>) => void>> = {
  integer: (appender, cell) => appender.appendBigInt(BigInt(cell)),
  boolean: (appender, cell) => appender.appendBoolean(isTrue(cell)),
  timestamp: (appender, cell) => appender.appendTimestamp(new DuckDBTimestampValue(microsecondsOf(String(cell)))),
  date: (appender, cell) => appender.appendDate(new DuckDBDateValue(millisecondsOf(String(cell)) / DAY_MS)),
  text: (appender, cell) => appender.appendVarchar(String(cell)),
  decimal: (appender, cell) => appender.appendDecimal(decimalOf(String(cell), PLAIN_DECIMAL)),
}

/** A `decimal` without precision, as the dialect declares it. */
const PLAIN_DECIMAL = { precision: 38, scale: 12 }

/** A decimal of that many digits. InternalError if a digit would be lost. */
function decimalOf(text: string, { precision, scale }: { precision: number; scale: number }): DuckDBDecimalValue {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  if (whole === '' || fraction.length > scale) throw new InternalError(`not a decimal(${precision}, ${scale}): ${text}`)
  const digits = `${whole}${fraction.padEnd(scale, '0')}`.replace(/^0+(?=\d)/, '')
  if (digits.length > precision) throw new InternalError(`not a decimal(${precision}, ${scale}): ${text}`)
  return new DuckDBDecimalValue(BigInt(`${sign}${digits}`), precision, scale)
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

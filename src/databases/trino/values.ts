import type { Cell, Row } from '../../ports/rows.ts'
import type { TrinoColumn, TrinoPart } from './client.ts'
import { TrinoFailure } from './errors.ts'

/** The rows of a part of an answer, with exact cells. */
export function exactRows({ columns, rows }: TrinoPart): readonly Row[] {
  const readers = columns.map((column) => [column.name, readerOf(column)] as const)
  return rows.map((cells) => Object.fromEntries(readers.map(([name, read], index) => [name, cellOf(cells[index], read)])))
}

type Read = (value: unknown) => Cell

function cellOf(value: unknown, read: Read): Cell {
  return value === null ? null : read(value)
}

const asNumber: Read = (value) => Number(value)
const asText: Read = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Types that are not text, by their name without length and precision. */
const READERS: Readonly<Record<string, Read>> = {
  boolean: (value) => value === true,
  tinyint: asNumber,
  smallint: asNumber,
  integer: asNumber,
  real: asNumber,
  double: asNumber,
  varbinary: (value) => `\\x${Buffer.from(String(value), 'base64').toString('hex')}`,
  timestamp: (value) => withoutPadding(String(value)),
  'timestamp with time zone': (value) => withoutPadding(utcOf(String(value))),
}

function readerOf({ type }: TrinoColumn): Read {
  return READERS[type.replace(/\([^)]*\)/, '')] ?? asText
}

/** An instant without the zeros that pad its fraction to the column's digits. */
function withoutPadding(instant: string): string {
  return instant.replace(/\.(\d*?)0*$/, (_, digits: string) => (digits === '' ? '' : `.${digits}`))
}

/** Tables keep instants in UTC. Only an expression has another zone. */
function utcOf(text: string): string {
  const instant = /^(.+) (?:UTC|Z|[+-]00:00)$/.exec(text)?.[1]
  if (instant !== undefined) return instant
  throw new TrinoFailure('OTHER_ZONE', 'an instant of the answer is not in UTC', { isOfQuery: true })
}

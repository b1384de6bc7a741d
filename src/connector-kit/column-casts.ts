import { AppError } from '../core/errors.ts'
import { fits, type UnfitColumn } from './column-types.ts'
import type { ColumnKind } from './mirror-source.ts'

/** The unit of an instant that a copy keeps as a number since 1970. */
export type EpochUnit = 'milliseconds' | 'microseconds'

/** A way to read a column of a copy. */
export interface ColumnReading {
  /** The expression over the column's name that has the engine's values. */
  readonly cell: string
  /** Its type on Trino. */
  readonly type: string
}

/** The types of Trino to which publications cast. */
const CAST_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'varchar',
  integer: 'bigint',
  decimal: 'decimal(38, 12)',
  boolean: 'boolean',
  timestamp: 'timestamp(6)',
  date: 'date',
}

type Cast = (cell: string, type: string) => string

const direct: Cast = (cell, type) => `cast(${cell} as ${type})`
const atUtc: Cast = (cell, type) => `cast(${cell} at time zone 'UTC' as ${type})`
const NANOSECONDS: Readonly<Record<EpochUnit, string>> = { milliseconds: '1000000', microseconds: '1000' }

/** Instants as texts of JSON, of PostgreSQL and of Trino. Without a zone, they are UTC. */
function instantOf(text: string): string {
  const spaced = `regexp_replace(${text}, '^(\\d{4}-\\d{2}-\\d{2})T', '$1 ')`
  const zoned = `regexp_replace(regexp_replace(${spaced}, 'Z$', ' UTC'), '(:\\d{2}(\\.\\d+|))([+-]\\d{2})$', '$1 $3:00')`
  return `cast(${zoned} as timestamp(6) with time zone)`
}

/** Types that publications cast, and how. Everything else is refused, because it could lose digits or mean several things. */
const CASTS: Readonly<Record<ColumnKind, readonly (readonly [type: RegExp, cast: Cast])[]>> = {
  text: [[/^uuid$/, direct]],
  integer: [[/^(varchar|char)\b/, direct]],
  decimal: [[/^(varchar|char)\b/, direct]],
  boolean: [
    [/^(tinyint|smallint|integer|bigint)$/, (cell) => `${cell} <> 0`],
    [/^(varchar|char)\b/, direct],
  ],
  timestamp: [
    [/^timestamp\(\d+\) with time zone$/, atUtc],
    [/^(varchar|char)\b/, (cell, type) => atUtc(instantOf(cell), type)],
  ],
  date: [
    [/^(varchar|char)\b/, direct],
    // Debezium counts days since 1970.
    [/^integer$/, (cell) => `date_add('day', ${cell}, date '1970-01-01')`],
  ],
}

/** True if a copy keeps instants in this type as numbers, whose unit only the values tell. */
export function isEpoch(kind: ColumnKind, type: string): boolean {
  return kind === 'timestamp' && type === 'bigint'
}

/** True if publications read this type as values of this kind. */
export function isCastable(kind: ColumnKind, type: string): boolean {
  return readingOf('', kind, type, 'milliseconds') !== undefined
}

/** How a publication reads a column. `unit` is that of an epoch. Undefined: its type cannot hold the engine's values. */
export function readingOf(name: string, kind: ColumnKind, type: string, unit?: EpochUnit): ColumnReading | undefined {
  const target = CAST_TYPES[kind]
  if (isEpoch(kind, type)) {
    if (unit === undefined) return undefined
    const nanoseconds = `cast(${name} as decimal(38, 0)) * ${NANOSECONDS[unit]}`
    return { cell: atUtc(`from_unixtime_nanos(${nanoseconds})`, target), type: target }
  }
  const [, cast] = CASTS[kind].find(([form]) => form.test(type)) ?? []
  if (cast !== undefined) return { cell: cast(name, target), type: target }
  return fits(kind, type) ? { cell: name, type } : undefined
}

/** An engine in messages, with the kinds of its columns. */
interface TypedEngine {
  readonly connector: string
  readonly name: string
  kindOf(column: string): ColumnKind | undefined
}

/** Most names in one message. */
const MOST_NAMED = 10

/**
 * The refusal of tables on Trino that have columns of unfit types. Types that a publication casts are no obstacle for its questions. `types` are
 * those by `table.column`.
 */
export function unfitTypes(
  { connector, name: engine, kindOf }: TypedEngine,
  columns: readonly UnfitColumn[],
  types: ReadonlyMap<string, string>,
): AppError {
  const isCast = columns.every(({ name }) => {
    const kind = kindOf(name)
    return kind !== undefined && isCastable(kind, types.get(name) ?? '')
  })
  const more = columns.length - MOST_NAMED
  const shown = columns.slice(0, MOST_NAMED)
  const listed = `${shown.map(({ text }) => text).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
  const remedy = 'copy them with these types, or name a schema of views that cast them'
  const detail = isCast
    ? `Trino shows columns of ${engine} with types that only publications read, so no question reads the tables themselves: ${listed}. Make publications (docs/lake.md), ${remedy}.`
    : `Trino shows columns of ${engine} with types that cannot hold their values, so Plumbline answers nothing: ${listed}. To change that, ${remedy}.`
  return new AppError('unsupported_by_connector', detail, {
    context: { connector, columns: shown.map(({ name }) => name), ...(isCast && { publications_only: true }) },
  })
}

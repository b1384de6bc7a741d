import { decimalText } from '../core/attribute-value.ts'
import { dayAfter, dayStart, isDay, sqlInstant } from '../core/periods.ts'
import { isStorable } from '../core/text.ts'
import type { FieldType } from './field.ts'

/** Times [from, to): a day on the clock of the calendar, or a second as the text of instants. */
export interface InstantRange {
  readonly from: Date | string
  readonly to: Date | string
}

// The years that four digits can express. The very last second means the end of time.
const FIRST_INSTANT = dayStart('0001-01-01')
const LAST_INSTANT = new Date('9999-12-31T23:59:59Z')

/** A filter value in the type of its field: text, decimal text, boolean, `YYYY-MM-DD`, or instants. */
export type TypedValue = string | boolean | InstantRange

/** `YYYY-MM-DD`, also from a timestamp at midnight UTC; undefined for anything else. */
export function parseDay(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  const day = /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0{1,6})?)?(?:Z|\+00:?00))?$/.exec(raw)?.[1]
  return day !== undefined && isDay(day) ? day : undefined
}

/** Value of a filter in the type of its field; undefined if invalid. Text is converted to the other types. */
export function parseValue(raw: unknown, type: FieldType, isUpperCase: boolean): TypedValue | undefined {
  switch (type) {
    case 'string':
      return typeof raw === 'string' && isStorable(raw) ? (isUpperCase ? raw.toUpperCase() : raw) : undefined
    case 'number':
      return parseDecimal(raw)
    case 'boolean':
      return typeof raw === 'boolean' ? raw : raw === 'true' ? true : raw === 'false' ? false : undefined
    case 'date':
      return parseDay(raw)
    case 'timestamp':
      return parseInstants(raw)
  }
}

function parseDecimal(raw: unknown): string | undefined {
  if (typeof raw === 'number') return decimalText(String(raw))
  return typeof raw === 'string' && /^-?\d{1,18}(\.\d{1,12})?$/.test(raw) ? raw : undefined
}

function parseInstants(raw: unknown): InstantRange | undefined {
  if (typeof raw !== 'string') return undefined
  if (isDay(raw)) return { from: dayStart(raw), to: earlier(dayAfter(raw), LAST_INSTANT) }
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:\d{2})?$/.exec(raw)
  if (parts === null || !isDay(parts[1] ?? '')) return undefined
  const millis = Date.parse(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`)
  if (Number.isNaN(millis)) return undefined
  const from = new Date(Math.floor(millis / 1000) * 1000)
  // The offset may lead outside the years that can be bound.
  if (from < FIRST_INSTANT || from >= LAST_INSTANT) return undefined
  return { from: sqlInstant(from), to: sqlInstant(new Date(from.getTime() + 1000)) }
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

/** Description of a type for messages. */
export function describeType(type: FieldType): string {
  const words: Readonly<Record<FieldType, string>> = {
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
    date: 'a date (YYYY-MM-DD)',
    timestamp: 'a date (YYYY-MM-DD) or an ISO 8601 timestamp',
  }
  return words[type]
}

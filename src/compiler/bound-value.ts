import { AppError, InternalError } from '../core/errors.ts'
import { sqlInstant } from '../core/periods.ts'
import type { BoundValue, ParamType, ValueNode } from './fragment.ts'

export type DriverValue = string | number | boolean | null

/** Driver values of a value node, one per placeholder. InternalError for a value that does not fit its type. */
export function driverValues(node: ValueNode, hasBooleans: boolean): DriverValue[] {
  if (node.type !== 'integers') return [driverValue(node.value, node.type, hasBooleans)]
  if (!Array.isArray(node.value) || node.value.length === 0) throw misfit(node.value, node.type)
  return node.value.map((entry: BoundValue) => driverValue(entry, 'integer', hasBooleans))
}

/** One value in a form that all drivers send without loss. */
export function driverValue(value: BoundValue, type: Exclude<ParamType, 'integers'>, hasBooleans: boolean): DriverValue {
  if (value === null) return null
  switch (type) {
    case 'text':
    case 'json':
      return textValue(value, type)
    case 'integer':
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value
      return matching(value, type, /^-?\d{1,19}$/)
    case 'decimal':
      if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
      return matching(value, type, /^-?\d+(\.\d+)?$/)
    case 'timestamp':
      return matching(value instanceof Date ? utcText(value) : value, type, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/)
    case 'date':
      return matching(value instanceof Date ? utcText(value).slice(0, 10) : value, type, /^\d{4}-\d\d-\d\d$/)
    case 'boolean':
      if (typeof value !== 'boolean') throw misfit(value, type)
      return hasBooleans ? value : Number(value)
    default:
      return type satisfies never
  }
}

// PostgreSQL stores neither NUL nor half of a surrogate pair. Only a caller's text can contain them, so the error is for the
// caller.
function textValue(value: BoundValue, type: ParamType): string {
  if (typeof value !== 'string') throw misfit(value, type)
  if (/\0|\p{Surrogate}/u.test(value))
    throw new AppError('invalid_value', 'A text value must not contain NUL or half of a surrogate pair.')
  return value
}

function matching(value: BoundValue, type: ParamType, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw misfit(value, type)
  return value
}

function utcText(instant: Date): string {
  if (Number.isNaN(instant.getTime())) throw new InternalError('an invalid date cannot be bound')
  return sqlInstant(instant)
}

function misfit(value: BoundValue, type: ParamType): InternalError {
  return new InternalError(`not a value of type ${type}: ${JSON.stringify(value)}`)
}

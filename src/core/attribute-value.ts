import { ATTRIBUTE_TYPES, type AttributeType } from './attribute.ts'
import { isDay } from './periods.ts'
import { isStorable } from './text.ts'

const KEY_LENGTH = 128
/** Longest text of a value: the most that every store can hold and every engine can compare. */
export const TEXT_LENGTH = 16_000
/** Most digits of a number before the point. */
export const WHOLE_DIGITS = 18
const DECIMALS = 12

/** The problem of a key (http-api.md 7). Undefined for a valid key. */
export function attributeKeyFault(key: string): string | undefined {
  const length = [...key].length
  if (length < 1 || length > KEY_LENGTH) return `A key has 1 to ${KEY_LENGTH} characters.`
  if (key.includes('=')) return 'A key has no "=".'
  if (/[\p{Cc}\p{Cs}]/u.test(key)) return 'A key has no control characters.'
  return key.trim() === key ? undefined : 'A key must not begin or end with blanks.'
}

/** Text that looks like a number to people or spreadsheets: decimal, with an exponent, or hexadecimal. */
const NUMERIC = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|0x[0-9a-f]+|infinity)$/i

/**
 * The type of a new key from its first value: boolean, number, timestamp, otherwise string. Undefined for an invalid value. Text
 * is a number only if the number would be written exactly like the text. `01234` and `1e3` are often codes and would change.
 * Trailing zeros of a fraction are allowed: `7.50` is 7.5.
 */
export function inferAttributeType(raw: unknown): AttributeType | undefined {
  if (typeof raw !== 'string') return ATTRIBUTE_TYPES.find((type) => parseAttribute(raw, type) !== undefined)
  if (isPlainNumber(raw)) return 'number'
  return (['boolean', 'timestamp', 'string'] as const).find((type) => parseAttribute(raw, type) !== undefined)
}

/** True for text that looks like a number but would change as a number. */
export function changesAsNumber(text: string): boolean {
  return looksNumeric(text) && !isPlainNumber(text)
}

/** True for text that looks like a number. */
export function looksNumeric(text: string): boolean {
  return NUMERIC.test(text)
}

function isPlainNumber(text: string): boolean {
  const plain = text.replace(/^(-?\d+\.\d*[1-9])0+$/, '$1').replace(/^(-?\d+)\.0+$/, '$1')
  return decimalText(plain) === plain && String(Number(plain)) === plain
}

/** The stored form of a value. Text is parsed as the type. Undefined if it does not fit. */
export function parseAttribute(raw: unknown, type: AttributeType): string | boolean | undefined {
  switch (type) {
    case 'string':
      return typeof raw === 'string' && isValue(raw) ? raw : undefined
    case 'number':
      return typeof raw === 'number' ? decimalText(String(raw)) : typeof raw === 'string' ? decimalText(raw) : undefined
    case 'boolean':
      return typeof raw === 'boolean' ? raw : raw === 'true' ? true : raw === 'false' ? false : undefined
    case 'timestamp':
      return typeof raw === 'string' ? instantText(raw) : undefined
  }
}

/** The allowed values of a type, for messages. Without a type, the allowed values of a new key. */
export function describeAttribute(type: AttributeType | undefined): string {
  const words: Readonly<Record<AttributeType, string>> = {
    string: `text of at most ${TEXT_LENGTH} characters, without the character 0 and half pairs`,
    number: `a number with at most ${WHOLE_DIGITS} digits before the point`,
    boolean: 'true or false',
    timestamp: 'a date (YYYY-MM-DD) or an ISO 8601 timestamp',
  }
  return type === undefined ? `${words.string}, ${words.number}, ${words.boolean}` : words[type]
}

/** A stored value as typed JSON. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function attributeJson(value: string | boolean, type: AttributeType): string | number | boolean {
  if (typeof value === 'boolean') return value
  if (type === 'number') return Number(value)
  return type === 'timestamp' ? `${value.replace(' ', 'T')}.000Z` : value
}

/** Decimal text of a database without trailing zeros. */
export function withoutPadding(decimal: string): string {
  const short = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
  return short === '-0' ? '0' : short
}

function isValue(text: string): boolean {
  return (text.length <= TEXT_LENGTH || [...text].length <= TEXT_LENGTH) && isStorable(text)
}

/**
 * Plain decimal text of a number in JSON or a file, rounded half away from zero to the precision of the stores. Undefined if it is not a finite
 * number or has too many digits.
 */
export function decimalText(text: string): string | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (parts === null || text.length > 64) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  if (whole === '' && fraction === '') return undefined
  const digits = BigInt(whole + fraction)
  const shift = Number(exponent) - fraction.length + DECIMALS
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : rounded(digits, 10n ** BigInt(-shift))
  const padded = String(scaled).padStart(DECIMALS + 1, '0')
  const integral = padded.slice(0, -DECIMALS)
  if (integral.length > WHOLE_DIGITS) return undefined
  return withoutPadding(`${sign === '-' ? '-' : ''}${integral}.${padded.slice(-DECIMALS)}`)
}

function rounded(digits: bigint, unit: bigint): bigint {
  return (digits + unit / 2n) / unit
}

/** ISO 8601 text as `YYYY-MM-DD HH:MM:SS` in UTC, in whole seconds. A day becomes its midnight. An instant without a zone is UTC. */
function instantText(text: string): string | undefined {
  if (isDay(text)) return `${text} 00:00:00`
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text)
  const [, day = '', time = '', zone = 'Z'] = parts ?? []
  if (parts === null || !isDay(day)) return undefined
  const offset = /^([+-]\d{2}):?(\d{2})?$/.exec(zone)
  const millis = Date.parse(`${day}T${time.replace(',', '.')}${offset === null ? 'Z' : `${offset[1]}:${offset[2] ?? '00'}`}`)
  if (Number.isNaN(millis)) return undefined
  const instant = new Date(Math.floor(millis / 1000) * 1000).toISOString()
  // The offset may lead to a year that the databases do not support.
  return isDay(instant.slice(0, 10)) ? instant.slice(0, 19).replace('T', ' ') : undefined
}

import * as z from 'zod'
import { isObject } from '../core/json.ts'
import { BUCKET_WORDS, REVENUE_KIND_WORDS, type RevenueKind, readBuckets, readRevenueKinds } from '../core/ledger-options.ts'
import { INTERVALS, type Interval } from '../core/periods.ts'
import { oneOf } from './issues.ts'
import { type OrderTerm, parseOrder } from './order.ts'
import { type NamedRange, parseRange, RANGE_NAMES, RANGE_PATTERN, refusedRange } from './ranges.ts'
import { describeType, parseDay, parseValue } from './values.ts'

/** The type of a parameter. Its value is read, described and refused in the same way in every place. */
export interface ParameterType<T = unknown> {
  /** The expected value in messages: `a date (YYYY-MM-DD)`. */
  readonly words: string
  /** Code of the issue about an invalid value. */
  readonly code: 'invalid_value' | 'invalid_interval' | 'validation_failed'
  /** Schema of one value in the query string. */
  readonly schema: z.ZodType
  /** Schema of the value in a body, if different. */
  readonly field?: z.ZodType
  /** The allowed values, if they are few. */
  readonly available?: readonly string[]
  /** A more specific message for an invalid value. */
  readonly reason?: (given: unknown) => string | undefined
  /** True if the value is a list or an object, so that several values do not contradict each other. */
  readonly isCollection: boolean
  /** The parsed value; undefined if it is invalid. */
  read(given: unknown): T | undefined
}

const PLAIN = z.union([z.string(), z.number(), z.boolean()])

const ONE = { code: 'invalid_value', isCollection: false } as const
// Only a body can have a wrong shape here, so the code is that of a body.
const COLLECTION = { code: 'validation_failed', isCollection: true, schema: z.string() } as const

/** A day as `YYYY-MM-DD`. */
export const DAY: ParameterType<string> = {
  ...ONE,
  words: describeType('date'),
  schema: z
    .string()
    .refine((text) => parseDay(text) !== undefined, describeType('date'))
    .meta({ format: 'date' }),
  read: parseDay,
}

/** In place of a period: all periods of the answer as one. */
export const ALL_PERIODS = 'all'

/** A period by its first day, or all periods as one. */
export const PERIOD_NAME: ParameterType<string> = {
  ...ONE,
  words: `${describeType('date')} or ${ALL_PERIODS}`,
  schema: z.union([DAY.schema, z.literal(ALL_PERIODS)]),
  read: (given) => (given === ALL_PERIODS ? ALL_PERIODS : parseDay(given)),
}

/** A month `YYYY-MM`, read as its first day. */
export const MONTH: ParameterType<string> = {
  ...ONE,
  words: 'a month (YYYY-MM)',
  schema: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .meta({ example: '2026-09' }),
  read: (given) => (typeof given === 'string' && /^\d{4}-\d{2}$/.test(given) ? parseDay(`${given}-01`) : undefined),
}

/** Length of a period. */
export const INTERVAL: ParameterType<Interval> = { ...choice(INTERVALS), code: 'invalid_interval' }

/** A named range of days. */
export const RANGE: ParameterType<NamedRange> = {
  ...ONE,
  words: 'a named range such as this-month, last-month, ytd, last-12-months, last-12-full-months or all',
  schema: z.string().regex(RANGE_PATTERN).meta({ example: 'last-12-months' }),
  available: RANGE_NAMES,
  reason: refusedRange,
  read: parseRange,
}

/** Most months after this one that a list of days to come may name. */
export const MOST_MONTHS_AHEAD = 24

/** A number of months to come, such as `6m`. */
export const NEXT: ParameterType<number> = {
  ...ONE,
  words: `a number of months from 1m to ${MOST_MONTHS_AHEAD}m`,
  schema: z
    .string()
    .regex(/^([1-9]|1\d|2[0-4])m$/)
    .meta({ example: '6m' }),
  read: (given) => {
    const months = typeof given === 'string' && /^[1-9]\d?m$/.test(given) ? Number(given.slice(0, -1)) : Number.NaN
    return months <= MOST_MONTHS_AHEAD ? months : undefined
  },
}

/** Fields to sort rows by. */
export const ORDER: ParameterType<readonly OrderTerm[]> = {
  ...ONE,
  words: 'names of fields separated by commas, with "-" before a descending one',
  schema: z.string().meta({ example: '-mrr' }),
  read: parseOrder,
}

/** Last days of the ages of receivables. */
export const BUCKETS: ParameterType<readonly number[]> = {
  ...ONE,
  words: BUCKET_WORDS,
  schema: z.string().meta({ example: '30,60,90' }),
  read: (given) => (typeof given === 'string' ? readBuckets(given) : undefined),
}

/** Kinds of charges that are revenue. */
export const KINDS_OF_REVENUE: ParameterType<readonly RevenueKind[]> = {
  ...ONE,
  words: REVENUE_KIND_WORDS,
  schema: z.string().meta({ example: 'recurring,usage' }),
  read: (given) => (typeof given === 'string' ? readRevenueKinds(given) : undefined),
}

/** A currency by its code; small letters count as capitals. */
export const CURRENCY_CODE: ParameterType<string> = {
  ...ONE,
  words: 'a currency code of three letters, such as USD',
  schema: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .meta({ example: 'USD' }),
  read: (given) => (typeof given === 'string' && /^[A-Za-z]{3}$/.test(given) ? given.toUpperCase() : undefined),
}

/** `true` or `false`; in a body also a boolean. */
export const FLAG: ParameterType<boolean> = {
  ...ONE,
  words: describeType('boolean'),
  schema: z.enum(['true', 'false']),
  read: (given) => {
    const value = parseValue(given, 'boolean', false)
    return typeof value === 'boolean' ? value : undefined
  },
}

/** Text that every database can hold. `words` describe it. */
export function text(words: string = describeType('string')): ParameterType<string> {
  return {
    ...ONE,
    words,
    schema: z.string(),
    read: (given) => {
      const value = parseValue(given, 'string', false)
      return typeof value === 'string' ? value : undefined
    },
  }
}

/** Text to look up as a name. Any text is valid; unknown names are reported by the lookup. */
export function nameOf(words: string): ParameterType<string> {
  return { ...ONE, words, schema: z.string(), read: (given) => (typeof given === 'string' ? given : undefined) }
}

/** One of a few words. */
export function choice<const Word extends string>(available: readonly Word[]): ParameterType<Word> {
  return {
    ...ONE,
    words: oneOf(available),
    schema: z.enum(available),
    available,
    read: (given) => available.find((word) => word === given),
  }
}

/** A whole number from `first` to `last`. */
export function whole(first: number, last: number): ParameterType<number> {
  return {
    ...ONE,
    words: `a whole number from ${first} to ${last}`,
    schema: z.coerce.number().int().min(first).max(last),
    read: (given) => {
      const isWritten = typeof given === 'number' || (typeof given === 'string' && /^\d{1,15}$/.test(given))
      const count = isWritten ? Number(given) : Number.NaN
      return Number.isSafeInteger(count) && count >= first && count <= last ? count : undefined
    },
  }
}

/** Type of `limit` for rows of a metric. The maximum is configured. */
export function rowsAtMost(most: number): ParameterType<number> {
  return { ...whole(1, most), schema: z.coerce.number().int().min(1) }
}

/** A list of texts without duplicates. `words` describe it; `most` is the maximum length in the API document. */
export function texts(words: string, most?: number): ParameterType<readonly string[]> {
  const list = z.array(z.string())
  return {
    ...COLLECTION,
    words,
    field: most === undefined ? list : list.max(most),
    read: (given) =>
      Array.isArray(given) && given.every((item) => typeof item === 'string') ? [...new Set<string>(given)] : undefined,
  }
}

/** Filters by key. The values are validated against the fields later. */
export const FILTERS: ParameterType<Readonly<Record<string, unknown>>> = {
  ...COLLECTION,
  words: 'an object of keys and values',
  field: z
    .record(z.string(), z.union([PLAIN, z.array(PLAIN), z.record(z.string(), z.unknown())]))
    .describe('`name: value`, `name: [values]` (any of) or `name: {operator: value}` (all hold)'),
  read: (given) => (isObject(given) ? given : undefined),
}

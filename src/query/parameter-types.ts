import * as z from 'zod'
import { isObject } from '../core/json.ts'
import { INTERVALS, type Interval } from '../core/periods.ts'
import { oneOf } from './issues.ts'
import { type OrderTerm, parseOrder } from './order.ts'
import { type NamedRange, parseRange, RANGE_NAMES, RANGE_PATTERN, refusedRange } from './ranges.ts'
import { describeType, parseDay, parseValue } from './values.ts'

/** What the value of a parameter may be: read, described and refused in one way wherever it is given. */
export interface ParameterType<T = unknown> {
  /** What a value must be, as messages say it: `a date (YYYY-MM-DD)`. */
  readonly words: string
  /** Code of the issue about a value that is none. */
  readonly code: 'invalid_value' | 'invalid_interval' | 'validation_failed'
  /** One value as the query string has it. */
  readonly schema: z.ZodType
  /** The value as a field of a body has it, where that differs. */
  readonly field?: z.ZodType
  /** The values there are, where they are few. */
  readonly available?: readonly string[]
  /** Why a value that people try is none, where `words` would not say it. */
  readonly reason?: (given: unknown) => string | undefined
  /** True where the value itself is a list or an object, so that several values are no contradiction. */
  readonly isCollection: boolean
  /** The value, undefined where the given one is none. */
  read(given: unknown): T | undefined
}

const PLAIN = z.union([z.string(), z.number(), z.boolean()])

const ONE = { code: 'invalid_value', isCollection: false } as const
// Only a body can have the wrong shape here, so it is judged as one.
const COLLECTION = { code: 'validation_failed', isCollection: true, schema: z.string() } as const

/** A UTC day as `YYYY-MM-DD`. */
export const DAY: ParameterType<string> = {
  ...ONE,
  words: describeType('date'),
  schema: z
    .string()
    .refine((text) => parseDay(text) !== undefined, describeType('date'))
    .meta({ format: 'date' }),
  read: parseDay,
}

/** Length of a period. */
export const INTERVAL: ParameterType<Interval> = { ...choice(INTERVALS), code: 'invalid_interval' }

/** A range of days by its name. */
export const RANGE: ParameterType<NamedRange> = {
  ...ONE,
  words: oneOf(RANGE_NAMES),
  schema: z.string().regex(RANGE_PATTERN).meta({ example: 'last-12-months' }),
  available: RANGE_NAMES,
  reason: refusedRange,
  read: parseRange,
}

/** Fields to sort rows by. */
export const ORDER: ParameterType<readonly OrderTerm[]> = {
  ...ONE,
  words: 'names of fields separated by commas, with "-" before a descending one',
  schema: z.string().meta({ example: '-mrr' }),
  read: parseOrder,
}

/** `true` or `false`, in a body also as booleans. */
export const FLAG: ParameterType<boolean> = {
  ...ONE,
  words: describeType('boolean'),
  schema: z.enum(['true', 'false']),
  read: (given) => {
    const value = parseValue(given, 'boolean', false)
    return typeof value === 'boolean' ? value : undefined
  },
}

/** Text that every database can hold; `words` say what it stands for. */
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

/** Text that is looked up among names: any, for what no database can hold is a name that nothing has. */
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

/** A list of texts, each once; `words` say what they name, `most` how many the document allows. */
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

/** Filters by their keys; the values are judged against the fields they name. */
export const FILTERS: ParameterType<Readonly<Record<string, unknown>>> = {
  ...COLLECTION,
  words: 'an object of keys and values',
  field: z
    .record(z.string(), z.union([PLAIN, z.array(PLAIN), z.record(z.string(), z.unknown())]))
    .describe('`name: value`, `name: [values]` (any of) or `name: {operator: value}` (all hold)'),
  read: (given) => (isObject(given) ? given : undefined),
}

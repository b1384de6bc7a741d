import fc from 'fast-check'
import { HOSTILE_TEXTS } from '../support/data/hostile-texts.ts'
import type { Schema } from '../support/product/api-operations.ts'

const DAYS = [
  '2024-01-01',
  '2024-02-29',
  '2024-05-20',
  '2024-12-31',
  '2999-12-31',
  '0001-01-01',
  '2024-02-30',
  '2024-1-1',
  '9999-99-99',
]
const NUMBERS = ['0', '1', '-1', '1000', '1001', '1e3', '0x10', '1.5', 'NaN', 'Infinity', '9007199254740993', '-0', '١']
const SQL = [
  "' or 1=1 --",
  '"; drop table accounts; --',

  '{{7*7}}',
  '\\',
  '%',
  '_',
  '`id`',
  '/*{filters}*/',
  ':start',
  '?',
  '$1',
]
const ODD = [
  '\u0000',
  '\ud800',
  '\u202e',
  '\ufeff',
  '😀',
  'a'.repeat(5_000),
  '../../etc/passwd',
  'null',
  'undefined',
  'true',
  '__proto__',
  'constructor',
  '[]',
  '{}',
  '=',
  '==',
  '=x',
  ' ',
]
const FIELDS = [
  'plan_id',
  'currency',
  'customer_id',
  'attr.tier',
  'attr.nothing',
  'customer.name',
  'mrr_band',
  'cohort_month',
  'movement_type',
  'tenure_months',
]

/** A text that somebody careless or hostile might send. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...DAYS, ...NUMBERS, ...SQL, ...ODD, ...HOSTILE_TEXTS),
  fc
    .tuple(fc.constantFrom(...FIELDS), fc.constantFrom('=', '==', ':', ''), fc.constantFrom(...SQL, ...ODD, 'USD', '2024-01-01'))
    .map((parts) => parts.join('')),
  fc.constantFrom(...FIELDS),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

/** Any JSON value, deep or wide ones and dangerous keys among them. */
const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    { '': '' },
    { __proto__: 1 },
    Array(300).fill('x'),
  ),
  fc.integer({ min: 50, max: 400 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
)

/** A value that fits a schema, or nearly: every part may be something hostile instead. */
export function nearlyFitting(schema: Schema, oddsOfHostile = 6): fc.Arbitrary<unknown> {
  const fitting = fittingValue(schema, oddsOfHostile)
  return fc.oneof({ weight: oddsOfHostile, arbitrary: fitting }, { weight: 1, arbitrary: hostileJson })
}

function fittingValue(schema: Schema, odds: number): fc.Arbitrary<unknown> {
  const {
    enum: choices,
    anyOf,
    type,
    properties,
    items,
    prefixItems,
    format,
    example,
    examples,
  } = schema as {
    enum?: unknown[]
    anyOf?: Schema[]
    oneOf?: Schema[]
    type?: string | string[]
    properties?: Record<string, Schema>
    items?: Schema
    prefixItems?: Schema[]
    format?: string
    example?: unknown
    examples?: unknown[]
  }
  const shown = [...(example === undefined ? [] : [example]), ...(examples ?? [])]
  if (shown.length > 0 && type !== 'object')
    return fc.oneof(fc.constantFrom(...shown), fittingValue({ ...schema, example: undefined, examples: undefined }, odds))
  if (choices !== undefined) return fc.constantFrom(...choices)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((option) => nearlyFitting(option, odds)))
  if (format === 'date') return fc.constantFrom(...DAYS.slice(0, 5))
  if (type === 'object' || properties !== undefined) return objectOf(schema, properties ?? {}, odds)
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map((item) => nearlyFitting(item, odds)))
  if (type === 'array') return fc.array(nearlyFitting(items ?? {}, odds), { maxLength: 12 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer({ min: -5, max: 1_100 }), fc.double())
  return hostileText
}

function objectOf(schema: Schema, properties: Readonly<Record<string, Schema>>, odds: number): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, nearlyFitting(property, odds)])),
    { requiredKeys: [] },
  )
  const extra = schema['additionalProperties']
  const further = fc.dictionary(
    fc.oneof(fc.constantFrom(...FIELDS, '__proto__', 'query_type', 'start', 'at'), hostileText),
    nearlyFitting(isSchema(extra) ? extra : {}, odds),
    {
      maxKeys: extra === false ? 1 : 4,
    },
  )
  return fc
    .tuple(known, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: extra === false ? 1 : 4, arbitrary: further }))
    .map(([own, more]) => ({ ...more, ...own }))
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

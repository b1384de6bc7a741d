import fc from 'fast-check'
import { GOAL_PERIOD } from '../../../src/core/goal.ts'
import type { Schema } from './api-operations.ts'
import type { documentChecks } from './document-checks.ts'

const DEEPEST = 3
const DAYS = ['2024-02-29', '2026-10-31', '2031-01-01']
const INSTANTS = ['2024-02-29T23:59:59Z', '2030-01-01T00:00:00.123Z', '2031-05-06T07:08:09+02:00']

interface Drawing {
  readonly components: Readonly<Record<string, Schema>>
  readonly check: ReturnType<typeof documentChecks>
  /** Values that exist, by the name of the field: half of the bodies have them. */
  readonly existing: Readonly<Record<string, readonly unknown[]>>
  /** True: every field is there. */
  readonly isFull: boolean
}

/** The keywords of a schema of the document. */
interface Keywords {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly propertyNames?: Schema
}

/** Bodies that a schema allows. */
export function fittingBody(schema: Schema, drawing: Drawing, depth = 0): fc.Arbitrary<unknown> {
  const { $ref, oneOf, anyOf = oneOf, enum: words, type } = schema as Keywords
  const isAllowed = (value: unknown) => drawing.check(schema)(value)
  if ($ref !== undefined) return fittingBody(drawing.components[$ref.split('/').at(-1) ?? ''] ?? {}, drawing, depth)
  if (words !== undefined) return fc.constantFrom(...words)
  if (anyOf !== undefined) {
    const flat = anyOf.filter((option) => depth < DEEPEST || !refersToItself(option))
    return fc.oneof(...flat.map((option) => fittingBody(option, drawing, depth)))
  }
  if (type === undefined) return fc.jsonValue({ maxDepth: 2 })
  const kinds = typeof type === 'string' ? [type] : type
  return fc.oneof(...kinds.map((kind) => valueFor(kind, schema, drawing, depth))).filter(isAllowed)
}

function refersToItself(schema: Schema): boolean {
  return JSON.stringify(schema).includes('SegmentGroup')
}

function valueFor(type: string, schema: Keywords, drawing: Drawing, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer': {
      const { minimum = -1_000, maximum = 1_000 } = schema
      return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }))
    }
    case 'number': {
      const { exclusiveMinimum: above = -1e300, exclusiveMaximum: below = 1e300 } = schema
      const within = { min: above, max: below, minExcluded: true, maxExcluded: true, noNaN: true }
      return fc.oneof(fc.double(within), fc.integer({ min: -1_000, max: 1_000 }))
    }
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = schema
      return fc.array(fittingBody(items, drawing, depth + 1), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      })
    }
    case 'object':
      return objectOf(schema, drawing, depth)
    default:
      return fc.constant(null)
  }
}

function textOf({ format, minLength = 0, maxLength, pattern }: Keywords): fc.Arbitrary<string> {
  // Texts without a plan would never be a period.
  if (pattern === GOAL_PERIOD) return fc.stringMatching(new RegExp(pattern))
  if (format === 'date') return fc.constantFrom(...DAYS)
  if (format === 'date-time') return fc.constantFrom(...INSTANTS)
  const most = maxLength ?? 300
  const short = Math.min(most, minLength + 30)
  return fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: short }) },
    // Lengths count characters, not units of UTF-16.
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(most), '😀'.repeat(most), '😀'.repeat(minLength)) },
    { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom('a', 'Z', '0', '.', '_'), minLength, maxLength: short }) },
  )
}

function objectOf(schema: Keywords, drawing: Drawing, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties = {}, propertyNames = {} } = schema
  const fields = Object.entries(properties).map(([name, property]) => {
    const drawn = fittingBody(property, drawing, depth + 1)
    const existing = drawing.existing[name]
    return [name, existing === undefined ? drawn : fc.oneof(fc.constantFrom(...existing), drawn)] as const
  })
  const known = fc.record(Object.fromEntries(fields), {
    requiredKeys: drawing.isFull ? Object.keys(properties) : [...required],
    noNullPrototype: true,
  })
  if (typeof additionalProperties === 'boolean') return known
  const names = fittingBody({ type: 'string', maxLength: 20, ...propertyNames }, drawing) as fc.Arbitrary<string>
  const more = fc.dictionary(names, fittingBody(additionalProperties, drawing, depth + 1), {
    maxKeys: 4,
    minKeys: drawing.isFull ? 1 : 0,
    noNullPrototype: true,
  })
  return fc.tuple(more, known).map(([other, own]) => ({ ...other, ...own }))
}

/** A body that the document refuses. */
export interface BrokenBody {
  readonly body: unknown
  /** The constraint that it breaks. */
  readonly constraint: string
  /** The unknown field, if that is what is wrong. */
  readonly unknown: string | undefined
}

/** The body with one constraint of its schema broken, once for each place and each constraint. */
export function brokenBodies(schema: Schema, body: unknown, { check, components }: Drawing): readonly BrokenBody[] {
  const isFitting = check(schema)
  const limits = limitsIn(spelled(schema, components))
  const broken = new Map<string, BrokenBody>()
  for (const { value, at, unknown } of changesOf(body, limits, [])) {
    if (isFitting(value)) continue
    const [error] = isFitting.errors ?? []
    const constraint = `${at.join('.') || 'the body'}: ${error?.keyword} (${error?.schemaPath})${unknown === undefined ? '' : ` ${unknown}`}`
    if (!broken.has(constraint)) broken.set(constraint, { body: value, constraint, unknown })
  }
  return [...broken.values()]
}

/** Text of the schema with those that it refers to. */
function spelled(schema: Schema, components: Readonly<Record<string, Schema>>, seen = new Set<string>()): string {
  const text = JSON.stringify(schema)
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    spelled(components[name] ?? {}, components, seen)
  }
  return [text, ...[...seen].map((name) => JSON.stringify(components[name]))].join()
}

interface Limits {
  readonly lengths: readonly number[]
  readonly sizes: readonly number[]
  readonly numbers: readonly number[]
}

function limitsIn(text: string): Limits {
  const of = (keyword: string) => [
    ...new Set([...text.matchAll(new RegExp(`"${keyword}":(-?[\\d.e+]+)`, 'g'))].map(([, number]) => Number(number))),
  ]
  return {
    lengths: of('maxLength'),
    sizes: [...of('maxItems'), ...of('maxProperties')],
    numbers: [
      ...of('(?:exclusiveM|m)inimum').flatMap((least) => [least - 1, least]),
      ...of('(?:exclusiveM|m)aximum').flatMap((most) => [most, most + 1]),
    ],
  }
}

interface Change {
  readonly value: unknown
  readonly at: readonly PropertyKey[]
  readonly unknown?: string
}

/** The body with one part in another way: other types, longer texts, fields added and taken away. */
function changesOf(body: unknown, limits: Limits, at: readonly PropertyKey[]): readonly Change[] {
  const here = otherValues(body, limits).map((value): Change => ({ value, at }))
  if (Array.isArray(body)) {
    const inner = body.flatMap((item: unknown, index) =>
      changesOf(item, limits, [...at, index]).map((change) => ({ ...change, value: body.with(index, change.value) })),
    )
    return [...here, ...limits.sizes.map((size) => ({ value: Array(size + 1).fill(body[0] ?? 'x'), at })), ...inner]
  }
  if (typeof body !== 'object' || body === null) return here
  const entries = Object.entries(body)
  const inner = entries.flatMap(([name, field]) =>
    changesOf(field, limits, [...at, name]).map((change) => ({ ...change, value: put(entries, name, change.value) })),
  )
  const missing = entries.map(([name]) => ({
    value: Object.fromEntries(entries.filter(([other]) => other !== name)),
    at: [...at, name],
  }))
  const more = ['colour', '__proto__', 'toString'].map((unknown) => ({
    value: Object.fromEntries([...entries, [unknown, 'red']]),
    at: [...at, unknown],
    unknown,
  }))
  const many = limits.sizes.map((size) => ({
    value: { ...body, ...Object.fromEntries(Array.from({ length: size + 1 }, (_, index) => [`k${index}`, 'x'])) },
    at,
  }))
  return [...here, ...missing, ...more, ...many, ...inner]
}

function put(entries: readonly (readonly [string, unknown])[], name: string, value: unknown): unknown {
  return Object.fromEntries(entries.map(([other, own]) => [other, other === name ? value : own]))
}

function otherValues(value: unknown, { lengths, numbers }: Limits): readonly unknown[] {
  const texts = ['', 'x', ' x', 'x ', 'x\u0000', 'a=b', '\u0007', 'no such word', '2026-02-30', '2026-02-30T00:00:00Z']
  const long = typeof value === 'string' ? lengths.flatMap((most) => ['x'.repeat(most + 1), '😀'.repeat(most + 1)]) : []
  return [null, true, 7, -1, 1.5, ...numbers, ...texts, ...long, [], ['x'], [1, 2, 3], [null], {}, { colour: 'red' }]
}

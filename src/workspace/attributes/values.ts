import { empty, sql } from '../../compiler/fragment.ts'
import type { AttributeType } from '../../core/attribute.ts'
import { attributeJson, parseAttribute } from '../../core/attribute-value.ts'
import { AppError } from '../../core/errors.ts'
import { BEGINNING, dayOf } from '../../core/periods.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { compileData, compileWithoutRates, type DataRun, type RunContext } from '../../execution/run.ts'
import { readTypedValues } from '../../execution/session/attributes/engine-attributes.ts'
import { readingOf } from '../../execution/session/attributes/entries.ts'
import type { KnownAttribute } from '../../execution/session/attributes/known-attributes.ts'
import { attributeStore } from '../../execution/session/stores.ts'
import type { Field } from '../../query/field.ts'
import { compileJoins } from '../../query/joins.ts'
import { comparable } from '../../query/scope.ts'
import type { SegmentField } from '../../query/segment.ts'
import type { SegmentNames } from '../../query/segment-fields.ts'
import { pointAt } from '../../query/timeframe.ts'
import { listFact } from '../../records/filters.ts'

/** The distinct values of an attribute, ascending (http-api.md 7). */
export interface AttributeValues {
  readonly key: string
  readonly type: AttributeType
  readonly values: readonly (string | number | boolean)[]
  readonly truncated: boolean
}

/** Current values of customers, at most `limit`. AppError `not_found` for an unknown key. */
export async function distinctValues(
  key: string,
  limit: number,
  computed: ReadonlyMap<string, ComputedAttribute>,
  deps: EngineDependencies,
  context: RunContext,
): Promise<AttributeValues> {
  const fixed = computed.get(key)
  const { type, editable } = fixed?.attribute ?? (await knownAttribute(key, context))
  const read = async () =>
    fixed === undefined
      ? (await readTypedValues(readingOf(deps, context.session), key, type)).map(({ value }) => value)
      : readComputedValues(fixed, deps, context)
  const found = editable
    ? await attributeStore(deps)(context.session.workspace).distinctValues({ key, type }, limit + 1)
    : inOrder(await read(), type)
  const values = found.slice(0, limit).map((value) => attributeJson(value, type))
  return { key, type, values, truncated: found.length > limit }
}

async function knownAttribute(key: string, { session }: RunContext): Promise<KnownAttribute> {
  const definition = (await session.attributes.definitions([key])).get(key)
  if (definition === undefined) throw new AppError('not_found', 'No attribute has this key.')
  return definition
}

function inOrder(values: readonly (string | boolean)[], type: string): readonly (string | boolean)[] {
  const different = [...new Set(values)]
  if (type === 'number') return different.sort((a, b) => Number(a) - Number(b))
  return different.sort((a, b) => (typeof a === 'string' && typeof b === 'string' ? byCodePoint(a, b) : Number(a) - Number(b)))
}

// UTF-8 sorts by code point, UTF-16 does not.
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const PREFIX = 'computed.'

/** A computed field of segments as an attribute. Its values cannot be set. */
interface ComputedAttribute {
  readonly attribute: KnownAttribute
  readonly source: SegmentField
}

/** The computed attributes by key. */
export function computedAttributes({ fields }: SegmentNames): ReadonlyMap<string, ComputedAttribute> {
  const computed = [...fields].filter(([key]) => key.startsWith(PREFIX))
  return new Map(computed.map(([key, source]) => [key, { attribute: attributeOf(source.field), source }]))
}

function attributeOf({ key, label, type, description }: Field): KnownAttribute {
  // A day becomes the instant of its midnight, as for every attribute.
  const named = type === 'date' ? 'timestamp' : type
  return { key, label, type: named, source: 'computed', description, editable: false, created_at: null, updated_at: null }
}

/**
 * The distinct current values of a computed attribute. They come from customers, or from the spans of their subscriptions (D62).
 */
async function readComputedValues(
  { attribute, source: { level, field } }: ComputedAttribute,
  deps: EngineDependencies,
  { session, run }: RunContext,
): Promise<readonly (string | boolean)[]> {
  const { before } = pointAt(dayOf(session.now), session.now)
  const fact = listFact({ deps, session })
  const unknown = field.unknown(fact)
  const slots = {
    dimensions: sql`, ${comparable(field, field.expression(fact) ?? empty)} as attribute_value`,
    joins: compileJoins(field.joins),
    // If a price or rate is missing, the customer's band is not known.
    filters: unknown === null ? empty : sql` and not (${unknown})`,
  }
  const isOfSpan = level === 'span'
  const asked: DataRun = {
    template: isOfSpan ? 'data/span_field_values' : 'data/customer_field_values',
    slots,
    params: isOfSpan ? { before } : {},
    window: { from: field.joins.includes('cohort') ? BEGINNING : before, to: before },
  }
  const around = { deps, session }
  const rows = await run(await (field.readsBase ? compileData(asked, undefined, around) : compileWithoutRates(asked, around)))
  return rows.flatMap((row) => parseAttribute(String(row['attribute_value']), attribute.type) ?? [])
}

import * as z from 'zod'
import { ALL_OPERATORS, IN_LIMIT } from '../../query/condition.ts'
import { CONDITION_LIMIT } from '../../query/segment-check.ts'
import { defineBody, shownAs } from './body.ts'
import { defineRecord } from './define-record.ts'
import { DESCRIPTION, ID, INSTANT, name, refusal } from './fields.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

const condition = z
  .strictObject({
    field: z.string().min(1).describe('Field name, or `attr.X` for an attribute'),
    op: z.enum(ALL_OPERATORS).describe('The type of the field decides which operators apply'),
    value: z
      .union([scalar, z.array(scalar).max(IN_LIMIT)])
      .nullable()
      .optional()
      .describe('A list for `in` and `not in`, two values for `between`, no value for `is_empty` and `is_not_empty`'),
  })
  .meta({
    id: 'SegmentCondition',
    description: 'A condition on one field',
    // In JSON Schema rather than as a union, which would make the type of a condition in the client unwieldy.
    ...valueBy(['in', 'not in'], { type: 'array' }, () =>
      valueBy(['between'], { type: 'array', minItems: 2, maxItems: 2 }, () =>
        valueBy(['is_empty', 'is_not_empty'], undefined, () => withValue({ type: ['string', 'number', 'boolean'] })),
      ),
    ),
  })

/** JSON Schema of the value for these operators, and for the others. Undefined: none. */
function valueBy(operators: readonly (typeof ALL_OPERATORS)[number][], value: object | undefined, others: () => object) {
  return {
    if: { properties: { op: { enum: operators } }, additionalProperties: true },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
    then: value === undefined ? { properties: { value: { type: 'null' } }, additionalProperties: true } : withValue(value),
    else: { ...others(), additionalProperties: true },
  }
}

function withValue(value: object) {
  return { required: ['value'], properties: { value }, additionalProperties: true }
}

const group: z.ZodType = z
  .strictObject({
    op: z.enum(['and', 'or']),
    conditions: z
      .array(z.lazy(() => z.union([condition, group])))
      .max(CONDITION_LIMIT)
      .describe('Groups can be nested up to 20 levels deep'),
  })
  .meta({ id: 'SegmentGroup', description: 'Conditions and groups: all (`and`) or at least one (`or`) must hold' })

/** A definition of a segment in /openapi.json (http-api.md 6). */
const DEFINITION: z.ZodType<unknown> = z
  .strictObject({ version: z.literal(1).optional(), root: group })
  .meta({ id: 'SegmentDefinition', description: 'The conditions that a customer of the segment matches' })

/** The definition is checked against the names that exist, with a message for each condition: `checkSegmentDefinition`. */
const definition = shownAs(z.unknown().optional(), DEFINITION)

/** A saved group of customers. */
export const SEGMENT = defineRecord('Segment', {
  description: 'A saved group of customers',
  fields: { name: name('name', 'Unique name. No leading or trailing spaces'), description: DESCRIPTION, definition },
  answer: (fields) => ({
    id: ID,
    ...fields,
    // The store holds it as sent.
    definition: DEFINITION,
    created_by: z.string().nullable().describe('Creator: `key:<id>` or `oidc:<subject>`. Null if the creator was not signed in'),
    created_at: INSTANT,
    updated_at: INSTANT,
    warnings: z
      .array(z.string())
      .readonly()
      .describe('Names in the definition that do not exist. A query that needs one is refused'),
  }),
})

/** A definition with the metric to check it for. */
export const SEGMENT_FOR_METRIC = defineBody('SegmentForMetric', {
  definition,
  metric: z
    .string({ error: refusal('metric', 'text') })
    .nullable()
    .optional(),
})

/** Body of a validation in /openapi.json: a definition, optionally with its metric. */
export const SEGMENT_TO_VALIDATE = z.union([DEFINITION, SEGMENT_FOR_METRIC.shown])

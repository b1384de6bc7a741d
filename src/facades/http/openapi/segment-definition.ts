import { z } from '@hono/zod-openapi'
import { ALL_OPERATORS } from '../../../engine/shapes.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

const condition = z
  .strictObject({
    field: z.string().describe('Field name, or `attr.X` for an attribute'),
    op: z.enum(ALL_OPERATORS).describe('The type of the field decides which operators apply'),
    value: z
      .union([scalar, z.array(scalar)])
      .nullable()
      .optional()
      .describe('A list for `in` and `not in`, two values for `between`, no value for `is_empty` and `is_not_empty`'),
  })
  .meta({ id: 'SegmentCondition', description: 'A condition on one field' })

const group: z.ZodType = z
  .strictObject({
    op: z.enum(['and', 'or']),
    conditions: z.array(z.lazy(() => z.union([condition, group]))).describe('Groups can be nested up to 20 levels deep'),
  })
  .meta({ id: 'SegmentGroup', description: 'Conditions and groups: all (`and`) or at least one (`or`) must hold' })

/** A definition of a segment as a schema (http-api.md 6). */
export const SEGMENT_DEFINITION = z
  .strictObject({ version: z.literal(1).optional(), root: group })
  .meta({ id: 'SegmentDefinition', description: 'The conditions that a customer of the segment matches' })

import { z } from '@hono/zod-openapi'
import { ALL_OPERATORS } from '../../../engine/shapes.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

const condition = z
  .strictObject({
    field: z.string().describe('Name of a field, or `attr.X`'),
    op: z.enum(ALL_OPERATORS).describe('Which of them apply depends on the type of the field'),
    value: z
      .union([scalar, z.array(scalar)])
      .nullable()
      .optional()
      .describe('A list for `in` and `not in`, two values for `between`, none for `is_empty` and `is_not_empty`'),
  })
  .meta({ id: 'SegmentCondition', description: 'A test on a field' })

const group: z.ZodType = z
  .strictObject({
    op: z.enum(['and', 'or']),
    conditions: z.array(z.lazy(() => z.union([condition, group]))).describe('Groups may be nested 20 deep at most'),
  })
  .meta({ id: 'SegmentGroup', description: 'Conditions and groups of which all, or any, must hold' })

/** A definition of a segment as a schema (http-api.md 6). */
export const SEGMENT_DEFINITION = z
  .strictObject({ version: z.literal(1).optional(), root: group })
  .meta({ id: 'SegmentDefinition', description: 'Who belongs to a segment' })

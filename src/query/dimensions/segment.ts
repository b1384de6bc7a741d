import { sql } from '../../compiler/fragment.ts'
import { defineField, type Field } from '../field.ts'

/** The segments compared as one more dimension, in the order asked for: templates know nothing of it. */
export function segmentDimension(ids: readonly string[]): Field {
  return defineField({
    key: 'segment_id',
    type: 'string',
    description: 'Id of the segment that the row is about.',
    constant: 'always',
    joins: ['segment'],
    order: ids,
    expression: () => sql`seg.segment_id`,
  })
}

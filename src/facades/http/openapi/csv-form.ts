import { z } from '@hono/zod-openapi'
import { CSV_ENCODINGS, SEPARATOR_NAMES } from '../../../core/csv-form.ts'

/** Fields of an upload that say how its file is written. */
export const CSV_FORM_FIELDS = {
  separator: z
    .enum(SEPARATOR_NAMES)
    .optional()
    .describe(
      'What divides the cells; the character itself is taken, too. Absent: the line `sep=`, else what divides the header',
    ),
  encoding: z.enum(CSV_ENCODINGS).optional().describe('Absent: that of the byte order mark, else UTF-8'),
}

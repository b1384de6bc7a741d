import * as z from 'zod'
import { isStorable } from '../../core/text.ts'
import { defineRecord } from './define-record.ts'
import { day, ID, INSTANT, refusal } from './fields.ts'

const MOST_CHARACTERS = 200
/** One line: no control characters, no line ends, no blanks at its ends. */
const LINE = String.raw`^(?!\s)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*(?<!\s)$`
const what = `text of 1 to ${MOST_CHARACTERS} characters on one line, without blanks at its ends`

const text = z
  .string({ error: refusal('text', what) })
  .refine(
    (given) => given !== '' && [...given].length <= MOST_CHARACTERS && new RegExp(LINE, 'u').test(given) && isStorable(given),
    { error: refusal('text', what) },
  )
  .meta({ minLength: 1, maxLength: MOST_CHARACTERS, pattern: LINE, description: 'One line, without blanks at its ends' })

const word = (field: string, description: string) =>
  z
    .string({ error: refusal(field, 'a name, or null') })
    .nullable()
    .optional()
    .describe(description)

/** A remark on a day. */
export const NOTE = defineRecord('Note', {
  description: 'A remark on a day. It never changes a number',
  fields: {
    day: day('day', 'The day that the note is about'),
    text,
    metric: word('metric', 'Name of a metric of `/api/metrics`. Null: all metrics'),
    tenant: word('tenant', 'Name of a tenant of `/api/tenants`. Null: all tenants'),
  },
  answer: (fields) => ({
    id: ID,
    ...fields,
    day: z.string().meta({ format: 'date' }),
    text: z.string(),
    metric: z.string().nullable(),
    tenant: z.string().nullable(),
    created_by: z.string().nullable().describe('Creator: `key:<id>` or `oidc:<subject>`. Null if the creator was not signed in'),
    created_at: INSTANT,
    updated_at: INSTANT,
    warnings: z
      .array(z.string())
      .readonly()
      .describe('Names in the note that the service does not have, such as a tenant that it no longer serves'),
  }),
})

import * as z from 'zod'
import { amount } from '../../core/amount.ts'
import { MARK_STATES } from '../../core/finding-mark.ts'
import { isStorable } from '../../core/text.ts'
import { defineRecord } from './define-record.ts'
import { choice, ID, INSTANT, refusal, text } from './fields.ts'

const LONGEST_ID = 255
const LONGEST_NOTE = 200
const NOTE_ERROR = refusal('note', `text of up to ${LONGEST_NOTE} characters without line breaks and other control characters`)

const note = z
  .string({ error: NOTE_ERROR })
  .refine((given) => [...given].length <= LONGEST_NOTE && isStorable(given) && !/\p{Cc}/u.test(given), { error: NOTE_ERROR })
  .meta({ maxLength: LONGEST_NOTE, pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$`, description: 'Why, in words' })
  .nullable()
  .optional()

const id = (field: string) => text(field, 1, LONGEST_ID).nullable().optional()
const shownId = z.string().nullable()
const cents = (description: string) => amount(z.number().int().nullable().describe(`${description}; null if it was unknown`))

/** The mark of a finding or notice. `kinds` are the classes of findings and the kinds of notices. */
export function markRecord<const Kinds extends readonly [string, ...string[]]>(kinds: Kinds) {
  return defineRecord('FindingMark', {
    description: 'A mark of a person on a finding or notice of billing health',
    fixed: {
      kind: choice('kind', kinds).describe('Class of the finding, or kind of the notice'),
      source_id: id('source_id').describe('Id of the tenant of the engine'),
      customer_id: id('customer_id'),
      subscription_id: id('subscription_id'),
      invoice_id: id('invoice_id'),
      state: choice('state', MARK_STATES).describe('`no_error` takes the finding out of the sums, `seen` does not'),
      note,
    },
    fields: {},
    answer: ({ kind, state }) => ({
      id: ID,
      kind,
      source_id: z.string(),
      customer_id: z.string(),
      subscription_id: shownId.describe('Null for a notice about a customer or an invoice'),
      invoice_id: shownId.describe('Null if it is not about an invoice'),
      state,
      note: z.string().nullable(),
      author: z.string().nullable().describe('`key:<id>` or `oidc:<subject>`. Null if the author was not signed in'),
      created_at: INSTANT,
      base_currency: z.string(),
      monthly_base_cents: cents('Amount of a month when it was marked, in base cents'),
      amount_base_cents: cents('Open amount of the notice when it was marked, in base cents'),
    }),
  })
}

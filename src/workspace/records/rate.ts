import * as z from 'zod'
import { defineBody } from './body.ts'
import { day, refusal } from './fields.ts'

/** Body of a download of exchange rates. It cannot name an address: the configuration does. */
export const RATE_FETCH = defineBody('FxFetch', {
  to: z
    .string({ error: refusal('to', 'a currency code of three letters') })
    .regex(/^[A-Za-z]{3}$/, { error: refusal('to', 'a currency code of three letters') })
    .optional()
    .describe('Target currency. Default: the base currency'),
  since: day('since', 'Skip rates before this day').optional(),
})

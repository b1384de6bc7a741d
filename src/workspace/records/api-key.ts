import * as z from 'zod'
import { SCOPES } from '../../core/auth.ts'
import { oneOf } from '../../query/issues.ts'
import { defineBody } from './body.ts'
import { ID, INSTANT, name, refusal } from './fields.ts'

const LIST = refusal('scopes', `a list of ${oneOf(SCOPES)}`)
const EXPIRY = refusal('expires_at', 'an instant (2027-01-31T00:00:00Z) or a date (YYYY-MM-DD) after now')

/** A scope. */
export const SCOPE = z.enum(SCOPES, { error: LIST }).meta({
  id: 'Scope',
  description: 'Each scope includes those before it. `read:aggregate` allows totals only, no customer data',
})

const expiry = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: EXPIRY })
  .refine((given) => Date.parse(given) > Date.now() && new Date(given).getUTCFullYear() < 10_000, { error: EXPIRY })

/** Body of a new API key. A misspelt expiry or scope must not create a key that lasts longer or may do more than intended. */
export const NEW_API_KEY = defineBody('ApiKeyToMake', {
  name: name('name', 'Display name. No leading or trailing spaces'),
  scopes: z
    .array(SCOPE, { error: LIST })
    .min(1, '"scopes" must name at least one scope.')
    .optional()
    .describe('Default: `["read"]`'),
  expires_at: expiry.nullable().optional().describe('Expiry, in the future. Default: never'),
})

/** An API key in an answer. */
export const API_KEY = z
  .object({
    id: ID,
    name: z.string(),
    key_prefix: z.string().describe('The first 11 characters, to recognize the key'),
    scopes: z.array(SCOPE).readonly(),
    created_at: INSTANT,
    last_used_at: INSTANT.nullable().describe('To the minute. Null if never used'),
    expires_at: INSTANT.nullable(),
    revoked_at: INSTANT.nullable(),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the secret: only its SHA-256 is stored' })

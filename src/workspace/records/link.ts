import * as z from 'zod'
import { defineBody } from './body.ts'
import { choice, ID, INSTANT, refusal } from './fields.ts'

const KINDS = ['page', 'feed'] as const
const MOMENTS = ['live', 'fixed'] as const
const MOST_DAYS = 366
const DAY_MS = 86_400_000

const EXPIRY = refusal('expires_at', 'an instant (2027-01-31T00:00:00Z) or a date (YYYY-MM-DD) after now, at most a year ahead')

const expiry = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: EXPIRY })
  .refine((given) => Date.parse(given) > Date.now() && Date.parse(given) <= Date.now() + MOST_DAYS * DAY_MS, { error: EXPIRY })

const idOf = (field: string) => z.string({ error: refusal(field, 'an id') })

/** Body of a new link. */
export const NEW_LINK = defineBody('LinkToMake', {
  kind: choice('kind', KINDS)
    .optional()
    .describe('`page`: a dashboard for people, the default. `feed`: the rows of a chart for a spreadsheet'),
  dashboard_id: idOf('dashboard_id').optional().describe('The dashboard of a page'),
  chart_id: idOf('chart_id').optional().describe('The saved chart of a feed'),
  moment: choice('moment', MOMENTS)
    .optional()
    .describe('`live`: the numbers of the moment in which the link is opened, the default. `fixed`: a page with those of now'),
  names: z
    .boolean({ error: refusal('names', 'true or false') })
    .optional()
    .describe('Whether it shows customers. Default: false. A fixed page and a feed show none'),
  expires_at: expiry.optional().describe('Expiry, at most a year ahead. Default: in 30 days'),
})

/** A link in an answer. */
export const LINK = z
  .object({
    id: ID,
    kind: z.enum(KINDS),
    dashboard_id: z.string().nullable(),
    chart_id: z.string().nullable(),
    name: z.string().nullable().describe('Name of the dashboard or chart. Null if it was deleted, and the link opens nothing'),
    moment: z.enum(MOMENTS),
    names: z.boolean(),
    created_by: z.string().describe('Name of its creator, or the id without a name'),
    is_own: z.boolean().describe('Whether the caller has created it'),
    created_at: INSTANT,
    expires_at: INSTANT,
    revoked_at: INSTANT.nullable(),
    opened_at: INSTANT.nullable().describe('Last opening, to the minute. Null if it was never opened'),
  })
  .meta({ id: 'Link', description: 'A link, without its token: only the SHA-256 of the token is stored' })

import * as z from 'zod'
import { isObject } from '../../core/json.ts'
import { defineBody, shownAs } from './body.ts'
import { day, refusal, text } from './fields.ts'

/** Body of a new source. The platform checks its settings. */
export const NEW_SOURCE = defineBody('NewSource', {
  type: text('type', 1, 64).describe('Platform name'),
  name: text('name', 1, 200).optional(),
  config: shownAs(
    z.custom<Readonly<Record<string, unknown>>>(isObject, { error: refusal('config', 'an object') }).optional(),
    z.record(z.string(), z.unknown()).optional().describe('Settings of the platform, such as `realm_id`'),
  ),
})

/** Body of a backfill. */
export const BACKFILL = defineBody('Backfill', { since: day('since', 'Skip documents before this date').optional() })

const IDS = refusal('ids', '"all" or 1 to 1,000 ids')

/** Body of a retry of dead letters. */
export const LETTERS_TO_RETRY = defineBody('LettersToRetry', {
  ids: z
    .union(
      [
        z.literal('all'),
        z
          .array(z.string({ error: IDS }), { error: IDS })
          .min(1, { error: IDS })
          .max(1_000, { error: IDS }),
      ],
      { error: IDS },
    )
    .optional()
    .describe('Ids to retry. Default: `all`'),
})

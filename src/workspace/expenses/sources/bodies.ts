import * as z from 'zod'
import { objectBody, refusal, textField } from '../../../query/body.ts'

/** Body of a new source. */
export const SOURCE_BODY = objectBody({
  type: textField('type', 1, 64),
  name: textField('name', 1, 200).optional(),
  config: z.record(z.string(), z.unknown(), { error: refusal('config', 'an object') }).optional(),
})

/** Body of a backfill. */
export const BACKFILL_BODY = objectBody({
  since: z.iso.date({ error: refusal('since', 'a date (YYYY-MM-DD)') }).optional(),
})

/** Body of a retry of dead letters. */
export const RETRY_BODY = objectBody({
  ids: z
    .union([z.literal('all'), z.array(z.string()).min(1).max(1_000)], { error: refusal('ids', '"all" or 1 to 1,000 ids') })
    .default('all'),
})

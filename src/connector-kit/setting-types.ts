import * as z from 'zod'
import { readableAddress } from '../core/addresses.ts'

/** One text or a list of texts, read as a list; in the environment they are separated by commas. */
export const oneOrMore = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: 'must be text or a list of texts' })
  .transform((given) => [given].flat())

/** Files and addresses: paths count from the place of the configuration file. Refuses addresses that cannot be read, without quoting them. */
export const places = oneOrMore
  .superRefine((given, check) => {
    for (const place of given) readableAddress(place, check)
  })
  .meta({ isPlace: true })

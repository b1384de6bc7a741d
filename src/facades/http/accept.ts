import { accepts } from 'hono/accepts'
import { parseAccept } from 'hono/utils/accept'
import { AppError } from '../../core/errors.ts'
import type { RequestContext } from './environment.ts'

export type Format = 'json' | 'csv' | 'xlsx'

/** Media types of the formats, the default first. */
export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<Format, string>

/** The formats of responses. */
export const FORMATS = Object.keys(MEDIA_TYPES) as readonly Format[]

/** The format that `Accept` prefers, JSON by default. AppError `not_acceptable` if the header accepts none of the formats. */
export function acceptedFormat(context: RequestContext): Format {
  const wanted = parseAccept(context.req.header('accept') ?? '').filter(({ type }) => type.includes('/'))
  if (wanted.length === 0) return 'json'
  const refused = wanted.filter(({ q }) => q === 0).map(({ type }) => type.toLowerCase())
  const servable = FORMATS.filter((format) => !refused.includes(MEDIA_TYPES[format]))
  const takesAny = wanted.some(({ type, q }) => type === '*/*' && q > 0)
  const supports = servable.map((format) => MEDIA_TYPES[format])
  const chosen = accepts(context, { header: 'Accept', supports, default: (takesAny && supports[0]) || '' })
  const format = FORMATS.find((candidate) => MEDIA_TYPES[candidate] === chosen)
  if (format !== undefined) return format
  const available = Object.values(MEDIA_TYPES)
  throw new AppError('not_acceptable', `The header accept allows none of the available media types: ${available.join(', ')}.`, {
    context: { available },
  })
}

import { createHash } from 'node:crypto'
import { dayIn, UTC } from '../../core/calendar.ts'
import { clipped } from '../../core/text.ts'
import { type Answer, bodiesOf, LARGE_ROWS, type MetricDefinition } from '../../engine/engine.ts'
import { jsonOf, piecesOf, renderCsv, renderJson } from '../presentation/render.ts'
import { recordsOf } from '../presentation/table.ts'
import { renderXlsx } from '../presentation/workbook/render.ts'
import { type Format, MEDIA_TYPES } from './accept.ts'
import type { RequestContext } from './environment.ts'
import { writeLargeBody } from './large-answers.ts'
import type { MetricRequest } from './request.ts'

/** Parameters of the Content-Type. */
const PARAMETERS: Readonly<Record<Format, string>> = { json: '', csv: '; charset=utf-8', xlsx: '' }

/** A metric answer as a response, with the headers of http-api.md 1.1. `metric` adds its definition to a workbook. */
export async function answerResponse(
  answer: Answer,
  request: MetricRequest,
  context: RequestContext,
  metric?: MetricDefinition,
): Promise<Response> {
  const { data_through, definitions, amounts, time_zone } = answer.meta
  const { format } = request
  const headers = new Headers({
    'content-type': `${MEDIA_TYPES[format]}${PARAMETERS[format]}`,
    'x-currency': amounts.currency,
    'x-definitions': definitions,
    'x-unit': amounts.unit,
    vary: 'Accept',
  })
  if (data_through !== null) headers.set('x-data-through', data_through)
  if (time_zone !== undefined) headers.set('x-time-zone', time_zone)
  if (answer.total !== undefined) headers.set('x-total-count', String(answer.total))
  if (answer.compared_with !== undefined) headers.set('x-compared-with', answer.compared_with)
  setWarnings(headers, answer.meta)
  if (format !== 'json')
    headers.set('content-disposition', `attachment; filename="${fileNameOf(answer, context.req.path, format)}"`)
  if (answer.explanation === undefined && recordsOf(answer).length > LARGE_ROWS)
    return largeResponse(answer, request, context, metric, headers)
  const known = format === 'xlsx' ? undefined : rememberedBody(answer, format)
  if (known === undefined) return new Response(await bodyOf(answer, request, context, metric), { headers })
  headers.set('etag', known.etag)
  headers.set('content-length', String(known.bytes.byteLength))
  return new Response(known.bytes, { headers })
}

/** The body of a remembered answer, written once. Undefined if the answer is not remembered. */
function rememberedBody(answer: Answer, format: 'json' | 'csv') {
  const bodies = bodiesOf(answer)
  if (bodies === undefined) return undefined
  const known = bodies.get(format)
  if (known !== undefined) return known
  const bytes = new TextEncoder().encode(format === 'json' ? renderJson(jsonOf(answer)) : renderCsv(answer))
  const body = { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` }
  bodies.set(format, body)
  return body
}

/** A large response: few at a time per caller, and written in pieces so that other requests go on. */
async function largeResponse(
  answer: Answer,
  request: MetricRequest,
  context: RequestContext,
  metric: MetricDefinition | undefined,
  headers: Headers,
): Promise<Response> {
  const { format } = request
  const place = context.get('large')
  await place.wait()
  if (format === 'xlsx') return new Response(await bodyOf(answer, request, context, metric), { headers })
  const { bytes, etag, stream } = await writeLargeBody(piecesOf(answer, format))
  headers.set('content-length', String(bytes))
  headers.set('etag', etag)
  return new Response(context.req.method === 'HEAD' ? null : place.sending(stream), { headers })
}

/** Most characters of a message in a header. Proxies reject long heads. */
const MOST_MESSAGE = 600
const MOST_DETAILS = 5

/** Sets `x-warnings` to the codes and `x-warning-details` to the warnings as JSON. Without warnings it sets neither. */
export function setWarnings(headers: Headers, { warnings }: Pick<Answer['meta'], 'warnings'>): void {
  const codes = new Set(warnings.map((warning) => warning.code))
  if (codes.size === 0) return
  headers.set('x-warnings', [...codes].join(','))
  const details = warnings
    .slice(0, MOST_DETAILS)
    .map(({ message, ...rest }) => ({ ...rest, message: clipped(message, MOST_MESSAGE) }))
  headers.set('x-warning-details', asciiJson(details))
}

/** JSON in ASCII, as a header requires. */
function asciiJson(data: unknown): string {
  return JSON.stringify(data).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A response of the data endpoints, without `x-definitions`: metric definitions do not affect it. */
export async function dataResponse(answer: Answer, request: MetricRequest, context: RequestContext): Promise<Response> {
  const response = await answerResponse(answer, request, context)
  response.headers.delete('x-definitions')
  return response
}

function bodyOf(
  answer: Answer,
  request: MetricRequest,
  context: RequestContext,
  metric: MetricDefinition | undefined,
): string | Promise<Uint8Array<ArrayBuffer>> {
  if (request.format === 'json') return renderJson(jsonOf(answer))
  if (request.format === 'csv') return renderCsv(answer)
  const { pathname, search } = new URL(context.req.url)
  return renderXlsx(answer, { call: `${context.req.method} ${pathname}${search}`, request }, metric)
}

/**
 * File name of an answer: the path, the days of the answer, and the day up to which the data is complete. Equal days appear once.
 */
function fileNameOf({ meta: { days, data_through, time_zone = UTC } }: Answer, path: string, extension: string): string {
  const subject = path.replace(/^\/api\/(metrics\/)?/, '').replaceAll(/[^A-Za-z0-9-]+/g, '-')
  const range = days === undefined ? [] : days.start === days.end ? [days.end] : [days.start, days.end]
  const day = data_through === null ? undefined : dayIn(time_zone, new Date(data_through))
  const known = day === undefined || (range.length === 1 && range[0] === day) ? [] : [`as-of-${day}`]
  return `${[subject, ...range, ...known].join('_')}.${extension}`
}

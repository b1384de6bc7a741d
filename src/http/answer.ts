import { accepts } from 'hono/accepts'
import type { Answer } from '../engine/engine.ts'
import { renderCsv, renderJson } from '../engine/facade/render.ts'
import type { RequestContext } from './environment.ts'

export type Format = 'json' | 'csv'

/** The body's format by the Accept header; JSON where it does not say. */
export function acceptedFormat(context: RequestContext): Format {
  const supports = ['application/json', 'text/csv']
  return accepts(context, { header: 'Accept', supports, default: 'application/json' }) === 'text/csv' ? 'csv' : 'json'
}

/** A metric answer as a response, with the headers of http-api.md 1.1. */
export function answerResponse(answer: Answer, format: Format): Response {
  const headers = new Headers({
    'x-data-through': answer.meta.data_through,
    'x-definitions': answer.meta.definitions,
    vary: 'Accept',
  })
  setWarnings(headers, answer.meta)
  headers.set('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json')
  return new Response(format === 'csv' ? renderCsv(answer) : renderJson(answer.data), { headers })
}

/** Header `x-warnings` with the code of each warning, if there is any. */
export function setWarnings(headers: Headers, { warnings }: Pick<Answer['meta'], 'warnings'>): void {
  const codes = new Set(warnings.map((warning) => warning.code))
  if (codes.size > 0) headers.set('x-warnings', [...codes].join(','))
}

/** An answer of the data endpoints: no definitions decide it. */
export function dataResponse(answer: Answer, format: Format): Response {
  const response = answerResponse(answer, format)
  response.headers.delete('x-definitions')
  return response
}

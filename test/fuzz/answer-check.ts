import { ERROR_CODES } from '../../src/core/errors.ts'
import type { Operation, Schema } from '../support/product/api-operations.ts'
import { documentChecks } from '../support/product/document-checks.ts'

/** More is no message that anybody reads. */
const MOST_ERROR_BYTES = 200_000

/** The fault of an answer; undefined if it is as declared. */
export type CheckAnswer = (operation: Operation, response: Response) => Promise<string | undefined>

/** Checks answers against the shapes that the document declares for their status. */
export function answerCheck(components: Schema): CheckAnswer {
  const inCents = documentChecks(components)
  const inUnits = documentChecks(withTextAmounts(components))
  return async (operation, response) => {
    const { status, headers } = response
    const text = await response.text()
    const declared = operation.responses[String(status)]
    if (status >= 500) return `${status}: ${text.slice(0, 300)}`
    if (declared === undefined) return `${status} is not declared: ${text.slice(0, 300)}`
    if (headers.get('x-request-id') === null) return 'no request id'
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (status >= 400) {
      if (text.length > MOST_ERROR_BYTES) return `an error of ${text.length} characters`
      if (type !== 'application/json') return `an error as ${type}`
      const { code, request_id } = JSON.parse(text) as { code?: string; request_id?: string }
      if (!Object.keys(ERROR_CODES).includes(code ?? '')) return `unknown code ${code}`
      if (request_id !== headers.get('x-request-id')) return 'the body has another request id'
    }
    if (text === '') return status === 304 || status === 302 ? undefined : 'an empty body'
    const schema = declared.content?.[type]?.schema
    if (schema === undefined) return `${type} is not declared for ${status}`
    if (type !== 'application/json') return undefined
    const validate = headers.get('x-unit') === 'units' ? inUnits(withTextAmounts(schema)) : inCents(schema)
    return validate(JSON.parse(text)) ? undefined : `not as declared: ${JSON.stringify(validate.errors)} in ${text.slice(0, 300)}`
  }
}

/** The schema with amounts in the form of `money=units`. */
function withTextAmounts(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, node: unknown) => {
    if (typeof node !== 'object' || node === null || !('x-unit' in node)) return node
    const { type } = node as { type?: string | string[] }
    return { type: [type ?? []].flat().includes('null') ? ['string', 'null'] : 'string', pattern: '^-?\\d+(\\.\\d+)?$' }
  }) as Schema
}

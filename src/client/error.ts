import type { components } from '../../docs/openapi/types.ts'

export type ErrorBody = components['schemas']['Error']

/** An error response of the service (http-api.md 1.4). Test `code` in programs. `message` is for people. */
export class PlumblineError extends Error {
  readonly status: number
  readonly code: ErrorBody['code'] | undefined
  /** All problems with the request. */
  readonly issues: NonNullable<ErrorBody['issues']>
  readonly requestId: string | undefined
  /** The complete body. Undefined if the response was not JSON of the service, for example from a proxy. */
  readonly body: ErrorBody | undefined

  constructor(status: number, body: ErrorBody | undefined) {
    super(body?.detail ?? `The service answered with status ${status}.`)
    this.name = 'PlumblineError'
    this.status = status
    this.code = body?.code
    this.issues = body?.issues ?? []
    this.requestId = body?.request_id
    this.body = body
  }
}

/** The error of a response. */
export async function errorOf(response: Response): Promise<PlumblineError> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    return new PlumblineError(response.status, isErrorBody(body) ? body : undefined)
  } catch {
    return new PlumblineError(response.status, undefined)
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
}

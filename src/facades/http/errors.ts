import { AppError, InternalError } from '../../core/errors.ts'
import { errorBody } from '../presentation/error-body.ts'
import { whereInBody, whereInQuery } from '../presentation/parameters.ts'
import { renderJson } from '../presentation/render.ts'
import type { Middleware, RequestContext } from './environment.ts'
import { logFailure, queryIdIn, type StateLog } from './failure.ts'
import type { Log } from './log.ts'

const RETRY_AFTER_SECONDS = 5

/** The logs of failures, and the most issues that an answer lists. */
export interface ErrorOptions {
  readonly log: Log
  readonly logState: StateLog
  readonly mostIssues?: number | undefined
}

/**
 * The error response of http-api.md 1.4. Any error except an AppError is logged and becomes `internal`. The cause of a 503 is logged once for each
 * state.
 */
export function errorResponse(error: unknown, context: RequestContext, { log, logState, mostIssues }: ErrorOptions): Response {
  const rename = takesThemInBody(context) ? whereInBody : whereInQuery
  const rendered = errorBody(error, context.get('request_id'), rename, mostIssues)
  context.set('code', rendered.code)
  const queryId = queryIdIn(error)
  if (queryId !== undefined) context.set('query_id', queryId)
  const gone = context.req.raw.signal.aborted
  const request = { request_id: context.get('request_id'), query: context.get('query') }
  if (rendered.code === 'internal' && !gone) logFailure(log, error, request.request_id, request.query)
  else logState(error, request)
  const headers = new Headers({ 'content-type': 'application/json' })
  if (rendered.status === 503) headers.set('retry-after', String(rendered.body['retry_after'] ?? RETRY_AFTER_SECONDS))
  // Otherwise the rest of the body would have to be read before the next request on the connection.
  if (rendered.status === 413) headers.set('connection', 'close')
  const challenge = challengeOf(rendered.code, rendered.body)
  if (challenge !== undefined) headers.set('www-authenticate', challenge)
  const allow = error instanceof MethodNotAllowed ? error.allow.join(', ') : undefined
  if (allow !== undefined) headers.set('allow', allow)
  return new Response(renderJson(rendered.body), { status: rendered.status, headers })
}

// Only the POST of a metric has its parameters in the body.
function takesThemInBody({ req: { method, path } }: RequestContext): boolean {
  return method === 'POST' && path.startsWith('/api/metrics/')
}

// No challenge for webhooks and pages of other origins: a credential would not help them.
function challengeOf(code: string, { reason, required_scope }: Readonly<Record<string, unknown>>): string | undefined {
  if (code === 'unauthorized' && reason !== undefined) return reason === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"'
  if (required_scope !== undefined) return `Bearer error="insufficient_scope", scope="${required_scope}"`
  return undefined
}

/** The path exists but does not support the method. `allow` becomes the header. */
export class MethodNotAllowed extends AppError {
  readonly allow: readonly string[]

  constructor(method: string, allow: readonly string[]) {
    super('method_not_allowed', `This path does not support ${method}.`)
    this.allow = allow
  }
}

/** No route matches the path. */
export function pathNotFound(): AppError {
  return new AppError('not_found', 'Unknown path. See /docs for all endpoints.')
}

/** Converts thrown values that are no errors, because the framework passes only errors to its handler. */
export function errorsOnly(): Middleware {
  return async (_context, next) => {
    try {
      await next()
    } catch (thrown) {
      throw thrown instanceof Error ? thrown : new InternalError(`a ${typeof thrown} was thrown`)
    }
  }
}

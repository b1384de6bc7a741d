import type { OpenAPIHono, RouteConfig, RouteHandler } from '@hono/zod-openapi'
import type { Handler } from 'hono'
import { ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import type { Environment, Middleware } from './environment.ts'
import { isWithoutParameters } from './guard-parameters.ts'
import { errorResponses } from './openapi/errors.ts'
import { matchedPath } from './paths.ts'

const BAD_REQUEST = ERROR_CODES.invalid_value.status

/** The service while its routes are registered. */
export type App = OpenAPIHono<Environment>

/** The document of one operation, from `createRoute`. */
type Route = RouteConfig & { getRoutingPath(): string }

/**
 * Registers an operation with its document, so that code and document cannot differ: the document has the path and the method,
 * and the compiler checks a JSON response against the documented shape. Requests are not validated here: the query grammar does
 * that and reports all issues at once.
 */
export function serve<R extends Route>(
  app: App,
  route: R,
  handler: RouteHandler<R, Environment, object, ReturnType<R['getRoutingPath']>>,
  ...before: readonly Middleware[]
): void {
  const { method, responses } = route
  const refusals = { ...errorResponses(refusalsOf(method)), ...parametersRefused(route) }
  app.openAPIRegistry.registerPath({ ...route, responses: { ...responses, ...refusals } })
  // The framework derives the type of the path from a literal only.
  app.on([method], [matchedPath(route.getRoutingPath())], ...before, handler as Handler<Environment>)
}

/** The error codes that the middleware can answer for this method. */
function refusalsOf(method: string): readonly ErrorCode[] {
  if (method === 'get') return ['forbidden_host', 'forbidden']
  return method === 'delete' ? ['forbidden_host', 'forbidden'] : ['forbidden_host', 'forbidden', 'unsupported_media_type']
}

// Errors of the body have the same status, so both share one response entry.
function parametersRefused(route: Route): object {
  const { responses } = route
  if (!isWithoutParameters(route)) return {}
  const known = responses[BAD_REQUEST]
  const said = known !== undefined && 'description' in known ? known.description : undefined
  if (said === undefined) return errorResponses(['invalid_value'])
  if (said.includes('`invalid_value`')) return {}
  const { title } = ERROR_CODES.invalid_value
  return { [BAD_REQUEST]: { ...known, description: `${said} \`invalid_value\`: ${title}.` } }
}

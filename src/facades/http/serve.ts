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

/** What `createRoute` makes: the document of one operation. */
type Route = RouteConfig & { getRoutingPath(): string }

/**
 * Registers an operation with its document, so that the two cannot part: path and method are the document's, and the compiler holds a
 * JSON answer against the documented shape. The request is not judged here: the grammar of requests does that, all issues at once.
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
  // The framework knows the path of a handler by a literal only.
  app.on([method], [matchedPath(route.getRoutingPath())], ...before, handler as Handler<Environment>)
}

/** What every operation, and every write, may answer before it is reached. */
function refusalsOf(method: string): readonly ErrorCode[] {
  if (method === 'get') return ['forbidden_host', 'forbidden']
  return method === 'delete' ? ['forbidden_host', 'forbidden'] : ['forbidden_host', 'forbidden', 'unsupported_media_type']
}

// Beside what is wrong with a body, which has the same status.
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

import type { RouteConfig } from '@hono/zod-openapi'
import { refuseParameters } from '../presentation/parameters.ts'
import type { Middleware } from './environment.ts'
import { matchedPath, routeOf } from './paths.ts'
import { parametersOf } from './request.ts'
import type { App } from './serve.ts'

/** True if the document lists no parameters for an operation. */
type TakesNone = (method: string, route: string) => boolean

/**
 * Refuses parameters on operations without any. Other operations check their parameters themselves. Health and documentation paths are not
 * checked, because probes and links may add parameters. AppError `invalid_value`.
 */
export function guardParameters(takesNone: TakesNone): Middleware {
  return async (context, next) => {
    const route = routeOf(context)
    if (route !== undefined && takesNone(route.method, route.path)) refuseParameters(parametersOf(context))
    await next()
  }
}

/** Not checked: a platform may add parameters to the address of a webhook. */
const WEBHOOK = '/api/webhooks/{address}'

/** API operations without parameters. The document is read at the first request, when all routes are registered. */
export function withoutParameters(app: App): TakesNone {
  let known: ReadonlySet<string> | undefined
  return (method, route) => {
    known ??= describedWithout(app)
    return known.has(`${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`)
  }
}

/** True for an API operation without parameters in the document. */
export function isWithoutParameters({ path, request }: Pick<RouteConfig, 'path' | 'request'>): boolean {
  return request?.query === undefined && /^\/(api|auth|feed)\//.test(path) && path !== WEBHOOK
}

function describedWithout(app: App): ReadonlySet<string> {
  const names = app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route' || !isWithoutParameters(definition.route)) return []
    const { method, path } = definition.route
    return [`${method.toUpperCase()} ${matchedPath(path)}`]
  })
  return new Set(names)
}

import type { RouteConfig } from '@hono/zod-openapi'
import { refuseParameters } from '../presentation/parameters.ts'
import type { Middleware } from './environment.ts'
import { matchedPath, routeOf } from './paths.ts'
import { parametersOf } from './request.ts'
import type { App } from './serve.ts'

/** Whether the document gives an operation no parameters. */
type TakesNone = (method: string, route: string) => boolean

/**
 * Refuses parameters of what takes none; the others judge theirs themselves. Health and documentation are left alone, for probes and
 * links may carry something of their own. AppError `invalid_value`.
 */
export function guardParameters(takesNone: TakesNone): Middleware {
  return async (context, next) => {
    const route = routeOf(context)
    if (route !== undefined && takesNone(route.method, route.path)) refuseParameters(parametersOf(context))
    await next()
  }
}

/** What a platform sends notifications to: it may put something of its own behind the address. */
const WEBHOOK = '/api/webhooks/{address}'

/** Operations of the API that the document gives no parameters. It is read at the first question, when all of them are registered. */
export function withoutParameters(app: App): TakesNone {
  let known: ReadonlySet<string> | undefined
  return (method, route) => {
    known ??= describedWithout(app)
    return known.has(`${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`)
  }
}

/** True for an operation of the API that the document gives no parameters. */
export function isWithoutParameters({ path, request }: Pick<RouteConfig, 'path' | 'request'>): boolean {
  return request?.query === undefined && /^\/(api|auth)\//.test(path) && path !== WEBHOOK
}

function describedWithout(app: App): ReadonlySet<string> {
  const names = app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route' || !isWithoutParameters(definition.route)) return []
    const { method, path } = definition.route
    return [`${method.toUpperCase()} ${matchedPath(path)}`]
  })
  return new Set(names)
}

import { refuseParameters } from '../presentation/no-parameters.ts'
import type { Middleware } from './environment.ts'
import { parametersOf } from './request.ts'
import { routeOf } from './route-of.ts'

/** Whether the document gives an operation no parameters. */
export type TakesNone = (method: string, route: string) => boolean

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

import { AppError } from '../core/errors.ts'
import type { Middleware, RequestContext } from './environment.ts'
import { isWebhook, routeOf } from './route-of.ts'

/** Media types of the body that an operation takes; none where it has no body. */
export type BodyTypes = (method: string, route: string) => readonly string[]

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Refuses what a page elsewhere can send without asking first: whatever its browser says comes from another origin, and bodies of
 * the types of forms. A webhook is known by its signature instead, and platforms send it with types of their own. AppError `forbidden`, `unsupported_media_type`.
 */
export function guardWrites(origins: readonly string[], bodyTypes: BodyTypes): Middleware {
  return async (context, next) => {
    if (READS.includes(context.req.method) || isWebhook(context)) return next()
    if (!isOwnPage(context, origins)) {
      const detail = 'A page of another origin asks for this; server.cors_origins lists the origins that may.'
      throw new AppError('forbidden', detail, { context: { reason: 'foreign_origin' } })
    }
    const taken = takenTypes(context, bodyTypes)
    if (taken !== undefined && !taken.includes(mediaType(context))) {
      const detail = `This path takes a body of type ${taken.join(' or ')}; the header content-type says so.`
      throw new AppError('unsupported_media_type', detail, { context: { available: taken } })
    }
    await next()
  }
}

// The scheme is left out: a proxy in front may speak TLS where this process does not.
function isOwnPage(context: RequestContext, origins: readonly string[]): boolean {
  const origin = context.req.header('origin')
  if (origin === undefined) return ['same-origin', 'none'].includes(context.req.header('sec-fetch-site') ?? 'none')
  if (origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = `${protocol}//${context.req.header('host') ?? new URL(context.req.url).host}`
  return URL.canParse(own) && new URL(own).host === host
}

// Undefined where nothing is to be read: no such path or method, or a deletion.
function takenTypes(context: RequestContext, bodyTypes: BodyTypes): readonly string[] | undefined {
  const { method } = context.req
  const route = routeOf(context)
  if (route?.method !== method) return undefined
  const declared = bodyTypes(method, route.path)
  if (declared.length > 0) return declared
  return method === 'DELETE' ? undefined : ['application/json']
}

function mediaType(context: RequestContext): string {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';')
  return type.trim().toLowerCase()
}

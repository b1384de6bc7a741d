import { AppError } from '../../core/errors.ts'
import type { Middleware, RequestContext } from './environment.ts'
import { isWebhook, matchedPath, routeOf } from './paths.ts'
import type { App } from './serve.ts'

/** Media types of the body that an operation takes; none where it has no body. */
type BodyTypes = (method: string, route: string) => readonly string[]

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Where nobody signs in, refuses what a page elsewhere reads, too: it could not see the answer, but it would be asked for from every page that
 * somebody with access visits. A link from elsewhere leads to the pages, and a platform to the end of a consent. AppError `forbidden`.
 */
export function guardReads(origins: readonly string[]): Middleware {
  return async (context, next) => {
    const isRead = ['GET', 'HEAD'].includes(context.req.method)
    if (isRead && !isOwnPage(context, origins) && !isLinkToPage(context)) throw foreignOrigin('reads')
    await next()
  }
}

// What holds data is not opened by a link from elsewhere, what shows it is.
function isLinkToPage(context: RequestContext): boolean {
  if (context.req.header('origin') !== undefined || context.req.header('sec-fetch-mode') !== 'navigate') return false
  return !/^\/(api|auth|mcp|metrics)(\/|$)/.test(context.req.path) || routeOf(context)?.path === CONSENT_END
}

const CONSENT_END = '/api/connectors/:type/oauth/callback'

function foreignOrigin(does: 'asks for' | 'reads'): AppError {
  const detail = `A page of another origin ${does} this; server.cors_origins lists the origins that may.`
  return new AppError('forbidden', detail, { context: { reason: 'foreign_origin' } })
}

/**
 * Refuses what a page elsewhere can send without asking first: whatever its browser says comes from another origin, and bodies of
 * the types of forms. A webhook is known by its signature instead, and platforms send it with types of their own. AppError `forbidden`, `unsupported_media_type`.
 */
export function guardWrites(origins: readonly string[], bodyTypes: BodyTypes): Middleware {
  return async (context, next) => {
    if (READS.includes(context.req.method) || isWebhook(context)) return next()
    if (!isOwnPage(context, origins)) throw foreignOrigin('asks for')
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
  // A file, an extension or a sandbox has no host that could be this one.
  if (protocol !== 'http:' && protocol !== 'https:') return false
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

/** The media types that the document gives the body of an operation. It is read at the first question, when all of them are registered. */
export function bodyTypesOf(app: App): BodyTypes {
  let known: ReadonlyMap<string, readonly string[]> | undefined
  return (method, route) => {
    known ??= describedTypes(app)
    return known.get(`${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`) ?? []
  }
}

function describedTypes(app: App): ReadonlyMap<string, readonly string[]> {
  const types = new Map<string, readonly string[]>()
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { method, path, request } = definition.route
    types.set(`${method.toUpperCase()} ${matchedPath(path)}`, Object.keys(request?.body?.content ?? {}))
  }
  return types
}

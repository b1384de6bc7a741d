import { AppError } from '../../core/errors.ts'
import type { Middleware, RequestContext } from './environment.ts'
import { isWebhook, matchedPath, routeOf } from './paths.ts'
import type { App } from './serve.ts'

/** Media types of the body of an operation. Empty without a body. */
export type BodyTypes = (method: string, route: string) => readonly string[]

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Without authentication, reads by pages of other origins are refused too. Such a page cannot see the response. But it could
 * cause load if a user who can reach this service visits it. Links to pages and the return from a consent are allowed. AppError
 * `forbidden`.
 */
export function guardReads(origins: readonly string[]): Middleware {
  return async (context, next) => {
    const isRead = ['GET', 'HEAD'].includes(context.req.method)
    if (isRead && !isOwnPage(context, origins) && !isLinkToPage(context)) throw foreignOrigin('reads')
    await next()
  }
}

// Links of other sites may open pages, but no data.
function isLinkToPage(context: RequestContext): boolean {
  if (context.req.header('origin') !== undefined || context.req.header('sec-fetch-mode') !== 'navigate') return false
  return !/^\/(api|auth|mcp|metrics)(\/|$)/.test(context.req.path) || routeOf(context)?.path === CONSENT_END
}

const CONSENT_END = '/api/connectors/:type/oauth/callback'

function foreignOrigin(does: 'requests' | 'reads'): AppError {
  const detail = `A page of another origin ${does} this. server.cors_origins lists the allowed origins.`
  return new AppError('forbidden', detail, { context: { reason: 'foreign_origin' } })
}

/**
 * Refuses writes that a page of another origin can send without a preflight: requests that the browser marks as cross-origin, and bodies with
 * the media types of forms. Webhooks are exempt: their signature is checked, and platforms choose the Content-Type. AppError `forbidden`,
 * `unsupported_media_type`.
 */
export function guardWrites(origins: readonly string[], bodyTypes: BodyTypes): Middleware {
  return async (context, next) => {
    if (READS.includes(context.req.method) || isWebhook(context)) return next()
    if (!isOwnPage(context, origins)) throw foreignOrigin('requests')
    const taken = takenTypes(context, bodyTypes)
    if (taken !== undefined && !taken.includes(mediaType(context))) {
      const detail = `This path needs the header content-type: ${taken.join(' or ')}.`
      throw new AppError('unsupported_media_type', detail, { context: { available: taken } })
    }
    await next()
  }
}

// The scheme is not compared: a proxy in front may speak TLS while this process does not.
function isOwnPage(context: RequestContext, origins: readonly string[]): boolean {
  const origin = context.req.header('origin')
  if (origin === undefined) return ['same-origin', 'none'].includes(context.req.header('sec-fetch-site') ?? 'none')
  if (origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  // The origin of a file, an extension or a sandbox is never this service.
  if (protocol !== 'http:' && protocol !== 'https:') return false
  const own = `${protocol}//${context.req.header('host') ?? new URL(context.req.url).host}`
  return URL.canParse(own) && new URL(own).host === host
}

// Undefined if the operation reads no body: for an unknown path, an unknown method or a deletion.
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

/** The media types of bodies in the document. It is read at the first request, when all routes are registered. */
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

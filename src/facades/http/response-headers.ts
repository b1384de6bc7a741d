import { randomUUID } from 'node:crypto'
import { cors } from 'hono/cors'
import type { Middleware } from './environment.ts'

/** What every answer carries unless it says otherwise: it is not to be stored, sniffed, framed or embedded elsewhere. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Puts the safe headers on every answer that has none of its own, errors too. */
export function safeHeaders(): Middleware {
  return async (context, next) => {
    await next()
    const { headers } = context.res
    for (const [name, value] of Object.entries(SAFE_HEADERS)) if (!headers.has(name)) headers.set(name, value)
  }
}

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/

/** Gives each request an id, the client's own where it is well-formed, and puts it on every response, errors too. */
export function requestId(): Middleware {
  return async (context, next) => {
    const given = context.req.header('x-request-id')
    const id = given !== undefined && ACCEPTED.test(given) ? given : randomUUID()
    context.set('request_id', id)
    await next()
    context.res.headers.set('x-request-id', id)
  }
}

const EXPOSED = [
  'x-request-id',
  'x-data-through',
  'x-definitions',
  'x-warnings',
  'x-warning-details',
  'x-total-count',
  'x-compared-with',
  'etag',
]

/** CORS for the configured origins only. A preflight is answered 200 with a body, as every 2xx of the service; other OPTIONS go on to the routes. */
export function crossOrigin(origins: readonly string[]): Middleware {
  const allow = cors({
    origin: [...origins],
    exposeHeaders: EXPOSED,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    maxAge: 600,
  })
  return async (context, next) => {
    const origin = context.req.header('origin')
    if (origin === undefined || !origins.includes(origin)) {
      await next()
      if (origins.length > 0) context.header('vary', 'Origin', { append: true })
      return
    }
    if (context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined) return next()
    const preflight = await allow(context, next)
    if (preflight === undefined) return
    const headers = new Headers(preflight.headers)
    headers.set('content-type', 'application/json')
    return new Response('{"status":"ok"}', { headers })
  }
}

import { randomUUID } from 'node:crypto'
import { cors } from 'hono/cors'
import type { Middleware } from './environment.ts'

/** Default headers of every response. They forbid to store, sniff, frame or embed it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Adds the safe headers to every response that does not set them, including errors. */
export function safeHeaders(): Middleware {
  return async (context, next) => {
    await next()
    const { headers } = context.res
    for (const [name, value] of Object.entries(SAFE_HEADERS)) if (!headers.has(name)) headers.set(name, value)
    // The older header cannot name origins.
    if (!headers.get('content-security-policy')?.includes("frame-ancestors 'none'")) headers.delete('x-frame-options')
  }
}

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/

/** Gives each request an id and adds it to every response, including errors. A well-formed id of the client is used. */
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
  'x-time-zone',
  'etag',
]

/** CORS for the configured origins only. A preflight gets 200 with a body, like every 2xx of the service. Other OPTIONS requests reach the routes. */
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

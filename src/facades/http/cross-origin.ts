import { cors } from 'hono/cors'
import type { Middleware } from './environment.ts'

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

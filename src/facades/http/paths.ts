import { matchedRoutes } from 'hono/route'
import { getPath } from 'hono/utils/url'
import type { RequestContext } from './environment.ts'
import type { Service } from './server.ts'

const METRICS = '/api/metrics/'

/** No route has two slashes at its beginning. */
const NOWHERE = '/'

/** The path that routes are matched against: one trailing slash ignored, `-` written `_` below `/api/metrics`. */
export function canonicalPath(request: Request): string {
  return canonical(getPath(request))
}

/**
 * The same behind `server.base_path`: what stands below `base` is matched without it, and nothing else is found but the probes, so that
 * an orchestrator need not know under which path a proxy shows the service.
 */
export function pathsBelow(base: string): (request: Request) => string {
  if (base === '') return canonicalPath
  return (request) => {
    const path = getPath(request)
    if (path === base) return '/'
    if (path.startsWith(`${base}/`)) return canonical(path.slice(base.length))
    const outside = canonical(path)
    return PROBES.includes(outside) ? outside : NOWHERE + path
  }
}

/** The path under which a documented one is registered. */
export function matchedPath(path: string): string {
  return path.startsWith(METRICS) ? METRICS + path.slice(METRICS.length).replaceAll('-', '_') : path
}

function canonical(path: string): string {
  return matchedPath(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
}

/** The registered route that answers a request, whatever stands before it; undefined where the path is unknown. */
export function routeOf(context: RequestContext): { readonly path: string; readonly method: string } | undefined {
  return matchedRoutes(context).find(({ path }) => !path.endsWith('*'))
}

/** Whether a platform sends a notification: its server, not a page in a browser. */
export function isWebhook(context: RequestContext): boolean {
  return context.req.method === 'POST' && routeOf(context)?.path === '/api/webhooks/:address'
}

/** What machines ask every few seconds, by the address that they find in their directory. */
export const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** The service as far as machines probe it: nothing else is found. */
export function probesOf(service: Service): Service {
  return {
    fetch: (request, around) => {
      if (PROBES.includes(new URL(request.url).pathname)) return service.fetch(request, around)
      return new Response(null, { status: 404 })
    },
  }
}

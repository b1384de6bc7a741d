import { matchedRoutes } from 'hono/route'
import { getPath } from 'hono/utils/url'
import type { RequestContext } from './environment.ts'
import type { Service } from './server.ts'

const METRICS = '/api/metrics/'

/** Put before a path that must match no route: no route begins with two slashes. */
const NOWHERE = '/'

/** The path for route matching: without one trailing slash, with `_` for `-` below `/api/metrics`. */
export function canonicalPath(request: Request): string {
  return canonical(getPath(request))
}

/**
 * The path for route matching with `server.base_path`. Paths below `base` are matched without it. Outside `base`, only the probes
 * exist, so that an orchestrator does not need to know the prefix of the proxy.
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

/** The registered path of a documented path. */
export function matchedPath(path: string): string {
  return path.startsWith(METRICS) ? METRICS + path.slice(METRICS.length).replaceAll('-', '_') : path
}

function canonical(path: string): string {
  return matchedPath(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
}

/** The registered route of a request, ignoring middleware. Undefined if the path is unknown. */
export function routeOf(context: RequestContext): { readonly path: string; readonly method: string } | undefined {
  return matchedRoutes(context).find(({ path }) => !path.endsWith('*'))
}

/** True for a notification of a platform. Its server sends it, not a page in a browser. */
export function isWebhook(context: RequestContext): boolean {
  return context.req.method === 'POST' && routeOf(context)?.path === '/api/webhooks/:address'
}

/** Paths that orchestrators and scrapers request every few seconds, by IP address. */
export const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** A service that has only the probes. All other paths are 404. */
export function probesOf(service: Service): Service {
  return {
    fetch: (request, around) => {
      if (PROBES.includes(new URL(request.url).pathname)) return service.fetch(request, around)
      return new Response(null, { status: 404 })
    },
  }
}

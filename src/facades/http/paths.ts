import { getPath } from 'hono/utils/url'
import { PROBES } from './probes.ts'

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

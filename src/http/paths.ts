import { getPath } from 'hono/utils/url'

const METRICS = '/api/metrics/'

/** The path that routes are matched against: one trailing slash ignored, `-` written `_` below `/api/metrics`. */
export function canonicalPath(request: Request): string {
  const raw = getPath(request)
  const path = raw.length > 1 && raw.endsWith('/') ? raw.slice(0, -1) : raw
  return path.startsWith(METRICS) ? METRICS + path.slice(METRICS.length).replaceAll('-', '_') : path
}

/** The route under which a documented metric path is registered. */
export function metricRoute(tail: string): string {
  return METRICS + tail.replaceAll('-', '_')
}

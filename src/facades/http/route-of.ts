import { matchedRoutes } from 'hono/route'
import type { RequestContext } from './environment.ts'

/** The registered route that answers a request, whatever stands before it; undefined where the path is unknown. */
export function routeOf(context: RequestContext): { readonly path: string; readonly method: string } | undefined {
  return matchedRoutes(context).find(({ path }) => !path.endsWith('*'))
}

/** Whether a platform sends a notification: its server, not a page in a browser. */
export function isWebhook(context: RequestContext): boolean {
  return context.req.method === 'POST' && routeOf(context)?.path === '/api/webhooks/:address'
}

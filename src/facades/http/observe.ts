import { performance } from 'node:perf_hooks'
import type { Middleware, RequestContext } from './environment.ts'
import type { Log } from './log.ts'
import { PROBES, routeOf } from './paths.ts'
import type { RequestFigures } from './prometheus/request-figures.ts'

/** Logs and counts each request by its route pattern. Paths and query strings may contain secret or personal data. */
export function observe(log: Log, figures: RequestFigures): Middleware {
  return async (context, next) => {
    const begun = performance.now()
    const ended = figures.begin()
    try {
      await next()
    } finally {
      ended()
    }
    const seconds = (performance.now() - begun) / 1_000
    const { method } = context.req
    const route = routeOf(context)?.path ?? 'unknown'
    const status = statusOf(context)
    figures.count({ method, route, status }, seconds)
    log(PROBES.includes(route) ? 'debug' : 'info', 'request', {
      request_id: context.get('request_id'),
      // The address of the connection. Behind a proxy, this is the address of the proxy. A header is not used, because clients
      // can forge it.
      remote_address: context.env?.incoming?.socket.remoteAddress,
      method,
      route,
      status,
      ms: Math.round(seconds * 1_000),
      query: context.get('query'),
      code: context.get('code'),
      query_id: context.get('query_id'),
    })
  }
}

// If the client disconnects, its query fails, but this is no failure of the service.
function statusOf(context: RequestContext): number | 'aborted' {
  return context.res.status >= 500 && context.req.raw.signal.aborted ? 'aborted' : context.res.status
}

import type { Context, MiddlewareHandler } from 'hono'

/** What the middleware of the service puts into each request's context. */
export interface Environment {
  Variables: {
    /** The request's own id, echoed in `x-request-id` and in error bodies. */
    request_id: string
    /** Which query the request runs, `metric.query_type`: for the log only. */
    query: string
  }
}

export type RequestContext = Context<Environment>
export type Middleware = MiddlewareHandler<Environment>

import type { Context, MiddlewareHandler } from 'hono'
import type { Principal } from '../../core/auth.ts'
import type { HeldPlace } from './large-answers.ts'

/** The connection of a request. Empty if the app is called without a server. */
export interface Around {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } }
}

/** Variables that the middleware sets in the context of each request. */
export interface Environment {
  Bindings: Around
  Variables: {
    /** Request id, in `x-request-id` and in error bodies. */
    request_id: string
    /** The caller. */
    principal: Principal
    /** True if the query shows or singles out customers or vendors. For the audit log. */
    discloses: boolean
    /** Place of the request among the large answers of the caller. */
    large: HeldPlace
    /** Id of the record that the request created. For the audit log. */
    made: string
    /** The query of the request, `metric.query_type`. For the log only. */
    query: string
    /** Code of the error response. For the log only. */
    code: string
    /** Id that the server of the database gave to the query that failed. For the log only. */
    query_id: string
  }
}

export type RequestContext = Context<Environment>
export type Middleware = MiddlewareHandler<Environment>

import type { Context, MiddlewareHandler } from 'hono'
import type { Principal } from '../../core/auth.ts'
import type { HeldPlace } from './large-answers.ts'

/** What the server says of the connection of a request; nothing where the app is asked without one. */
export interface Around {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } }
}

/** What the middleware of the service puts into each request's context. */
export interface Environment {
  Bindings: Around
  Variables: {
    /** The request's own id, echoed in `x-request-id` and in error bodies. */
    request_id: string
    /** Who asks. */
    principal: Principal
    /** Whether a question that was asked shows or singles out customers or vendors: for the audit log. */
    discloses: boolean
    /** Place of the request among the large answers of whoever asks. */
    large: HeldPlace
    /** Id of what the request has made: for the audit log. */
    made: string
    /** Which query the request runs, `metric.query_type`: for the log only. */
    query: string
    /** Code of the error that was answered: for the log only. */
    code: string
  }
}

export type RequestContext = Context<Environment>
export type Middleware = MiddlewareHandler<Environment>

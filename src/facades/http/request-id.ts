import { randomUUID } from 'node:crypto'
import type { Middleware } from './environment.ts'

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/

/** Gives each request an id, the client's own where it is well-formed, and puts it on every response, errors too. */
export function requestId(): Middleware {
  return async (context, next) => {
    const given = context.req.header('x-request-id')
    const id = given !== undefined && ACCEPTED.test(given) ? given : randomUUID()
    context.set('request_id', id)
    await next()
    context.res.headers.set('x-request-id', id)
  }
}

import { createHash } from 'node:crypto'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Middleware } from './environment.ts'

/** Strong ETag over the body, 304 on If-None-Match, never from a shared cache: for metric and data answers. */
export function conditional(): Middleware {
  const tag = etag({
    retainedHeaders: [
      ...RETAINED_304_HEADERS,
      'x-request-id',
      'x-data-through',
      'x-definitions',
      'x-currency',
      'x-unit',
      'x-warnings',
      'x-warning-details',
      'x-total-count',
      'x-compared-with',
      // A browser takes them from here, because its copy may come from a page of another origin.
      'access-control-allow-origin',
      'access-control-expose-headers',
    ],
    generateDigest: (body) => Uint8Array.from(createHash('sha256').update(body).digest()).buffer,
  })
  return async (context, next) => {
    return tag(context, async () => {
      await next()
      if (context.res.ok) context.res.headers.set('cache-control', 'private, no-cache')
    })
  }
}

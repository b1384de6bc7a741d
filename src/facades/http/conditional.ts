import { createHash } from 'node:crypto'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from 'hono/compress'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Middleware, RequestContext } from './environment.ts'

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

const LEAST_BYTES = 1_024

/**
 * Compresses bodies of more than 1 KB for those who take gzip; streams of events, and what is compressed by nature, go out as they are. Of
 * a compressed body the entity tag is weak, for its bytes are others.
 */
export function compressed(): Middleware {
  const gzip = compress({ encoding: 'gzip', threshold: LEAST_BYTES })
  return (context, next) =>
    gzip(context, async () => {
      await next()
      await measure(context)
    })
}

// Only a body of known length can be told to be worth it.
async function measure(context: RequestContext): Promise<void> {
  const { res } = context
  const known = res.headers.get('content-length')
  if (known === null && res.body === null) return
  if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(res.headers.get('content-type') ?? '')) return
  if (known !== null) return vary(context, Number(known))
  const bytes = await res.arrayBuffer()
  const headers = new Headers(res.headers)
  headers.set('content-length', String(bytes.byteLength))
  context.res = new Response(bytes, { status: res.status, headers })
  vary(context, bytes.byteLength)
}

// Also of a HEAD, whose body nobody sees.
function vary(context: RequestContext, bytes: number): void {
  if (bytes >= LEAST_BYTES) context.res.headers.append('vary', 'Accept-Encoding')
}

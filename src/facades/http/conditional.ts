import { createHash } from 'node:crypto'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from 'hono/compress'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Middleware, RequestContext } from './environment.ts'

/** For metric and data responses: strong ETag of the body, 304 on If-None-Match, never stored in a shared cache. */
export function conditional(): Middleware {
  const tag = etag({
    retainedHeaders: [
      ...RETAINED_304_HEADERS,
      'x-request-id',
      'x-data-through',
      'x-definitions',
      'x-currency',
      'x-unit',
      'x-time-zone',
      'x-warnings',
      'x-warning-details',
      'x-total-count',
      'x-compared-with',
      // A page of another origin may have filled the browser's cache, so the 304 must carry the CORS headers of the current
      // request.
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
 * Compresses bodies of 1 KB or more with gzip, if the client accepts it. Event streams and compressed formats are not compressed again. A
 * compressed body gets a weak entity tag, because its bytes differ.
 */
export function compressed(): Middleware {
  const gzip = compress({ encoding: 'gzip', threshold: LEAST_BYTES })
  return (context, next) =>
    gzip(context, async () => {
      await next()
      await measure(context)
    })
}

// The compression needs to know the length of the body.
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

// Takes the length of the GET body, because a response to HEAD has no body.
function vary(context: RequestContext, bytes: number): void {
  if (bytes >= LEAST_BYTES) context.res.headers.append('vary', 'Accept-Encoding')
}

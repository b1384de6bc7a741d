import type { Asking } from '../../../engine/engine.ts'
import type { RequestContext } from '../environment.ts'

const BEARER = /^bearer +([^\s]+) *$/i

/** The credential of a request, from its header `authorization` and nowhere else: addresses are logged, cookies sent by foreign pages. */
export function credentialOf(context: RequestContext): string | undefined {
  const header = context.req.header('authorization')
  if (header === undefined) return undefined
  // What is there and cannot be read is no credential that anybody knows.
  return BEARER.exec(header)?.[1] ?? ''
}

/** The request as the audit log tells it; `path` is that of the operation, without the values in it. */
export function askingOf(context: RequestContext, path: string | null): Asking {
  return {
    path,
    // Of the connection, so behind a proxy the proxy's: whoever asks can write what they like into a header.
    remote_address: context.env?.incoming?.socket.remoteAddress ?? null,
    request_id: context.get('request_id'),
  }
}

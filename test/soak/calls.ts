import type { Tally } from './tally.ts'

/** The answer to a call: its status and its body without the request's own id; undefined when it was aborted or cut. */
export interface Reply {
  readonly status: number
  readonly body: string
}

/** Calls a service and counts what comes of it; `abortAfterMs` leaves in the middle. */
export async function call(
  tally: Tally,
  url: string,
  path: string,
  options: RequestInit & { readonly abortAfterMs?: number | undefined } = {},
): Promise<Reply | undefined> {
  const { abortAfterMs, ...init } = options
  const aborting = new AbortController()
  const timer = abortAfterMs === undefined ? undefined : setTimeout(() => aborting.abort(), abortAfterMs)
  const started = performance.now()
  try {
    const response = await fetch(`${url}${path}`, { ...init, signal: aborting.signal })
    const body = (await response.text()).replace(/"request_id":"[^"]*"/, '')
    const code = response.status < 400 ? undefined : /"(?:code|status)":"(\w+)"/.exec(body)?.[1]
    const ms = performance.now() - started
    tally.count({ path, status: response.status, code, retryAfter: response.headers.get('retry-after'), ms })
    return { status: response.status, body }
  } catch {
    tally.count({ path, status: aborting.signal.aborted ? 'aborted' : 'cut', ms: performance.now() - started })
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

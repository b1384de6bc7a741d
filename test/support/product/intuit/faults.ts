import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A fault of a request. */
export type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The answer comes, but late. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** Half of the answer comes, then the connection ends. */
  | { readonly kind: 'cut' }
  /** The connection ends before the answer. */
  | { readonly kind: 'drop' }
  /** A page of a proxy in the place of the answer. */
  | { readonly kind: 'page' }
  /** Another answer than the right one. */
  | { readonly kind: 'wrong'; readonly answer: unknown }

export interface Troubles {
  /** Lets the next `times` requests whose path and query match go wrong. */
  add(trouble: Trouble, options?: { readonly times?: number; readonly matching?: RegExp }): void
  /** The trouble of a request, used up. */
  take(path: string): Trouble | undefined
}

export function createTroubles(): Troubles {
  const waiting: { readonly trouble: Trouble; readonly matching: RegExp }[] = []
  return {
    add(trouble, { times = 1, matching = /./ } = {}) {
      for (let count = 0; count < times; count += 1) waiting.push({ trouble, matching })
    },
    take(path) {
      const index = waiting.findIndex(({ matching }) => matching.test(path))
      return index < 0 ? undefined : waiting.splice(index, 1)[0]?.trouble
    },
  }
}

/** Sends an answer, or what a trouble makes of it. */
export async function respond(
  response: ServerResponse,
  answer: { readonly status: number; readonly text: string },
  trouble: Trouble | undefined,
): Promise<void> {
  const headers = { 'content-type': 'application/json;charset=UTF-8', intuit_tid: '1-double' }
  switch (trouble?.kind) {
    case 'status':
      response.writeHead(trouble.status, { ...headers, ...trouble.headers }).end('{}')
      return
    case 'drop':
      response.destroy()
      return
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>proxy</html>')
      return
    case 'wrong':
      response.writeHead(200, headers).end(JSON.stringify(trouble.answer))
      return
    case 'cut':
      response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(answer.text) })
      response.write(answer.text.slice(0, answer.text.length / 2), () => response.destroy())
      return
    case 'slow':
      await sleep(trouble.milliseconds, undefined, { ref: false })
  }
  response.writeHead(answer.status, headers).end(answer.text)
}

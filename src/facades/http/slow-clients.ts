import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** How long a client may take, in milliseconds. Who takes longer is cut off without an answer. */
export interface Patience {
  /** For the whole head of a request. */
  readonly headersMs: number
  /** For the body, and one second more for each `bodyBytesPerSecond` that came. */
  readonly bodyMs: number
  readonly bodyBytesPerSecond: number
  /** Without taking anything of an answer. */
  readonly answerMs: number
  /** Until the next request on the connection. */
  readonly keepAliveMs: number
}

export const PATIENCE: Patience = {
  headersMs: 10_000,
  bodyMs: 20_000,
  bodyBytesPerSecond: 16_384,
  answerMs: 30_000,
  keepAliveMs: 5_000,
}

/** Options of the server that go with it. The total time of a request is left open: it follows from the size of its body. */
export function serverTimes({ headersMs, keepAliveMs }: Patience) {
  const connectionsCheckingInterval = Math.min(1_000, headersMs)
  return { headersTimeout: headersMs, requestTimeout: 0, keepAliveTimeout: keepAliveMs, connectionsCheckingInterval }
}

/** Cuts off clients that send a body, or take an answer, too slowly. */
export function cutOffSlowClients(server: Server, { bodyMs, bodyBytesPerSecond, answerMs }: Patience): void {
  server.setTimeout(answerMs)
  server.on('request', (incoming, outgoing) => {
    expectBody(incoming, bodyMs, bodyBytesPerSecond)
    expectTaking(incoming, outgoing, answerMs)
  })
}

function expectBody(incoming: IncomingMessage, bodyMs: number, bytesPerSecond: number): void {
  if (incoming.complete) return
  const { socket } = incoming
  const until = performance.now() + bodyMs
  const before = socket.bytesRead
  const judge = () => {
    if (incoming.complete) return
    const left = until + ((socket.bytesRead - before) / bytesPerSecond) * 1_000 - performance.now()
    if (left <= 0) socket.destroy()
    else timer = setTimeout(judge, left)
  }
  let timer = setTimeout(judge, bodyMs)
  incoming.once('close', () => clearTimeout(timer))
}

// The server's time-out is of silence in both directions: as long as the client waits for us it has nothing to say.
function expectTaking(incoming: IncomingMessage, outgoing: ServerResponse, answerMs: number): void {
  outgoing.on('timeout', () => {
    if (outgoing.headersSent) outgoing.socket?.destroy()
    else incoming.socket.setTimeout(answerMs)
  })
}

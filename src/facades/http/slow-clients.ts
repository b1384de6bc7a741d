import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'

/** Time limits of clients in milliseconds. A slower client is disconnected without a response. */
export interface Patience {
  /** For the complete head of a request. */
  readonly headersMs: number
  /** For the body, plus one second for each `bodyBytesPerSecond` received. */
  readonly bodyMs: number
  readonly bodyBytesPerSecond: number
  /** Without reading any bytes of the response. */
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

/** Server options for these limits. The total time of a request has no limit: it depends on the size of its body. */
export function serverTimes({ headersMs, keepAliveMs }: Patience) {
  const connectionsCheckingInterval = Math.min(1_000, headersMs)
  return { headersTimeout: headersMs, requestTimeout: 0, keepAliveTimeout: keepAliveMs, connectionsCheckingInterval }
}

/** Disconnects clients that send a body or read a response too slowly. */
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

// The socket time-out means silence in both directions. While the client waits for the response, silence is normal.
function expectTaking(incoming: IncomingMessage, outgoing: ServerResponse, answerMs: number): void {
  outgoing.on('timeout', () => {
    if (outgoing.headersSent) outgoing.socket?.destroy()
    else incoming.socket.setTimeout(answerMs)
  })
}

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Log } from './log.ts'

/** Limits of connections. A connection is silent while it has not sent a complete request head. */
export interface ConnectionLimits {
  /** Most connections at a time. */
  readonly most: number
  /** Silent connections per address that get the usual time for their request heads. */
  readonly silentPerAddress: number
  /** Milliseconds for the head if an address has more silent connections, or if the limit is near. */
  readonly hurriedMs: number
  readonly log: Log | undefined
}

/** The defaults. Browsers and proxies send a head within milliseconds of connecting. */
export const SILENT = { silentPerAddress: 64, hurriedMs: 1_000 }

/** Least time between two log lines about closed connections. */
const LINE_MS = 10_000
/** Share of the limit above which `hurriedMs` applies to all addresses. */
const NEAR = 0.75

/**
 * Keeps room for connections with requests. A silent connection is closed early if its address has many of them, or if the limit
 * is near. A new connection is dropped only if all others are being answered. A proxy is not locked out, because its connections
 * carry requests. At the limit, one connection is closed to make room. This is the order of the candidates:
 *
 *     1. silent    the oldest of the address with the most silent connections
 *     2. idle      the connection that has waited longest for its next request
 *     3. sending   the oldest that is still sending a body, of the address with the most
 *
 *     open ──▶ silent ──head──▶ sending ──body read──▶ answering ──answer sent──▶ idle ──next head──▶ sending
 */
export function limitConnections(server: Server, { most, silentPerAddress, hurriedMs, log }: ConnectionLimits): void {
  /** Start time of each silent connection by address, the oldest first. */
  const silent = new Map<string, Map<Socket, number>>()
  /** Connections that wait for the next request, the longest wait first. */
  const idle = new Set<Socket>()
  /** Start time of each connection that sends a body, by address, the oldest first. */
  const sending = new Map<string, Map<Socket, number>>()
  // A closed socket has no remote address.
  const addresses = new WeakMap<Socket, string>()
  let open = 0
  let [dropped, closed] = [0, 0]
  let loggedAt = Number.NEGATIVE_INFINITY
  let sweeping: NodeJS.Timeout | undefined

  const logClosed = () => {
    if (performance.now() - loggedAt < LINE_MS) return
    log?.('warn', 'connections dropped', { dropped, silent: closed, max_connections: most })
    loggedAt = performance.now()
    dropped = 0
    closed = 0
  }
  const close = (socket: Socket | undefined) => {
    if (socket === undefined) return false
    forget(socket)
    socket.destroy()
    closed += 1
    logClosed()
    return true
  }
  const forget = (socket: Socket) => {
    idle.delete(socket)
    remove(silent, socket)
    remove(sending, socket)
  }
  const remove = (from: typeof silent, socket: Socket) => {
    const address = addresses.get(socket) ?? ''
    const own = from.get(address)
    own?.delete(socket)
    if (own?.size === 0) from.delete(address)
  }
  const add = (to: typeof silent, socket: Socket) => {
    const address = addresses.get(socket) ?? ''
    const own = to.get(address) ?? new Map<Socket, number>()
    to.set(address, own.set(socket, performance.now()))
    return own
  }
  const oldestOf = (sockets: ReadonlyMap<Socket, unknown> | undefined) => sockets?.keys().next().value
  const largestOf = (all: typeof silent) => [...all.values()].sort((a, b) => b.size - a.size)[0]
  const makeRoom = () => {
    return close(oldestOf(largestOf(silent))) || close(idle.values().next().value) || close(oldestOf(largestOf(sending)))
  }
  const sweep = () => {
    const isNear = open >= most * NEAR
    const until = performance.now() - hurriedMs
    let isHurried = false
    for (const own of [...silent.values()]) {
      if (!isNear && own.size <= silentPerAddress) continue
      isHurried = true
      for (const [socket, since] of [...own]) if (since <= until) close(socket)
    }
    clearTimeout(sweeping)
    sweeping = isHurried ? setTimeout(sweep, hurriedMs / 4).unref() : undefined
  }

  server.on('connection', (socket: Socket) => {
    if (open >= most && !makeRoom()) {
      dropped += 1
      logClosed()
      socket.destroy()
      return
    }
    open += 1
    addresses.set(socket, addressOf(socket))
    const own = add(silent, socket)
    socket.once('close', () => {
      open -= 1
      forget(socket)
    })
    // One address never takes more than half of the room.
    if (own.size > Math.max(most / 2, silentPerAddress)) close(oldestOf(own))
    if (sweeping === undefined && (own.size > silentPerAddress || open >= most * NEAR)) sweep()
  })
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming
    forget(socket)
    if (hasBody(incoming)) {
      add(sending, socket)
      incoming.once('end', () => remove(sending, socket))
    }
    outgoing.once('close', () => {
      remove(sending, socket)
      if (!socket.destroyed) idle.add(socket)
    })
  })
  server.once('close', () => clearTimeout(sweeping))
}

// If the request has no body, its `end` event may never come.
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The address that connections are counted by. For IPv6 it is the /64 network, because one client usually has all of it. */
export function addressOf({ remoteAddress = '' }: { readonly remoteAddress?: string | undefined }): string {
  const plain = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = after === undefined ? 0 : 8 - groups(before).length - groups(after).length
  const all = [...groups(before), ...Array.from({ length: missing }, () => '0'), ...groups(after ?? '')]
  return all.slice(0, 4).join(':')
}

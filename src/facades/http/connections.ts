import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Log } from './log.ts'

/** How many connections there may be, and how long one may be silent: open without a whole head of a request. */
export interface ConnectionLimits {
  /** At a time, of all addresses together. */
  readonly most: number
  /** Silent ones of one address that have the usual time for their heads. */
  readonly silentPerAddress: number
  /** Time for the head where an address has more than that, or the limit is near, milliseconds. */
  readonly hurriedMs: number
  readonly log: Log | undefined
}

/** The usual numbers: browsers and proxies send a head within milliseconds of connecting. */
export const SILENT = { silentPerAddress: 64, hurriedMs: 1_000 }

/** Least time between two lines about connections that were closed. */
const LINE_MS = 10_000
/** Share of the limit from which on everybody has to hurry. */
const NEAR = 0.75

/**
 * Keeps room for those who ask. A connection that has not sent a head is closed early where its address has many of them or where the
 * limit is near; at the limit the oldest one of the address with most of them goes, then the one that has been idle longest, then the oldest
 * one that is still sending a body. A new connection is dropped only if all others are being answered. A proxy is not locked out: what it
 * passes on is not silent.
 */
export function limitConnections(server: Server, { most, silentPerAddress, hurriedMs, log }: ConnectionLimits): void {
  /** Since when each is silent, by address; the oldest first. */
  const silent = new Map<string, Map<Socket, number>>()
  /** Those that wait for the next request; the one that waits longest first. */
  const idle = new Set<Socket>()
  /** Since when each sends the body of a request, by address; the oldest first. */
  const sending = new Map<string, Map<Socket, number>>()
  // One that is closed does not know any more where it came from.
  const addresses = new WeakMap<Socket, string>()
  let open = 0
  let [dropped, closed] = [0, 0]
  let toldAt = Number.NEGATIVE_INFINITY
  let sweeping: NodeJS.Timeout | undefined

  const tell = () => {
    if (performance.now() - toldAt < LINE_MS) return
    log?.('warn', 'connections dropped', { dropped, silent: closed, max_connections: most })
    toldAt = performance.now()
    dropped = 0
    closed = 0
  }
  const close = (socket: Socket | undefined) => {
    if (socket === undefined) return false
    forget(socket)
    socket.destroy()
    closed += 1
    tell()
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
      tell()
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
    // Half of the room is always for other addresses.
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

// Where there is no body, nobody may read to the end.
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The address that connections are counted by: whoever has an IPv6 address has a whole network of them. */
export function addressOf({ remoteAddress = '' }: { readonly remoteAddress?: string | undefined }): string {
  const plain = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = after === undefined ? 0 : 8 - groups(before).length - groups(after).length
  const all = [...groups(before), ...Array.from({ length: missing }, () => '0'), ...groups(after ?? '')]
  return all.slice(0, 4).join(':')
}

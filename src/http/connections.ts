import type { Server } from 'node:http'
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
 * limit is near; at the limit the oldest one of the address with most of them goes, then the one that has been idle longest. Only where every
 * connection is being answered a new one is dropped. A proxy is not locked out: what it passes on is not silent.
 */
export function limitConnections(server: Server, { most, silentPerAddress, hurriedMs, log }: ConnectionLimits): void {
  /** Since when each is silent, by address; the oldest first. */
  const silent = new Map<string, Map<Socket, number>>()
  /** Those that wait for the next request; the one that waits longest first. */
  const idle = new Set<Socket>()
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
    const address = addresses.get(socket) ?? ''
    const own = silent.get(address)
    own?.delete(socket)
    if (own?.size === 0) silent.delete(address)
  }
  const oldestOf = (sockets: ReadonlyMap<Socket, unknown> | undefined) => sockets?.keys().next().value
  const makeRoom = () => {
    const [largest] = [...silent.values()].sort((a, b) => b.size - a.size)
    return close(oldestOf(largest)) || close(idle.values().next().value)
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
    const address = addressOf(socket)
    addresses.set(socket, address)
    const own = silent.get(address) ?? new Map<Socket, number>()
    silent.set(address, own.set(socket, performance.now()))
    socket.once('close', () => {
      open -= 1
      forget(socket)
    })
    // Half of the room is always for other addresses.
    if (own.size > Math.max(most / 2, silentPerAddress)) close(oldestOf(own))
    if (sweeping === undefined && (own.size > silentPerAddress || open >= most * NEAR)) sweep()
  })
  server.on('request', ({ socket }, outgoing) => {
    forget(socket)
    outgoing.once('close', () => {
      if (!socket.destroyed) idle.add(socket)
    })
  })
  server.once('close', () => clearTimeout(sweeping))
}

/** The address that connections are counted by: whoever has an IPv6 address has a whole network of them. */
export function addressOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  const plain = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const missing = after === undefined ? 0 : 8 - groups(before).length - groups(after).length
  const all = [...groups(before), ...Array.from({ length: missing }, () => '0'), ...groups(after ?? '')]
  return all.slice(0, 4).join(':')
}

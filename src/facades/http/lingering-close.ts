import type { RequestListener } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Time that a client has to take an answer that came before everything it sends was read. */
const LINGER_MS = 2_000

/**
 * Closes our direction of a connection, and the other one when the client closes or some time later: destroyed at once, with bytes unread,
 * it would be reset, which may take the answer back.
 */
export function closeLingering(socket: Duplex): void {
  socket.end()
  const destroying = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(destroying))
}

/** Lets clients take an answer that ends the connection while their body is still coming, such as that it is too large. */
export function lingeringOverBodies(listener: RequestListener): RequestListener {
  const lingering = new WeakSet<Socket>()
  return (incoming, outgoing) => {
    const { socket } = incoming
    // What follows the last answer of a connection is no request any more (RFC 9112, 9.6).
    if (lingering.has(socket)) return
    // What Node calls once the last answer of a connection is sent; a later request on it puts its own in this place.
    const close = () => Socket.prototype.destroySoon.call(socket)
    socket.destroySoon = () => {
      if (incoming.complete) return close()
      if (lingering.has(socket)) return
      lingering.add(socket)
      // Who has read so far reads no more, and would let the rest wait.
      incoming.removeAllListeners('data').once('end', close).resume()
      closeLingering(socket)
    }
    return listener(incoming, outgoing)
  }
}

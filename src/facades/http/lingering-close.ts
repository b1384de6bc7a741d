import type { RequestListener } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Time for a client to read a response that was sent before its request was read completely. */
const LINGER_MS = 2_000

/**
 * Closes our direction of a connection at once, the other one when the client closes or after a time-out. If the socket were destroyed with
 * unread bytes, the connection would be reset and the client could lose the response.
 */
export function closeLingering(socket: Duplex): void {
  socket.end()
  const destroying = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(destroying))
}

/** Lets clients read a response that ends the connection while they still send their body, such as 413. */
export function lingeringOverBodies(listener: RequestListener): RequestListener {
  const lingering = new WeakSet<Socket>()
  return (incoming, outgoing) => {
    const { socket } = incoming
    // Bytes after the last response of a connection are not a request (RFC 9112, 9.6).
    if (lingering.has(socket)) return
    // Node calls destroySoon when the last response of a connection is sent. The next request on the connection replaces this
    // function.
    const close = () => Socket.prototype.destroySoon.call(socket)
    socket.destroySoon = () => {
      if (incoming.complete) return close()
      if (lingering.has(socket)) return
      lingering.add(socket)
      // The previous reader has stopped, so the rest of the body must be drained here.
      incoming.removeAllListeners('data').once('end', close).resume()
      closeLingering(socket)
    }
    return listener(incoming, outgoing)
  }
}

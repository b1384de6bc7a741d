import { connect, type Socket } from 'node:net'

/** Sends bytes unchanged and returns what comes back until the connection closes. */
export function rawExchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

/** The status of a call to the service by this name. */
export async function statusUnder(url: string, host: string): Promise<string | undefined> {
  const answer = await rawExchange(url, `GET /api/metrics HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  return /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]
}

/** A connection that sends what it is given; `closed` resolves to what came until the service closed it, or broke it off. */
export interface RawConnection {
  readonly socket: Socket
  readonly closed: Promise<string>
}

/** Connects and sends the first bytes. */
export async function rawConnection(url: string, bytes = ''): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  // Being broken off is what is waited for.
  socket.on('error', () => {})
  if (bytes !== '') socket.write(bytes)
  return { socket, closed }
}

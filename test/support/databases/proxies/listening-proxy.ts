import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that keeps what clients send, and may change what the server says. */
export interface ListeningProxy {
  readonly port: number
  /** All bytes of the clients that have connected since the last call. */
  heard(): Buffer
  close(): Promise<void>
}

/** Listens on a free port; `change` rewrites each chunk of the server's, with its number from 0. */
export async function startListeningProxy(
  port: number,
  change: (chunk: Buffer, index: number) => Buffer = (chunk) => chunk,
): Promise<ListeningProxy> {
  const sockets = new Set<Socket>()
  let heard: Buffer[][] = []
  const server = createServer((inward) => {
    const outward = connect({ port, host: '127.0.0.1' })
    let index = 0
    const said: Buffer[] = []
    heard.push(said)
    inward.on('data', (chunk) => {
      said.push(chunk)
      outward.write(chunk)
    })
    outward.on('data', (chunk) => inward.write(change(chunk, index++)))
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    heard() {
      const all = Buffer.concat(heard.flat())
      heard = []
      return all
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

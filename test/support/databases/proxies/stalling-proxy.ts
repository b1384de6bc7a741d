import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be made to fall silent without closing, as a dying network does, or to be gone, as in a restart. */
export interface StallingProxy {
  /** `url` with the proxy's address in place of the server's. */
  readonly url: string
  stall(): void
  /** Ends every connection and accepts none. */
  cut(): void
  flow(): void
  close(): Promise<void>
}

/** Listens on a free local port and passes everything on to the server of `url`. */
export async function startStallingProxy(url: string): Promise<StallingProxy> {
  const target = new URL(url)
  const behind = { host: target.hostname, port: Number(target.port) }
  const sockets = new Set<Socket>()
  let stalled = false
  let isCut = false
  const server = createServer((inward) => {
    if (isCut) {
      inward.destroy()
      return
    }
    const outward = connect(behind)
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (!stalled) to.write(chunk)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target.port = String((server.address() as AddressInfo).port)
  target.hostname = '127.0.0.1'
  return {
    url: target.href,
    stall: () => {
      stalled = true
    },
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    flow: () => {
      stalled = false
      isCut = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

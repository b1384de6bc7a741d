import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The work of a relay on one connection: each function gets the chunks of one side. */
interface Passage {
  readonly fromClient: (chunk: Buffer) => void
  readonly fromServer: (chunk: Buffer) => void
}

/** The two ends of a connection through a relay. */
interface Ends {
  readonly client: Socket
  readonly server: Socket
}

/** A local port that leads to a server. */
interface Relay {
  readonly port: number
  /** Ends every connection. */
  cut(): void
  close(): Promise<void>
}

interface RelayOptions {
  /** The address to listen on. By default every address of the machine. */
  readonly host?: string
  /** Whether new connections are accepted. */
  readonly accepts?: () => boolean
}

/** Listens on a free port. `open` says what passes on a new connection. */
async function startRelay(
  to: { readonly host: string; readonly port: number },
  open: (ends: Ends) => Passage,
  { host, accepts = () => true }: RelayOptions = {},
): Promise<Relay> {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    if (!accepts()) {
      client.destroy()
      return
    }
    const server = connect(to)
    const passage = open({ client, server })
    for (const [from, other, pass] of [
      [client, server, passage.fromClient],
      [server, client, passage.fromServer],
    ] as const) {
      sockets.add(from)
      from.on('data', pass)
      from.on('error', () => other.destroy())
      from.on('close', () => {
        sockets.delete(from)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, host, resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (listener.address() as AddressInfo).port,
    cut,
    async close() {
      cut()
      await new Promise<void>((resolve) => listener.close(() => resolve()))
    },
  }
}

/** A relay on 127.0.0.1 to the server of a URL, with the URL that leads through it. */
export async function startRelayTo(
  url: string,
  open: (ends: Ends) => Passage,
  accepts: () => boolean = () => true,
): Promise<Relay & { readonly url: URL }> {
  const target = new URL(url)
  const relay = await startRelay({ host: target.hostname, port: Number(target.port) }, open, { host: '127.0.0.1', accepts })
  target.port = String(relay.port)
  target.hostname = '127.0.0.1'
  return { ...relay, url: target }
}

/** A way to a server that keeps the clients' bytes, and may change those of the server. */
export interface ListeningProxy {
  readonly port: number
  /** All bytes of the clients that have connected since the last call. */
  heard(): Buffer
  close(): Promise<void>
}

/** Listens on a free port. `change` rewrites each chunk of the server, with its number from 0. */
export async function startListeningProxy(
  port: number,
  change: (chunk: Buffer, index: number) => Buffer = (chunk) => chunk,
): Promise<ListeningProxy> {
  let heard: Buffer[][] = []
  const relay = await startRelay({ host: '127.0.0.1', port }, ({ client, server }) => {
    let index = 0
    const chunks: Buffer[] = []
    heard.push(chunks)
    return {
      fromClient(chunk) {
        chunks.push(chunk)
        server.write(chunk)
      },
      fromServer: (chunk) => void client.write(change(chunk, index++)),
    }
  })
  return {
    port: relay.port,
    heard() {
      const all = Buffer.concat(heard.flat())
      heard = []
      return all
    },
    close: relay.close,
  }
}

/** A way to a server that can fall silent without closing, as a dying network does, or be gone, as in a restart. */
export interface StallingProxy {
  /** The server's URL with the address of the proxy. */
  readonly url: string
  stall(): void
  /** Ends every connection and accepts none. */
  cut(): void
  flow(): void
  close(): Promise<void>
}

/** Listens on a free local port and passes everything on to the server of `url`. */
export async function startStallingProxy(url: string): Promise<StallingProxy> {
  let state: 'flowing' | 'stalled' | 'cut' = 'flowing'
  const relay = await startRelayTo(
    url,
    ({ client, server }) => ({
      fromClient(chunk) {
        if (state !== 'stalled') server.write(chunk)
      },
      fromServer(chunk) {
        if (state !== 'stalled') client.write(chunk)
      },
    }),
    () => state !== 'cut',
  )
  return {
    url: relay.url.href,
    stall() {
      state = 'stalled'
    },
    cut() {
      state = 'cut'
      relay.cut()
    },
    flow() {
      state = 'flowing'
    },
    close: relay.close,
  }
}

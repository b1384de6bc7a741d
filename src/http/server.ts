import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { MAX_HEADER_BYTES, malformedResponse, refuseConnection } from './malformed.ts'

/** Where the service listens; port 0 lets the system choose. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
}

export interface RunningServer {
  readonly url: string
  /** Stops accepting, lets running requests end within the grace period, then cuts the rest off. */
  stop(): Promise<void>
}

/** What answers requests: a Hono app is one. */
export interface Service {
  fetch(request: Request): Response | Promise<Response>
}

const GRACE_MS = 10_000

/** Listens until stopped. Rejects with the system's error when the address cannot be had. */
export function startServer(service: Service, { host, port }: ListenOptions, graceMs = GRACE_MS): Promise<RunningServer> {
  const listener = getRequestListener((request) => service.fetch(request), { errorHandler: malformedResponse })
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }, listener)
  server.on('clientError', refuseConnection)

  function stop(): Promise<void> {
    return new Promise((stopped, failed) => {
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
      server.close((error) => {
        clearTimeout(cutOff)
        if (error === undefined) stopped()
        else failed(error)
      })
      server.closeIdleConnections()
    })
  }

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve({ url: urlOf(host, typeof address === 'object' && address !== null ? address.port : port), stop })
    })
  })
}

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

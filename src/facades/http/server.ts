import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type ConnectionLimits, limitConnections, SILENT } from './connections.ts'
import type { Around } from './environment.ts'
import { lingeringOverBodies } from './lingering-close.ts'
import type { Log } from './log.ts'
import { MAX_HEADER_BYTES, malformedResponse, refuseConnection } from './malformed.ts'
import { cutOffSlowClients, PATIENCE, type Patience, serverTimes } from './slow-clients.ts'

/** Address and limits of the server. Port 0 lets the system choose. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  /**
   * Most connections at a time. If requests are being answered on all of them, new connections are dropped. Default: no limit.
   */
  readonly maxConnections?: number
  /** Limits of silent connections. Default: `SILENT`. */
  readonly silent?: Pick<ConnectionLimits, 'silentPerAddress' | 'hurriedMs'>
  readonly patience?: Patience
  /** Milliseconds for running requests to end when the service stops. */
  readonly graceMs?: number
  /** Logs dropped connections. */
  readonly log?: Log
}

export interface RunningServer {
  readonly url: string
  /** Stops accepting, lets running requests end within the grace period, then closes the rest. */
  stop(): Promise<void>
}

/** A handler of requests, such as a Hono app. */
export interface Service {
  fetch(request: Request, around: Around): Response | Promise<Response>
}

const GRACE_MS = 10_000

/** Listens until stopped. Rejects with the error of the system if it cannot listen on the address. */
export function startServer(service: Service, options: ListenOptions): Promise<RunningServer> {
  const { host, port, maxConnections, silent = SILENT, log, patience = PATIENCE, graceMs = GRACE_MS } = options
  const listener = getRequestListener((request, around) => service.fetch(request, around), { errorHandler: malformedResponse })
  const around = { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }
  const server = createServer({ ...around, ...serverTimes(patience) })
  cutOffSlowClients(server, patience)
  server.on('request', lingeringOverBodies(listener))
  server.on('clientError', refuseConnection)
  if (maxConnections !== undefined) limitConnections(server, { most: maxConnections, ...silent, log })

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

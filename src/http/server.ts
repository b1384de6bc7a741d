import { serve } from '@hono/node-server'

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

const GRACE_MS = 10_000

/** Listens until stopped. Rejects with the system's error when the address cannot be had. */
export function startServer(
  app: { fetch: (request: Request) => Response | Promise<Response> },
  options: ListenOptions,
): Promise<RunningServer> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: options.host, port: options.port }, (address) => {
      server.off('error', reject)
      resolve({ url: urlOf(options.host, address.port), stop })
    })
    server.once('error', reject)

    function stop(): Promise<void> {
      return new Promise((stopped, failed) => {
        const cutOff = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), GRACE_MS)
        server.close((error) => {
          clearTimeout(cutOff)
          if (error === undefined) stopped()
          else failed(error)
        })
        if ('closeIdleConnections' in server) server.closeIdleConnections()
      })
    }
  })
}

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

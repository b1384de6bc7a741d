import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A day before any amount of the sample, so that its rates apply to all of them. */
const HISTORY = 'Date,USD,JPY,GBP,CHF,\n2026-11-02,1.15,170,0.85,0.95,\n2020-01-02,1.1,160,0.8,1.0,\n'

/** A server in place of that of the European Central Bank. */
export interface RatePublisher {
  /** Answers with a history of two days. */
  readonly url: string
  /** Answers with status 500. */
  readonly brokenUrl: string
  /** Begins an answer that ends when the test says so. */
  readonly slowUrl: string
  /** How many requests came for the slow address. */
  slowRequests(): number
  /** From now on, every address answers with status 500, or no longer does. */
  breakDown(isBroken: boolean): void
  /** Ends the answers of the slow address. */
  release(): void
  close(): Promise<void>
}

export async function startRatePublisher(): Promise<RatePublisher> {
  const waiting: ServerResponse[] = []
  let slow = 0
  let isDown = false
  const server = createServer((request, response) => {
    if (isDown) return response.writeHead(500).end()
    if (request.url === '/history.csv') return response.end(HISTORY)
    if (request.url !== '/slow.csv') return response.writeHead(500).end()
    slow += 1
    response.write(HISTORY.slice(0, 10))
    return waiting.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/history.csv`,
    brokenUrl: `${origin}/broken`,
    slowUrl: `${origin}/slow.csv`,
    slowRequests: () => slow,
    breakDown: (isBroken) => {
      isDown = isBroken
    },
    release: () => {
      for (const response of waiting.splice(0)) response.end(HISTORY.slice(10))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

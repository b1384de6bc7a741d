import { Agent } from 'node:http'
import type { Service } from './checkout.ts'

const MEASURED_MS = 5_000

/** The outcome of some seconds of requests over a number of connections. */
export interface Rate {
  readonly a_second: number
  /** Milliseconds of the service's processor for each request. */
  readonly service: number
  readonly p50: number
  readonly p99: number
  /** Answers other than 200 and 304. */
  readonly refused: number
}

/** Asks over that many connections, each one request after the other. The clients share the machine with the service. */
export async function requestRate(
  service: Service,
  clients: number,
  next: (index: number) => { readonly path: string; readonly headers: Record<string, string> },
): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const clocks: number[] = []
  let refused = 0
  let index = 0
  const [used, began] = [service.processorMs(), performance.now()]
  const client = async (): Promise<void> => {
    while (performance.now() - began < MEASURED_MS) {
      const { path, headers } = next(index++)
      const { status, clock } = await service.ask(path, { headers, agent })
      if (status !== 200 && status !== 304) refused += 1
      clocks.push(clock)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - began) / 1000
  const processor = service.processorMs() - used
  agent.destroy()
  clocks.sort((a, b) => a - b)
  const at = (part: number) => clocks[Math.floor(part * clocks.length)] ?? 0
  return { a_second: clocks.length / seconds, service: processor / clocks.length, p50: at(0.5), p99: at(0.99), refused }
}

import { setTimeout } from 'node:timers/promises'
import { median } from '../measure.ts'
import { type Answered, type Place, type Service, serve } from './checkout.ts'
import type { BackendMeter, Cost } from './processor.ts'
import type { Measured } from './report.ts'

const PROBE_EVERY_MS = 20
export const MEGABYTE = 1e6

/** Asks a path again and again. The first answer does not count. */
export function latencies(service: Service, path: string): { stop(): Promise<Measured> } {
  const waits: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      waits.push((await service.ask(path)).clock)
      await setTimeout(PROBE_EVERY_MS)
    }
  })()
  // A failure shows when it is stopped, unless the service has ended before.
  asking.catch(() => {})
  return {
    async stop() {
      isOver = true
      await asking
      const sorted = waits.slice(1).sort((a, b) => a - b)
      const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(0)
      return sorted.length === 0 ? 'only one answer' : `${at(0.5)}; ${at(0.99)}; ${at(1)} ms (${sorted.length})`
    },
  }
}

/** Starts the service; the cost is until it listens. */
export async function startUp(backends: BackendMeter, place: Place, mode: 'auto' | 'off'): Promise<[Cost, Service]> {
  const began = performance.now()
  const before = await backends.total()
  const service = await serve(place, mode)
  const database = difference(await backends.total(), before)
  return [{ clock: performance.now() - began, service: service.processorMs(), database }, service]
}

/** The cost of some work, and its result. */
export async function costOf<T>(backends: BackendMeter, service: Service, work: () => Promise<T>): Promise<[Cost, T]> {
  const [database, processor, began] = [await backends.total(), service.processorMs(), performance.now()]
  const result = await work()
  const clock = performance.now() - began
  const used = service.processorMs() - processor
  return [{ clock, service: used, database: difference(await backends.total(), database) }, result]
}

/** An answer of that status. */
export async function answered(
  service: Service,
  path: string,
  headers: Record<string, string> = {},
  status = 200,
): Promise<Answered> {
  const answer = await service.ask(path, { headers })
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 500)}`)
  return answer
}

/** Medians of clock and processor, each for itself. */
export function middle(costs: readonly Cost[]): Cost {
  return costOfEach(costs, median)
}

/** Means of clock and processor. */
export function mean(costs: readonly Cost[]): Cost {
  return costOfEach(costs, (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length)
}

function costOfEach(costs: readonly Cost[], over: (numbers: readonly number[]) => number): Cost {
  const of = (name: keyof Cost) => {
    const known = costs.map((cost) => cost[name]).filter((value) => value !== null)
    return known.length === 0 ? null : over(known)
  }
  return { clock: of('clock') ?? 0, service: of('service'), database: of('database') }
}

/** Resident memory now and at its highest. */
export function memoryOf(service: Service): Measured {
  const { now, peak } = service.resident()
  return `${Math.round(now / MEGABYTE)}; ${Math.round(peak / MEGABYTE)} MB`
}

export function share(sum: number | null, count: number): number | null {
  return sum === null ? null : sum / count
}

export function difference(after: number | null, before: number | null): number | null {
  return after === null || before === null ? null : after - before
}

const SETTLED = { everyMs: 1_000, usedMs: 50, mostLooks: 300 }

/** Resolves when the work that follows a filling, or a start without a cache, has ended, such as the slow checks. */
export async function settled(service: Service, backends: BackendMeter): Promise<void> {
  const used = async () => (service.processorMs() ?? 0) + ((await backends.total()) ?? 0)
  for (let look = 0; look < SETTLED.mostLooks; look += 1) {
    const before = await used()
    await setTimeout(SETTLED.everyMs)
    if ((await used()) - before < SETTLED.usedMs) return
  }
}

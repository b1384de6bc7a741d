import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { loneRequest } from './lone-request.ts'

const PROBE_EVERY_MS = 500

/** The outcome of a load. */
export interface LoadOutcome {
  readonly connections: number
  /** Answers by status, and connections that failed without one under `failed`. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers of 503 without `retry-after`. */
  readonly unannounced: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly seconds: number
  /** Answers of /readyz by status, and the longest wait for /readyz and /healthz. */
  readonly readyz: Readonly<Record<string, number>>
  readonly readyz_ms: number
  readonly healthz_ms: number
}

/** Asks the paths over many connections, each in its own order, while a probe asks for readiness and life. */
export async function mixedLoad(
  url: string,
  paths: readonly string[],
  { connections, amount }: { readonly connections: number; readonly amount: number },
): Promise<LoadOutcome> {
  const statuses: Record<string, number> = {}
  let unannounced = 0
  let started = 0
  const record = (status: number, _body: string, _context: object, headers: Readonly<Record<string, unknown>> = {}) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 503 && headers['retry-after'] === undefined) unannounced += 1
  }
  const probing = probe(url)
  const run = autocannon({
    url,
    connections,
    amount,
    timeout: 120,
    setupClient: (client) => {
      client.setRequests(turned(paths, started).map((path) => ({ method: 'GET', path, onResponse: record })))
      started += 1
    },
  })
  const { latency, duration, errors } = await run
  const probed = await probing.stop()
  return {
    connections,
    statuses: errors === 0 ? statuses : { ...statuses, failed: errors },
    unannounced,
    p50_ms: latency.p50,
    p99_ms: latency.p99,
    seconds: duration,
    ...probed,
  }
}

/** The paths from another beginning and with another step for each connection. */
function turned(paths: readonly string[], turn: number): readonly string[] {
  const step = [1, 3, 7, 11, 13, 17, 19, 23].filter((one) => paths.length % one !== 0 || one === 1)
  const stride = step[turn % step.length] ?? 1
  return paths.map((_, index) => paths[(turn * 5 + index * stride) % paths.length] ?? '/')
}

function probe(url: string) {
  let isOver = false
  const readyz: Record<string, number> = {}
  let readyz_ms = 0
  let healthz_ms = 0
  const ask = async (path: string): Promise<[status: number, ms: number]> => {
    const began = performance.now()
    const { status } = await loneRequest(`${url}${path}`)
    return [status, performance.now() - began]
  }
  const all = (async () => {
    while (!isOver) {
      const [[ready, readyTook], [, healthTook]] = await Promise.all([ask('/readyz'), ask('/healthz')])
      readyz[ready] = (readyz[ready] ?? 0) + 1
      readyz_ms = Math.max(readyz_ms, readyTook)
      healthz_ms = Math.max(healthz_ms, healthTook)
      await sleep(PROBE_EVERY_MS)
    }
  })()
  return {
    async stop() {
      isOver = true
      await all
      return { readyz, readyz_ms, healthz_ms }
    },
  }
}

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { serveReady } from '../support/product/product-process.ts'
import { benchDatabase } from './bench-data.ts'
import { createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer } from './each-server.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Asks a served service for large answers, several at a time, and says how long others wait meanwhile.
  --size 2000          subscriptions (2000)
  --targets postgres   (postgres)
  --at-once 8          large answers at a time (8)
  --cache on           off: the answers come from the replica (on)
`

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2000' },
    targets: { type: 'string', default: 'postgres' },
    'at-once': { type: 'string', default: '8' },
    cache: { type: 'string', default: 'on' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  await eachServer(values.targets, async (server) => {
    const database = await benchDatabase(server, Number(values.size), { fresh: false, progress })
    const store = await createBenchStore()
    try {
      await (await openBenchEngine(database.url, store, 30_000)).close()
      const service = await serveReady({
        PLUMBLINE_DATABASE_URL: database.url,
        PLUMBLINE_STORE_URL: store.url,
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: BASE_CURRENCY,
        PLUMBLINE_NOW: NOW,
        PLUMBLINE_CACHE_MODE: values.cache,
        PLUMBLINE_LIMITS_STATEMENT_TIMEOUT_MS: '60000',
      })
      try {
        await measure(service.url, () => service.resident())
      } finally {
        await service.stop()
      }
    } finally {
      await store.remove()
    }
  })
}

async function measure(url: string, resident: () => number): Promise<void> {
  const customers = JSON.parse((await ask(`${url}/api/customers?limit=1`)).body.toString()).total
  const days = Math.min(1_000, Math.floor(240_000 / customers))
  const end = Date.parse('2026-11-20')
  const start = new Date(end - days * 86_400_000).toISOString().slice(0, 10)
  const mrr = `${url}/api/metrics/mrr?at=2026-11-01`
  process.stdout.write(`${customers} customers, ${days} days\n`)
  await report('idle', url, mrr, resident, () => sleep(3_000))
  for (const format of ['json', 'csv', 'xlsx']) {
    // A different last day each, so that none shares the answer of another.
    const path = (index: number) =>
      `${url}/api/metrics/mrr?start=${start}&end=${new Date(end - index * 86_400_000).toISOString().slice(0, 10)}&interval=day&dimensions=customer_id&format=${format}`
    await report(format, url, mrr, resident, async () => {
      const all = await Promise.all(Array.from({ length: Number(values['at-once']) }, (_, index) => ask(path(index))))
      process.stdout.write(
        `${format}: ${all.map(({ status, body }) => `${status} ${(body.length / 1e6).toFixed(1)}MB`).join(', ')}\n`,
      )
    })
  }
  const group = (segment: number) => ({
    version: 1,
    root: {
      op: 'or',
      conditions: Array.from({ length: 198 }, (_, index) => ({
        field: 'plan_id',
        op: 'contains',
        value: `p${segment}-${index}`,
      })),
    },
  })
  const body = JSON.stringify({
    params: { at: '2026-11-01' },
    spec: { compare: Array.from({ length: 10 }, (_, index) => JSON.stringify(group(index))) },
  })
  await report('segments', url, mrr, resident, async () => {
    const response = await fetch(`${url}/api/metrics/mrr`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    process.stdout.write(`ten segments of 198 conditions: ${response.status} ${(await response.text()).slice(0, 200)}\n`)
  })
}

/** Measures the waits of probes and of another reader during the work. */
async function report(name: string, url: string, mrr: string, resident: () => number, work: () => Promise<void>): Promise<void> {
  let isDone = false
  let most = resident()
  const health: number[] = []
  const reader: number[] = []
  const every = async (path: string, times: number[], pause: number) => {
    while (!isDone) {
      const begun = performance.now()
      await ask(path).catch(() => undefined)
      times.push(performance.now() - begun)
      most = Math.max(most, resident())
      await sleep(pause)
    }
  }
  const watching = [every(`${url}/healthz`, health, 20), every(mrr, reader, 100)]
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1e3
  isDone = true
  await Promise.all(watching)
  const text = (times: number[]) => ['p50', 'p99', 'max'].map((what) => `${what} ${quantile(times, what).toFixed(0)}`).join(' ')
  process.stdout.write(
    `${name}: ${seconds.toFixed(1)} s; /healthz ms ${text(health)}; MRR of another ms ${text(reader)}; RSS ${(most / 1e6).toFixed(0)} MB\n`,
  )
}

function quantile(times: readonly number[], what: string): number {
  const sorted = [...times].sort((a, b) => a - b)
  const share = what === 'p50' ? 0.5 : what === 'p99' ? 0.99 : 1
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

async function ask(url: string): Promise<{ status: number; body: Buffer }> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts) }
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}

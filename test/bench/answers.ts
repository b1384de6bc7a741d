import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type ServiceProcess, serveReady } from '../support/product/product-process.ts'
import { benchDatabase } from './bench-data.ts'
import { createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer, readSizes } from './each-server.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Requests a second and CPU of a request, of a served service with a filled cache: repeated, not modified (304) and new questions.
  --size 2000          subscriptions (2000)
  --targets postgres   (postgres)
  --clients 1,8,32     clients at a time
  --seconds 3          of each measurement
`

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2000' },
    targets: { type: 'string', default: 'postgres' },
    clients: { type: 'string', default: '1,8,32' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})

const REPEATED = [
  '/api/metrics/mrr?at=2026-11-01',
  '/api/metrics/mrr?start=2025-12-01&end=2026-11-20&interval=month&dimensions=plan_id',
  '/api/metrics/summary?end=2026-11-20',
]

/** Ticks of a second of CPU in /proc. */
const TICKS = 100

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  process.stdout.write(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`)
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, { fresh: false, progress: () => {} })
      const store = await createBenchStore()
      try {
        await (await openBenchEngine(database.url, store, 30_000)).close()
        const service = await serveReady({
          PLUMBLINE_DATABASE_URL: database.url,
          PLUMBLINE_STORE_URL: store.url,
          PLUMBLINE_DEFINITIONS_BASE_CURRENCY: BASE_CURRENCY,
          PLUMBLINE_NOW: NOW,
          PLUMBLINE_CACHE_MODE: 'on',
        })
        process.stdout.write(`${server.place.name}, ${size} subscriptions\n`)
        try {
          for (const clients of values.clients.split(',').map(Number)) await measure(service, clients)
        } finally {
          await service.stop()
        }
      } finally {
        await store.remove()
      }
    }
  })
}

async function measure({ url, process: { child } }: ServiceProcess, clients: number): Promise<void> {
  const pid = child.pid ?? 0
  const tags = new Map<string, string>()
  for (const path of REPEATED) tags.set(path, (await ask(`${url}${path}`)).headers['etag'] ?? '')
  let asked = 0
  const plainly = (path: string) => ({ path, tag: undefined })
  // Each is about other days, so none is remembered. Days run backwards from the recording's end, in ranges of different lengths.
  const fresh = () => {
    asked += 1
    const end = new Date(Date.parse('2026-11-20') - ((asked + clients * 37) % 600) * 86_400_000)
    const start = new Date(end.getTime() - (30 + Math.floor(asked / 600) + clients) * 86_400_000)
    const [from, to] = [start, end].map((day) => day.toISOString().slice(0, 10))
    return plainly(`/api/metrics/mrr?start=${from}&end=${to}&interval=week`)
  }
  const kinds: Readonly<Record<string, (turn: number) => { path: string; tag: string | undefined }>> = {
    repeated: (turn) => plainly(REPEATED[turn % REPEATED.length] ?? ''),
    'not modified': (turn) => {
      const path = REPEATED[turn % REPEATED.length] ?? ''
      return { path, tag: tags.get(path) }
    },
    new: fresh,
  }
  for (const [kind, next] of Object.entries(kinds)) {
    const until = performance.now() + Number(values.seconds) * 1_000
    const times: number[] = []
    const statuses = new Set<number | undefined>()
    const before = cpuSeconds(pid)
    const begun = performance.now()
    let turn = 0
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (performance.now() < until) {
        const { path, tag } = next(turn++)
        const at = performance.now()
        statuses.add((await ask(`${url}${path}`, tag, agent)).statusCode)
        times.push(performance.now() - at)
      }
      agent.destroy()
    }
    await Promise.all(Array.from({ length: clients }, client))
    const seconds = (performance.now() - begun) / 1_000
    const cpu = ((cpuSeconds(pid) - before) * 1_000) / times.length
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
    process.stdout.write(
      `${kind}, ${clients} clients: ${(times.length / seconds).toFixed(0)}/s, ${cpu.toFixed(2)} ms CPU each, p50 ${at(0.5)} p99 ${at(0.99)} ms, status ${[...statuses].join(',')}\n`,
    )
  }
}

async function ask(url: string, tag?: string, agent?: Agent): Promise<IncomingMessage> {
  const sent = request(url, { agent, headers: tag === undefined ? {} : { 'if-none-match': tag } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

/** CPU that a process has used, all of its threads. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

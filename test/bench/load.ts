import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type LoadOutcome, mixedLoad } from '../support/product/mixed-load.ts'
import { questionsTo } from '../support/product/mixed-requests.ts'
import { serveReady } from '../support/product/product-process.ts'
import { benchDatabase, count } from './bench-data.ts'
import { type BenchStore, createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer, readSizes } from './each-server.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Asks a served service with a filled cache for a bit of everything, and whether it is ready and alive twice a second.
  --size 10000                 subscriptions (10000)
  --targets postgres,mariadb   (postgres)
  --connections 32,200         clients at a time, one load after the other
  --amount 10000               requests of each load
`

const HEAD = [
  'Database',
  'Subscriptions',
  'Clients',
  'Statuses',
  'Requests/s',
  'p50 ms',
  'p99 ms',
  'RSS before MB',
  'RSS after MB',
  '/readyz',
  '/readyz worst ms',
  '/healthz worst ms',
]

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    targets: { type: 'string', default: 'postgres' },
    connections: { type: 'string', default: '32,200' },
    amount: { type: 'string', default: '10000' },
    help: { type: 'boolean', default: false },
  },
})

interface Row extends LoadOutcome {
  readonly target: string
  readonly subscriptions: number
  readonly resident: readonly [before: number, after: number]
}

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  const rows: Row[] = []
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, { fresh: false, progress })
      const store = await createBenchStore()
      try {
        const subscriptions = await count(database, 'subscriptions')
        rows.push(...(await loads(database.url, store)).map((row) => ({ ...row, target: server.place.name, subscriptions })))
      } finally {
        await store.remove()
        await database.drop()
      }
    }
  })
  const loadNow = loadavg().map((load) => load.toFixed(1))
  process.stdout.write(
    `- Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), load average at the end ${loadNow.join(', ')}\n\n`,
  )
  process.stdout.write(`${table(rows)}\n`)
}

async function loads(databaseUrl: string, store: BenchStore): Promise<Omit<Row, 'target' | 'subscriptions'>[]> {
  // Puts the rates into the store.
  await (await openBenchEngine(databaseUrl, store, 30_000)).close()
  progress('filling the cache')
  const service = await serveReady({
    PLUMBLINE_DATABASE_URL: databaseUrl,
    PLUMBLINE_STORE_URL: store.url,
    PLUMBLINE_DEFINITIONS_BASE_CURRENCY: BASE_CURRENCY,
    PLUMBLINE_NOW: NOW,
    PLUMBLINE_CACHE_MODE: 'on',
  })
  try {
    const questions = await questionsTo(service.url)
    const outcomes: Omit<Row, 'target' | 'subscriptions'>[] = []
    for (const connections of readSizes(values.connections)) {
      progress(`${connections} clients`)
      const before = service.resident()
      const outcome = await mixedLoad(service.url, questions, { connections, amount: Number(values.amount) })
      outcomes.push({ ...outcome, resident: [before, service.resident()] })
      progress(JSON.stringify(outcomes.at(-1)))
    }
    return outcomes
  } finally {
    await service.stop()
  }
}

function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.target,
    `${row.subscriptions}`,
    `${row.connections}`,
    `${statusesText(row.statuses)}${row.unannounced === 0 ? '' : `, ${row.unannounced} of them without retry-after`}`,
    (Object.values(row.statuses).reduce((sum, each) => sum + each, 0) / row.seconds).toFixed(0),
    row.p50_ms.toFixed(0),
    row.p99_ms.toFixed(0),
    ...row.resident.map((bytes) => (bytes / 1e6).toFixed(0)),
    statusesText(row.readyz),
    row.readyz_ms.toFixed(0),
    row.healthz_ms.toFixed(0),
  ])
  return [HEAD, HEAD.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function statusesText(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ')
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}

// The ledger from a cache and straight: `npx tsx test/bench/books.ts --size 100000`. It prints ratios, because the same run measures both.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { fixedClock } from '../../src/core/clock.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { ReadThrough } from '../../src/ports/read-through.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import { cacheOver, engineOver } from '../support/product/recorded-engine.ts'
import { benchDatabase, count } from './bench-data.ts'
import type { BenchDatabase } from './bench-database.ts'
import { eachServer, readSizes } from './each-server.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Fills a cache without the relations of the books, then one with them, and asks statements of the ledger of it and straight. Prints Markdown.
  --size 100000          subscriptions
  --targets postgres
  --memory 1024          cache.memory_mb
  --straight             also ask the billing database, which takes minutes at a large size
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres' },
    memory: { type: 'string', default: '1024' },
    straight: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
/** Relations of the books that a cache can hold. */
const BOOK_RELATIONS = RELATION_CONTRACTS.filter(({ name, is_held }) => is_held === true && name.startsWith('ledger_')).map(
  ({ name }) => name,
)
const STATEMENT_MS = 900_000
const DAY_MS = 86_400_000

const before = (day: string, days: number) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)
const years = (days: number) => ({ start: '2024-11-01', end: before('2026-10-31', days) })
const month = (days: number) => ({ start: '2026-10-01', end: before('2026-10-31', days) })

/** Statements of the ledger, and the rows of a cell. Each run asks about another day, so that no answer is remembered. */
const QUESTIONS: Readonly<Record<string, (engine: Engine, days: number) => Promise<unknown>>> = {
  'revenue of 24 months': (engine, days) => engine.query('ledger', { query_type: 'revenue', ...years(days) }),
  'receivables of a day by age': (engine, days) =>
    engine.query('ledger', { query_type: 'receivables', at: before('2026-03-31', days) }),
  'trial balance of a day': (engine, days) =>
    engine.query('ledger', { query_type: 'trial_balance', at: before('2026-03-31', days) }),
  'movements of 24 months': (engine, days) => engine.query('ledger', { query_type: 'movements', ...years(days) }),
  'rows of recognized revenue of a month': (engine, days) =>
    engine.metricRows('ledger', { query_type: 'revenue', ...month(days), measure: 'recognized', period: 'all', limit: '100' }),
  'MRR by month of 24 months, for comparison': (engine, days) => engine.query('mrr', { ...years(days), interval: 'month' }),
}
const RUNS = 3

/** Seconds of the fastest of some runs. */
async function secondsOf(work: (run: number) => Promise<unknown>, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now()
    await work(run)
    least = Math.min(least, performance.now() - began)
  }
  return least / 1_000
}

interface Filled {
  readonly engine: Engine
  readonly clock: number
  readonly processor: number
}

const options = () => ({
  clock: fixedClock(new Date(NOW)),
  tenant: ['alpha'],
  definitions: { base_currency: BASE_CURRENCY },
  settings: { statementTimeoutMs: STATEMENT_MS },
})

/** An engine with a filled cache that leaves these relations to the billing database. */
async function filled(database: BenchDatabase, straight: readonly string[]): Promise<Filled> {
  const { clock } = options()
  const killbill = createKillbillConnector({ tenant: ['alpha'], catalog: [] })
  if (killbill.mirror === undefined) throw new Error('the connector has no mirror')
  const connector = { ...killbill, mirror: { ...killbill.mirror, straight } }
  const caches: ReadThrough[] = []
  const engine = await engineOver(database, {
    ...options(),
    connector,
    cache: (executor, _, definitions) => {
      const patience = patienceFor(STATEMENT_MS)
      const onFailure = (error: unknown) => {
        throw error
      }
      const cache = cacheOver(executor, connector, { clock, definitions, memoryMb: Number(values.memory), patience, onFailure })
      caches.push(cache)
      return cache
    },
  })
  const usage = process.cpuUsage()
  const began = performance.now()
  await Promise.all(caches.map((cache) => cache.ready()))
  const { user, system } = process.cpuUsage(usage)
  return { engine, clock: (performance.now() - began) / 1_000, processor: (user + system) / 1e6 }
}

async function measure(database: BenchDatabase, title: string): Promise<void> {
  const items = await count(database, 'invoice_items')
  process.stdout.write(`\n${title}, ${items} items, load ${loadavg()[0]?.toFixed(0)}\n\n`)
  const without = await filled(database, BOOK_RELATIONS)
  await without.engine.close()
  const { engine, ...withBooks } = await filled(database, [])
  const direct = await engineOver(database, options())
  const share = (mine: number, other: number) =>
    `${mine.toFixed(1)} s beside ${other.toFixed(1)} s (${(mine / other).toFixed(2)})`
  process.stdout.write(`| | Cache${values.straight ? ' | Straight' : ''} |\n|---|---|${values.straight ? '---|' : ''}\n`)
  const line = (...cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  line('filling with the books, beside one without', share(withBooks.clock, without.clock))
  line('its processor', share(withBooks.processor, without.processor))
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const cached = await secondsOf((run) => ask(engine, run), RUNS)
    const straight = values.straight ? [`${(await secondsOf((run) => ask(direct, run), 1)).toFixed(2)} s`] : []
    line(name, `${cached.toFixed(2)} s`, ...straight)
  }
  await engine.close()
  await direct.close()
}

if (values.help) process.stdout.write(USAGE)
else
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, { fresh: false, progress: () => {} })
      await measure(database, `${server.place.name}, ${size} subscriptions`)
    }
  })

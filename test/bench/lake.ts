// A publication on Trino next to the filling of the cache: `npx tsx test/bench/lake.ts --size 100000`. Both read the same rows, in the same run.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { publish } from '../../src/cache/lake/publish.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Engine } from '../../src/engine/contract.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { findTrino, startTrino, startTrinoCluster, type TrinoPrograms } from '../support/databases/servers/trino.ts'
import { copyToTrino } from '../support/databases/trino-copy.ts'
import { publishedCache, publishOptions } from '../support/product/publication.ts'
import { cacheOver, engineOver } from '../support/product/recorded-engine.ts'
import { benchDatabase } from './bench-data.ts'
import { eachServer, readSizes } from './each-server.ts'
import { watchBackends } from './mirror/processor.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Publishes on a Trino server of its own, and fills the cache from the same PostgreSQL database. Prints processor seconds as Trino reports them, the clock, and the ratio to the filling.
  --size 100000          subscriptions
  --workers 0            0: one process. Otherwise a coordinator that takes no work and this number of workers
  --memory 4             gigabytes of memory of each process of Trino
  --parallel 4           steps at the same time
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '0' },
    memory: { type: 'string', default: '4' },
    parallel: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
})
const MEGABYTE = 2 ** 20
const STEP_MS = 3_600_000
const YEAR = { start: '2025-12-01', end: '2026-11-20' } as const
/** A new question of each kind, and one that reads no rows to speak of: what every question costs. */
const QUESTIONS: readonly (readonly [title: string, ask: (engine: Engine) => Promise<unknown>])[] = [
  ['MRR of a day', (engine) => engine.query('mrr', { at: '2026-10-31' })],
  ['MRR of another day', (engine) => engine.query('mrr', { at: '2026-09-30' })],
  ['12-month series by plan', (engine) => engine.query('mrr', { query_type: 'series', ...YEAR }, { dimensions: ['plan_id'] })],
  ['12-month waterfall', (engine) => engine.query('mrr', { query_type: 'waterfall', ...YEAR, interval: 'month' })],
  ['NRR of 12 months', (engine) => engine.query('retention', { query_type: 'nrr', ...YEAR })],
  ['MRR of a day before all rows', (engine) => engine.query('mrr', { at: '2001-01-01' })],
]

interface Spent {
  readonly label: string
  readonly seconds: number
}

/** An executor that notes what each statement has cost. */
function metered(executor: Executor, spent: Spent[]): Executor {
  const noting = (statement: Statement): Statement => ({
    ...statement,
    onCost: ({ cpu_ms }) => spent.push({ label: statement.label, seconds: cpu_ms / 1_000 }),
  })
  return {
    ...executor,
    withSnapshot: (work, options) =>
      executor.withSnapshot(
        (snapshot) =>
          work({
            ...snapshot,
            query: (statement) => snapshot.query(noting(statement)),
            stream: (statement) => snapshot.stream(noting(statement)),
          }),
        options,
      ),
  }
}

/** One process, or a coordinator with workers. */
async function startWith(programs: TrinoPrograms, postgresUrl: string, workers: number, java: readonly string[]) {
  if (workers === 0) return startTrino(programs, postgresUrl, { javaOptions: java })
  const cluster = await startTrinoCluster(programs, postgresUrl, { javaOptions: java })
  for (let started = 0; started < workers; started += 1) await cluster.addWorker()
  return cluster
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function sumOf(spent: readonly Spent[]): number {
  return spent.reduce((sum, { seconds }) => sum + seconds, 0)
}

if (values.help) process.stdout.write(USAGE)
else
  await eachServer('postgres', async (server) => {
    // biome-ignore lint/style/noProcessEnv: the run's own switches, no product configuration
    const programs = findTrino(process.env)
    if ('missing' in programs) throw new Error(`Trino needs ${programs.missing.join(', ')}`)
    const connector = createKillbillConnector({ tenant: ['alpha'], catalog: [] })
    const definitions = definitionsSchema.parse({ base_currency: BASE_CURRENCY })
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, { fresh: false, progress: () => {} })
      const executor = database.executor({ poolSize: 3, statementTimeoutMs: STEP_MS })
      const backends = await watchBackends(await server.open(database.name))
      const cache = cacheOver(executor, connector, { clock: fixedClock(new Date(NOW)), definitions, memoryMb: 1_024 })
      const [began, before] = [performance.now(), process.cpuUsage()]
      const readBefore = (await backends.total()) ?? 0
      await cache.ready()
      const { user, system } = process.cpuUsage(before)
      const fillClock = (performance.now() - began) / 1_000
      const fill = (user + system) / 1e6 + (((await backends.total()) ?? 0) - readBefore) / 1_000
      await cache.close()
      await backends.close()
      say(
        `${size} subscriptions. The filling: ${fillClock.toFixed(0)} s, processor of service and database ${fill.toFixed(0)} s.`,
      )

      const workers = Number(values.workers)
      const java = [`-Xmx${values.memory}G`]
      const trino = await startWith(programs, server.place.url, workers, java)
      try {
        const copy = await copyToTrino(trino, database)
        const spent: Spent[] = []
        const writer = metered(
          copy.executor({ trino: { mayWrite: true }, poolSize: Number(values.parallel) + 1, statementTimeoutMs: STEP_MS }),
          spent,
        )
        const options = {
          ...publishOptions({
            connector,
            writer,
            billing: { catalog: 'lake', schema: copy.schema },
            place: { catalog: 'lake', schema: `${copy.schema}_p` },
            told: [],
            failures: [],
          }),
          definitions,
          header: { version: '1', code: '', identity: '', definitions },
          parallel: Number(values.parallel),
        }
        const publishing = performance.now()
        const made = await publish(options, new AbortController().signal)
        const clock = (performance.now() - publishing) / 1_000
        await writer.close()
        const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0)
        const cpu = sumOf(spent)
        say(
          `Publication with ${workers === 0 ? 'one process' : `${workers} workers`}: ${clock.toFixed(0)} s, processor of Trino ${cpu.toFixed(0)} s in ${spent.length} statements, ${rows} rows. Processor to the filling: ${(cpu / fill).toFixed(1)}. Load ${loadavg()[0]?.toFixed(0)}.`,
        )
        const largest = [...spent].sort((one, other) => other.seconds - one.seconds).slice(0, 8)
        say(`Largest statements: ${largest.map(({ label, seconds }) => `${label} ${seconds.toFixed(1)} s`).join(', ')}.`)
        say(
          `This process: ${Math.round(process.memoryUsage().rss / MEGABYTE)} MB resident, of which the filling's heap is a part.`,
        )

        const asked: Spent[] = []
        const engine = await engineOver(database, {
          tenant: ['alpha'],
          definitions,
          cache: () => publishedCache(options, metered(copy.executor(), asked)),
        })
        for (const [title, ask] of QUESTIONS) {
          asked.length = 0
          const start = performance.now()
          await ask(engine)
          const first = performance.now() - start
          const cost = sumOf(asked)
          const again = performance.now()
          await ask(engine)
          say(
            `${title}: ${first.toFixed(0)} ms, processor of Trino ${cost.toFixed(1)} s in ${asked.length} statements; repeated ${(performance.now() - again).toFixed(1)} ms`,
          )
        }
        await engine.close()
      } finally {
        await trino.close()
        await database.drop()
      }
    }
  })

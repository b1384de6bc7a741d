// The first filling of a cache by the size of its buckets: `npx tsx test/bench/fill.ts --bucket 5000`. One process for each size, for its memory.
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { cacheOver } from '../support/product/recorded-engine.ts'
import { benchDatabase } from './bench-data.ts'
import { eachServer, readSizes } from './each-server.ts'
import { createFillParts } from './mirror/fill-parts.ts'
import { watchBackends } from './mirror/processor.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Fills a stored cache in this process once for each database. Prints the clock, the processor's time of the process and of the database, and the highest resident memory.
  --size 100000          subscriptions
  --targets postgres
  --bucket 10000         customers that are filled together (the product's own choice)
  --memory 1024          cache.memory_mb
  --parts                the time of each statement
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres' },
    bucket: { type: 'string' },
    memory: { type: 'string', default: '1024' },
    parts: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const MEGABYTE = 2 ** 20
const KILOBYTES = 1_024
const STATEMENT_MS = 900_000

if (values.help) process.stdout.write(USAGE)
else
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, { fresh: false, progress: () => {} })
      const stored = await mkdtemp(join(tmpdir(), 'plumbline-fill-'))
      const executor = database.executor({ poolSize: 3, statementTimeoutMs: STATEMENT_MS })
      const parts = values.parts ? createFillParts() : undefined
      const cache = cacheOver(
        parts?.executor(executor) ?? executor,
        createKillbillConnector({ tenant: ['alpha'], catalog: [] }),
        {
          clock: fixedClock(new Date(NOW)),
          definitions: definitionsSchema.parse({ base_currency: BASE_CURRENCY }),
          stored,
          wrap: parts?.database,
          memoryMb: Number(values.memory),
          ...(values.bucket !== undefined && { bucket: Number(values.bucket) }),
          patience: patienceFor(STATEMENT_MS),
          onFailure: (error) => {
            throw error
          },
        },
      )
      const backends = await watchBackends(await server.open(database.name))
      try {
        const databaseBefore = await backends.total()
        const [began, before] = [performance.now(), process.cpuUsage()]
        await cache.ready()
        const { user, system } = process.cpuUsage(before)
        const clock = (performance.now() - began) / 1_000
        const databaseSeconds = ((await backends.total()) ?? 0) / 1_000 - (databaseBefore ?? 0) / 1_000
        const { rss } = process.memoryUsage()
        const peak = (process.resourceUsage().maxRSS * KILOBYTES) / MEGABYTE
        const memory = `${Math.round(rss / MEGABYTE)} MB resident, ${Math.round(peak)} MB at most`
        process.stdout.write(
          `${server.place.name} ${size}, buckets of ${values.bucket ?? 'the usual size'}: ${clock.toFixed(1)} s, processor ${((user + system) / 1e6).toFixed(1)} s, database ${databaseSeconds.toFixed(1)} s, ${memory}, load ${loadavg()[0]?.toFixed(0)}\n`,
        )
        if (parts !== undefined) process.stdout.write(`${parts.table()}\n`)
      } finally {
        await backends.close()
        await cache.close()
        await rm(stored, { recursive: true, force: true })
        await database.drop()
      }
    }
  })

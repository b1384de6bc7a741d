import type { BenchDatabase, BenchServer } from './bench-database.ts'
import { seconds } from './cost-table.ts'
import { eachServer, readSizes } from './each-server.ts'
import { type BackendMeter, watchBackends } from './mirror/processor.ts'

/** `fresh`: rebuilds a database of an earlier run. `progress` receives the name of each step. */
export interface Making {
  readonly fresh: boolean
  readonly progress: (text: string) => void
}

/**
 * The database of this name. `generate` makes its rows, and the table `marker` last, unless an earlier run has done so and it is not to be
 * `fresh`. A database without the marker is made again.
 */
export async function keptDatabase(
  server: BenchServer,
  { name, marker, fresh }: Pick<Making, 'fresh'> & { readonly name: string; readonly marker: string },
  generate: (database: BenchDatabase) => Promise<void>,
): Promise<BenchDatabase> {
  if ((await server.list()).includes(name) && !fresh) {
    const database = await server.open(name)
    if ((await database.adminQuery(`select to_regclass('${marker}') as marker`))[0]?.['marker'] !== null) return database
    await database.drop()
  }
  await server.drop(name)
  await server.create(name)
  const database = await server.open(name)
  await generate(database)
  return database
}

/** Makes a database of each size on PostgreSQL, and measures it together with the processor's time of its backends. */
export async function measureSizes(
  { sizes, fresh }: Pick<Making, 'fresh'> & { readonly sizes: string },
  make: (server: BenchServer, size: number, making: Making) => Promise<BenchDatabase>,
  measure: (database: BenchDatabase, backends: BackendMeter) => Promise<void>,
): Promise<void> {
  await eachServer('postgres', async (server) => {
    for (const size of readSizes(sizes)) {
      const began = performance.now()
      const progress = (text: string) => process.stdout.write(`${seconds(performance.now() - began)} s: ${text}\n`)
      const database = await make(server, size, { fresh, progress })
      const backends = await watchBackends(await server.open(database.name))
      try {
        await measure(database, backends)
      } finally {
        await backends.close()
        await database.drop()
      }
    }
  })
}

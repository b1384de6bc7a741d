import { parseArgs } from 'node:util'
import { benchDatabase, count } from './bench-data.ts'
import { type BenchServer, DATABASE_PREFIX } from './bench-database.ts'
import { eachServer, readSizes } from './each-server.ts'

const USAGE = `Makes the databases of the benchmarks and keeps them.
  --size 100000,250000   at least that many subscriptions of tenant alpha (100000)
  --targets postgres,mariadb
  --fresh                make them anew
  --drop                 remove every database of the benchmarks instead
`

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres,mariadb' },
    fresh: { type: 'boolean', default: false },
    drop: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  const sizes = readSizes(values.size)
  await eachServer(values.targets, async (server) => {
    if (values.drop) return dropAll(server)
    for (const size of sizes) await make(server, size)
  })
}

async function make(server: BenchServer, size: number): Promise<void> {
  const started = performance.now()
  let stepStarted = started
  const progress = (text: string): void => {
    const now = performance.now()
    process.stdout.write(` ${seconds(now - stepStarted)}\n  ${text} …`)
    stepStarted = now
  }
  process.stdout.write(`${server.place.name} ${size}:`)
  const database = await benchDatabase(server, size, { fresh: values.fresh, progress })
  const subscriptions = await count(database, 'subscriptions')
  const events = await count(database, 'subscription_events', 'is_active = true')
  await database.drop()
  process.stdout.write(
    `\n${server.place.name}: ${database.name}, ${subscriptions} subscriptions, ${events} active events, ${seconds(performance.now() - started)}\n`,
  )
}

async function dropAll(server: BenchServer): Promise<void> {
  for (const name of await server.list()) {
    if (!name.startsWith(DATABASE_PREFIX)) continue
    await server.drop(name)
    process.stdout.write(`${server.place.name}: dropped ${name}\n`)
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

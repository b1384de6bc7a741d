import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/core/package-root.ts'
import { benchDatabase, count } from './bench-data.ts'
import type { BenchDatabase, BenchServer } from './bench-database.ts'
import { eachServer, readSizes } from './each-server.ts'
import { incumbentOf } from './incumbent.ts'
import { type Checkout, checkoutAt, importRates } from './mirror/checkout.ts'
import { copyRawTables } from './mirror/floor.ts'
import { measureCheckout, PARTS, type Part } from './mirror/parts.ts'
import { type BackendMeter, watchBackends } from './mirror/processor.ts'
import { QUESTIONS } from './mirror/questions.ts'
import { type Measured, markdownOf, type Outcome } from './mirror/report.ts'
import { forgetTouches } from './mirror/touch.ts'

const USAGE = `Measures the cache of a service, as built, with its processor's time and that of the database. Prints Markdown.
  --size 100000,250000         subscriptions (100000); databases are made on first use and kept
  --targets postgres,mariadb
  --checkout <folder>          the checkout to measure, installed and built (this one)
  --against <folder>           another one, measured before it, for ratios
  --parts fill,questions,…     of ${PARTS.join(', ')} (all but cross)
  --memory 1024                cache.memory_mb
  --save <file>                JSON of all outcomes: those of earlier runs in the file are printed too
`

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    targets: { type: 'string', default: 'postgres,mariadb' },
    checkout: { type: 'string', default: packageRoot() },
    against: { type: 'string' },
    parts: { type: 'string', default: PARTS.filter((part) => part !== 'cross').join(',') },
    memory: { type: 'string', default: '1024' },
    save: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  const wanted = new Set(values.parts.split(',').map(partNamed))
  const roots = [...(values.against === undefined ? [] : [resolve(values.against)]), resolve(values.checkout)]
  const checkouts = await Promise.all(roots.map(checkoutAt))
  let outcomes: readonly Outcome[] = []
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      outcomes = await withEarlier([...outcomes, await runSize(server, size, checkouts, wanted)])
    }
  })
  process.stdout.write(`${markdownOf(outcomes)}\n`)
}

async function runSize(
  server: BenchServer,
  size: number,
  checkouts: readonly Checkout[],
  wanted: ReadonlySet<Part>,
): Promise<Outcome> {
  const loadBefore = loadavg()[0]
  const database = await benchDatabase(server, size, { fresh: false, progress })
  const backends = await watchBackends(await server.open(database.name))
  try {
    await forgetTouches(database)
    const [subscriptions, accounts] = [await count(database, 'subscriptions'), await count(database, 'accounts')]
    const alone = await measureDatabase(database, backends, wanted)
    const served: Record<string, Measured>[] = []
    const answers: ReadonlyMap<string, string>[] = []
    for (const checkout of checkouts) {
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
      try {
        const place = { checkout, directory, databaseUrl: database.url, memoryMb: Number(values.memory) }
        await importRates(place)
        const found: Record<string, Measured> = {}
        const record = (title: string, measured: Measured): void => {
          found[title] = measured
          progress(`${server.place.name} ${size} ${checkout.name}: ${title}: ${JSON.stringify(measured)}`)
        }
        answers.push(await measureCheckout({ place, database, backends, accounts, record }, wanted))
        served.push(found)
      } finally {
        await rm(directory, { recursive: true, force: true })
        await forgetTouches(database)
      }
    }
    const loads = `load ${loadBefore?.toFixed(1)} at the start, ${loadavg()[0]?.toFixed(1)} at the end`
    const circumstances = `${await server.describe()}; ${loads}`
    const names = checkouts.map(({ name }) => name)
    return {
      target: server.place.name,
      subscriptions,
      accounts,
      circumstances,
      checkouts: names,
      alone,
      served,
      agreement: agreementOf(answers),
    }
  } finally {
    await backends.close()
    await database.drop()
  }
}

/** Floor and incumbent. */
async function measureDatabase(
  database: BenchDatabase,
  backends: BackendMeter,
  wanted: ReadonlySet<Part>,
): Promise<Record<string, Measured>> {
  const found: Record<string, Measured> = {}
  const record = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    const [before, began] = [await backends.total(), performance.now()]
    await work()
    const clock = performance.now() - began
    const after = await backends.total()
    found[title] = { clock, service: null, database: after === null || before === null ? null : after - before }
    progress(`${title}: ${clock.toFixed(0)} ms`)
  }
  if (wanted.has('floor')) {
    // The first time, the pages come from the disk.
    await record('plain copy of the raw tables, first time', () => copyRawTables(database))
    await record('plain copy of the raw tables, again', () => copyRawTables(database))
  }
  if (!wanted.has('incumbent')) return found
  const incumbent = incumbentOf(database)
  try {
    await record('table of transitions: made', () => incumbent.setUp())
    await record('its MRR of each day of 36 months', () => incumbent.dailyMrr())
    await record('its MRR of now', () => incumbent.point())
    for (const accounts of [1, 100, 10_000])
      await record(`it renewed for ${accounts.toLocaleString('en')} accounts`, () => incumbent.refresh(accounts))
  } finally {
    await incumbent.drop()
  }
  return found
}

function agreementOf([before, now]: readonly ReadonlyMap<string, string>[]): string {
  if (before === undefined || now === undefined || before.size === 0) return ''
  // Earlier checkouts do not mark the period that is not over.
  const plain = (answer: string | undefined) => answer?.replaceAll(',"is_partial":true', '')
  const apart = QUESTIONS.map(({ title }) => title).filter((title) => plain(before.get(title)) !== plain(now.get(title)))
  return apart.length === 0 ? 'All thirteen answers are equal.' : `Answers differ: ${apart.join(', ')}.`
}

/** Outcomes of the file, new ones in the place of older ones of the same database. Writes them back. */
async function withEarlier(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  const { save } = values
  if (save === undefined) return outcomes
  const earlier = JSON.parse(await readFile(save, 'utf8').catch(() => '[]')) as Outcome[]
  const isOf = (a: Outcome) => (b: Outcome) => a.target === b.target && a.subscriptions === b.subscriptions
  const all = [...earlier.filter((old) => !outcomes.some(isOf(old))), ...outcomes]
  await writeFile(save, JSON.stringify(all, null, 2))
  return all
}

function partNamed(name: string): Part {
  const part = PARTS.find((each) => each === name)
  if (part === undefined) throw new Error(`no part ${name}; there are ${PARTS.join(', ')}`)
  return part
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}

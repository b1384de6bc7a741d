// Where the processor's time of a refresh goes: `npx tsx test/bench/refresh.ts`. Planning costs the same at any size, so a small database will do.
import { parseArgs } from 'node:util'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { CacheDatabase, CacheWriter } from '../../src/ports/cache-database.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { cacheOver } from '../support/product/recorded-engine.ts'
import { benchDatabase } from './bench-data.ts'
import type { BenchDatabase } from './bench-database.ts'
import { eachServer, readSizes } from './each-server.ts'
import { median } from './measure.ts'
import { forgetTouches, linkAccounts, touch } from './mirror/touch.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const USAGE = `Changes accounts, each time other ones, and refreshes a cache in this process. Prints the processor's time of each part of a refresh in Markdown.
  --size 2000            subscriptions
  --targets postgres
  --accounts 1           accounts that change at a time
  --rounds 40            refreshes
  --statements           each statement is a part
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2000' },
    targets: { type: 'string', default: 'postgres' },
    accounts: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '40' },
    statements: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [ROUNDS, ACCOUNTS] = [Number(values.rounds), Number(values.accounts)]
/** Refreshes before the first one that counts. */
const WARM = 5
/** Accounts between two that change. */
const APART = 37

if (values.help) process.stdout.write(USAGE)
else
  await eachServer(values.targets, async (server) => {
    for (const size of readSizes(values.size)) {
      const database = await benchDatabase(server, size, { fresh: false, progress: () => {} })
      try {
        await measure(database, `${server.place.name}, ${size} subscriptions`)
      } finally {
        await forgetTouches(database)
        await database.drop()
      }
    }
  })

async function measure(database: BenchDatabase, title: string): Promise<void> {
  const meter = createMeter()
  const definitions = definitionsSchema.parse({ base_currency: BASE_CURRENCY })
  const clock = fixedClock(new Date(NOW))
  const connector = createKillbillConnector({ tenant: ['alpha'], catalog: [] })
  const cache = cacheOver(meteredExecutor(database.executor({ poolSize: 3 }), meter), connector, {
    clock,
    definitions,
    wrap: (real) => meteredDatabase(real, meter),
    onFailure: (error) => {
      throw error
    },
  })
  const refresh = async (): Promise<void> => {
    const answered = await cache.read(
      () => ({ now: clock.now(), definitions }),
      async () => true,
      undefined,
      () => ({ value: true }),
    )
    if (answered === null) throw new Error(`the cache does not answer: ${JSON.stringify(cache.statistics())}`)
  }
  const run = async (name: string, change: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; round < WARM + ROUNDS; round += 1) {
      if (round === WARM) meter.reset()
      await change(round)
      await meter.part('the rest', refresh, true)
    }
    process.stdout.write(`\n${title}: ${name}, ${meter.median().toFixed(1)} ms\n\n${meter.table()}\n`)
  }
  try {
    await cache.ready()
    await forgetTouches(database)
    await refresh()
    await run('nothing has changed', async () => {})
    const change = (round: number) => touch(database, ACCOUNTS, 'bundle', APART * (round % ROUNDS))
    await run(`${ACCOUNTS} changed`, change)
    await linkAccounts(database, ROUNDS, APART)
    await refresh()
    await run(`${ACCOUNTS} changed, each with a payer`, change)
  } finally {
    await cache.close()
  }
}

/** Adds up the processor's time of this process by parts. A part within another one does not count as the other one's. */
interface Meter {
  part<T>(name: string, work: () => Promise<T>, isWhole?: boolean): Promise<T>
  reset(): void
  /** Milliseconds of the median of the whole ones. */
  median(): number
  table(): string
}

function createMeter(): Meter {
  const parts = new Map<string, { count: number; milliseconds: number }>()
  const whole: number[] = []
  let inner = 0
  return {
    async part(name, work, isWhole = false) {
      const [before, innerBefore] = [process.cpuUsage(), inner]
      try {
        return await work()
      } finally {
        const { user, system } = process.cpuUsage(before)
        const milliseconds = (user + system) / 1_000
        const part = parts.get(name) ?? { count: 0, milliseconds: 0 }
        parts.set(name, { count: part.count + 1, milliseconds: part.milliseconds + milliseconds - (inner - innerBefore) })
        inner = innerBefore + milliseconds
        if (isWhole) whole.push(milliseconds)
      }
    },
    reset() {
      parts.clear()
      whole.length = 0
    },
    median: () => median(whole),
    table() {
      const rows = [...parts].sort(([, a], [, b]) => b.milliseconds - a.milliseconds)
      const each = (sum: number) => (sum / whole.length).toFixed(1)
      const lines = rows.map(([name, { count, milliseconds }]) => `| ${name} | ${each(count)} | ${each(milliseconds)} |`)
      return ['| Part | Times | Milliseconds |', '|---|---|---|', ...lines].join('\n')
    },
  }
}

function meteredExecutor(real: Executor, meter: Meter): Executor {
  return {
    ...real,
    withSnapshot: (work, options) =>
      meter.part('database: begin and end of the snapshot', () =>
        real.withSnapshot(
          (snapshot) =>
            meter.part('the rest', () =>
              work({ ...snapshot, query: (statement) => meter.part(onReplica(statement), () => snapshot.query(statement)) }),
            ),
          options,
        ),
      ),
  }
}

function onReplica({ label, text }: Statement): string {
  const name = label ?? text.slice(0, 40)
  if (values.statements) return `database: ${name}`
  return name.startsWith('mirror.') ? 'database: raw rows' : 'database: look'
}

function meteredDatabase(real: CacheDatabase, meter: Meter): CacheDatabase {
  return {
    ...real,
    scratch: async () => {
      const scratch = await real.scratch()
      return {
        ...scratch,
        ...metered(scratch, 'scratch', meter),
        undone: (work) => meter.part('scratch: begin and rollback', () => scratch.undone(work)),
      }
    },
    write: (work) => real.write((writer) => work({ ...writer, ...metered(writer, 'cache', meter) })),
  }
}

function metered(writer: CacheWriter, place: string, meter: Meter): Pick<CacheWriter, 'query' | 'append' | 'transaction'> {
  const within = ({ label, text }: Statement): string => {
    const [, verb = '', first = ''] = /^(?:\/\*.*?\*\/)?\s*(\w+)\s+(?:into |from )?([\w."]*)/s.exec(text) ?? []
    return `${place}: ${verb}${values.statements ? ` ${label === undefined || label === 'mirror' ? first : label}` : ''}`
  }
  return {
    query: (statement) => meter.part(within(statement), () => writer.query(statement)),
    append: (table, ...rest) =>
      meter.part(`${place}: append${values.statements ? ` ${table}` : ''}`, () => writer.append(table, ...rest)),
    transaction: (work) => meter.part(`${place}: begin and commit`, () => writer.transaction(work)),
  }
}

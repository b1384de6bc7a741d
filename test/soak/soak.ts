import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectServer } from '../bench/bench-database.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { dice } from '../support/data/histories/seeded-dice.ts'
import { requestPath } from '../support/product/random-requests.ts'
import { call } from './calls.ts'
import { startPostgres } from './postgres-server.ts'
import { report } from './report.ts'
import { startServed } from './served.ts'
import { createTally } from './tally.ts'
import { createTurns } from './turns.ts'
import { createWriting } from './writing.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    accounts: { type: 'string', default: '400' },
    readers: { type: 'string', default: '12' },
    store: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const SEED = Number(values.seed)
const READERS = Number(values.readers)
const DATABASE = 'soak'
const STATEMENT_MS = 10_000
const QUEUE_MS = 3_000
/**
 * The longest that any request may take: it waits its turn, opens a connection, its statements take their time, and one that
 * fails in the cache is asked again of the database.
 */
const LIMIT_MS = 2 * (STATEMENT_MS + QUEUE_MS) + 10_000
/** How long after a restart, and after connections were cut, the service may call itself not ready. */
const EXCUSED_MS = 10_000
const EXCUSED_MS_OF_A_CUT = 1_500
const ROWS_OF_AN_IMPORT = 3_000

const out = (line: string): void => void process.stdout.write(`${line}\n`)
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

out(`seed ${SEED}, ${values.minutes} minutes, ${values.accounts} accounts, ${READERS} readers`)
const directory = await mkdtemp(join(tmpdir(), 'plumbline-soak-'))
const postgres = await startPostgres()
let failed = true
try {
  failed = !(await soak())
} finally {
  await postgres.remove()
  await rm(directory, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function soak(): Promise<boolean> {
  const draw = dice(SEED)
  const server = await connectServer({ name: 'postgres', url: postgres.url })
  await server.create(DATABASE)
  const database = await server.open(DATABASE)
  const { tables } = await fillDatabase(
    {
      name: 'postgres',
      dialect: database.dialect,
      createDatabase: async () => database,
      sharedDatabase: async () => database,
    },
    generatedHistory(SEED, Number(values.accounts)),
  )
  // Their connections would break with the server; the writer opens its own.
  await database.drop()
  await server.close()

  const environment = {
    PLUMBLINE_DATABASE_URL: database.url,
    PLUMBLINE_CONNECTOR_TENANT: 'all',
    PLUMBLINE_STORE_URL: values.store === 'postgres' ? database.url : `sqlite:${join(directory, 'store.db')}`,
    PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
    PLUMBLINE_DEFINITIONS_ALLOW_UNPRICED: 'true',
    PLUMBLINE_LIMITS_STATEMENT_TIMEOUT_MS: String(STATEMENT_MS),
    PLUMBLINE_LIMITS_QUEUE_MS: String(QUEUE_MS),
  }
  const cached = await startServed({ ...environment, PLUMBLINE_CACHE_MODE: 'auto' })
  const direct = await startServed({ ...environment, PLUMBLINE_CACHE_MODE: 'off' })
  const tally = createTally(LIMIT_MS)
  const health = createTally(LIMIT_MS)
  const compared = { equal: 0, different: [] as string[], skipped: 0 }
  const memory: number[] = []
  const faults = { terminated: 0, restarts: 0 }
  /** Until then the service may be right to call itself not ready. */
  const excused = { until: 0 }
  const unready: string[] = []
  const turns = createTurns()
  const endAt = performance.now() + Number(values.minutes) * 60_000
  const isOver = (): boolean => performance.now() >= endAt || !cached.isAlive() || !direct.isAlive()

  const json = (method: string, body: unknown): RequestInit => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const upload = async (url: string, path: string, csv: string): Promise<void> => {
    const form = new FormData()
    form.set('file', new Blob([csv]), 'file.csv')
    await call(tally, url, path, { method: 'POST', body: form })
  }
  const createSegment = async (name: string, conditions: readonly unknown[]): Promise<string | undefined> => {
    const reply = await call(
      tally,
      cached.url,
      '/api/segments',
      json('POST', { name, definition: { root: { op: 'and', conditions } } }),
    )
    return reply?.status === 201 ? String((JSON.parse(reply.body) as { id: string }).id) : undefined
  }
  const writing = createWriting(database, tables, draw)
  const every = async (ms: number, work: () => Promise<void>): Promise<void> => {
    while (!isOver()) {
      await work()
      await sleep(Math.min(ms, endAt - performance.now()))
    }
  }
  const importSome = (): Promise<void> => {
    const accounts = tables('accounts')
    const rows = Array.from({ length: ROWS_OF_AN_IMPORT }, () => {
      const { id } = draw.pick(accounts)
      return `${id},${draw.pick(['north', 'south', 'west'])},${draw.below(50)}`
    })
    return upload(cached.url, '/api/attributes/import', `customer_id,region,desks\n${rows.join('\n')}\n`)
  }

  await importRates(environment)
  await importSome()
  const ids = await Promise.all([
    createSegment('north', [{ field: 'attr.region', op: '=', value: 'north' }]),
    createSegment('large', [{ field: 'attr.desks', op: '>=', value: 20 }]),
    createSegment('monthly', [{ field: 'subscription.plan_interval', op: '=', value: 'month' }]),
  ])
  const segments = ids.filter((id) => id !== undefined)
  if (segments.length < ids.length) throw new Error('the segments could not be made')
  const pathNow = (): string => requestPath(draw, new Date().toISOString().slice(0, 19).replace('T', ' '), segments)

  const read = (): Promise<void> =>
    every(0, async () => {
      const abortAfterMs = draw.chance(15) ? draw.below(300) : undefined
      await call(tally, draw.chance(90) ? cached.url : direct.url, pathNow(), { abortAfterMs })
      await sleep(draw.below(150))
    })
  const compare = (): Promise<void> =>
    every(3_000, () =>
      turns.alone(async () => {
        const path = pathNow()
        // An instant of an account may come between the two; it does not come again and again.
        for (let attempt = 1; attempt <= 4; attempt += 1) {
          const [one, other] = await Promise.all([call(tally, direct.url, path), call(tally, cached.url, path)])
          if (one?.status !== 200 || other?.status !== 200) {
            compared.skipped += 1
            return
          }
          if (one.body === other.body) {
            compared.equal += 1
            return
          }
        }
        compared.different.push(path)
      }),
    )
  const restart = (): Promise<void> =>
    every(150_000, async () => {
      if (faults.restarts === 0) await sleep(60_000)
      await turns.alone(async () => {
        await writing.rest()
        excused.until = Number.POSITIVE_INFINITY
        await postgres.restart(draw.pick(['told', 'crash']), draw.below(8_000))
        excused.until = performance.now() + EXCUSED_MS
        faults.restarts += 1
      })
    })
  const terminate = (): Promise<void> =>
    every(7_000, () =>
      turns.together(async () => {
        faults.terminated += await terminateSome(database.url)
        excused.until = Math.max(excused.until, performance.now() + EXCUSED_MS_OF_A_CUT)
      }),
    )
  const probe = (): Promise<void> =>
    every(1_000, async () => {
      await call(health, cached.url, '/healthz')
      const asked = performance.now()
      const ready = await call(health, cached.url, '/readyz')
      if (ready?.status !== 200 && asked > excused.until) unready.push(`${ready?.status} ${ready?.body}`)
      memory.push(cached.rss())
    })

  await Promise.all([
    every(100, () => turns.together(() => writing.step())),
    every(8_000, () => turns.together(importSome)),
    every(5_000, () =>
      turns.together(async () => {
        const { id } = draw.pick(tables('accounts'))
        await call(tally, cached.url, `/api/customers/${id}/attributes`, json('POST', { attributes: { desks: draw.below(60) } }))
        const own = await createSegment(`passing ${performance.now()}`, [{ field: 'attr.desks', op: '<', value: draw.below(60) }])
        if (own !== undefined) await call(tally, cached.url, `/api/segments/${own}`, { method: 'DELETE' })
      }),
    ),
    ...Array.from({ length: READERS }, read),
    compare(),
    restart(),
    terminate(),
    probe(),
  ])
  await writing.rest()
  const passed = report(
    { tally, health, compared, unready, memory, faults, committed: writing.committed(), services: { cached, direct } },
    out,
  )
  await Promise.all([cached.stop(), direct.stop()])
  return passed
}

/** Cuts some of the service's connections at the server, in the middle of whatever they do. */
async function terminateSome(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plumbline' and random() < 0.4",
    )
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function importRates(environment: Readonly<Record<string, string>>): Promise<void> {
  const { loadStoreConfig } = await import('../../src/app/config/config.ts')
  const { composeStore } = await import('../../src/app/compose.ts')
  const { importFxRates } = await import('../../src/workspace/exchange-rates/import/csv.ts')
  const store = composeStore(loadStoreConfig({ environment, cwd: directory, home: undefined }))
  await importFxRates(RATES_CSV, store, { maxBytes: 1_000_000 })
  await store.close()
}

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { mysql as mysqlDialect } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { sqlite } from '../../src/compiler/dialects/sqlite.ts'
import { fixedClock } from '../../src/core/clock.ts'
import type { BillRecord } from '../../src/core/expense.ts'
import { dayOf } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/contract.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { randomOf } from '../support/data/histories/seeded-dice.ts'
import { pgliteTarget } from '../support/databases/target-pglite.ts'
import { findPlaces } from '../support/databases/target-places.ts'
import { exampleEngine } from '../support/product/example-engine.ts'
import { median, timed } from './measure.ts'

const USAGE = `Times expenses over many lines, beside a count of the same rows of the index by the store itself.
  --lines 1000000
  --stores sqlite,postgres,mariadb
  --foreign 0.1                share of the lines that need a rate of the table
  --months 12                  how many months the lines are spread over, up to now
  --rounds 5                   each round runs everything one after the other
`
const NOW = new Date('2025-12-31T12:00:00Z')
const DAY_MS = 86_400_000
const LINES_EACH = 4
/** As many as a page of a backfill has. */
const DOCUMENTS_AT_ONCE = 1_000
const WORKSPACE = { name: 'bench', source_ids: [] }
const READING = {
  dialects: { postgres, mysql: mysqlDialect, sqlite },
  statementTimeoutMs: 600_000,
  sessionMemoryBytes: 134_217_728,
}
const COUNT = `select count(*) as n, sum(amount_cents) as total from document_line as line
  where book_id = 1 and is_counted = true and document_date >= '2025-01-01' and document_date <= '2025-12-31'`
const RANGE = { start: '2025-01-01', end: '2025-12-31' }
const QUESTIONS = [
  ['12-month series', { query_type: 'series', ...RANGE, interval: 'month' }, {}],
  ['total of all time', { query_type: 'total' }, {}],
  ['by account type', { query_type: 'by_account_type', ...RANGE }, {}],
  ['by vendor', { query_type: 'by_vendor', ...RANGE }, {}],
  ['series by class', { query_type: 'series', ...RANGE, interval: 'month' }, { dimensions: ['class'] }],
] as const

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    stores: { type: 'string', default: 'sqlite,postgres,mariadb' },
    foreign: { type: 'string', default: '0.1' },
    months: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(USAGE)
else for (const name of values.stores.split(',')) await benchOn(name)

async function benchOn(name: string): Promise<void> {
  const place = await placeOn(name)
  const store = createStore({ url: place.url, schema: 'side', baseDirectory: '/', reading: READING })
  const database = await pgliteTarget.createDatabase()
  try {
    const [filled] = await timed(() => fill(store))
    say(`${name}: ${values.lines} lines put in ${(filled / 1000).toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`)
    await place.settle()
    const definitions = { clock: fixedClock(NOW), workspace: WORKSPACE.name }
    await compareOn(name, store, exampleEngine(database.executor(), { ...definitions, store }))
  } finally {
    await store.close()
    await place.remove()
    await database.drop()
  }
}

// One after the other in each round, so that other work on the machine slows all alike.
async function compareOn(name: string, store: Store, engine: Engine): Promise<void> {
  const reference = () =>
    store.withSnapshot?.(({ query }) => query({ text: COUNT, values: [], label: 'count' })) ?? Promise.resolve([])
  const times: number[][] = [reference, ...QUESTIONS].map(() => [])
  for (let round = 0; round < Number(values.rounds); round++) {
    times[0]?.push((await timed(reference))[0])
    for (const [index, [, params, spec]] of QUESTIONS.entries())
      times[index + 1]?.push((await timed(() => engine.query('expenses', params, spec)))[0])
  }
  const [count = 0, ...asked] = times.map(median)
  say(`${name}: count of the rows ${Math.round(count)} ms, load ${loadavg()[0]?.toFixed(1)}`)
  for (const [index, [question]] of QUESTIONS.entries()) {
    const time = asked[index] ?? 0
    say(`${name}: ${question} ${Math.round(time)} ms, ${(time / count).toFixed(1)} times as long`)
  }
}

async function fill(store: Store): Promise<void> {
  const owned = store.inWorkspace?.(WORKSPACE)
  if (owned === undefined) throw new Error('the store has no workspaces')
  await store.fxRates.upsert(
    ['EUR', 'GBP'].flatMap((from) =>
      Array.from({ length: 400 }, (_, day) => ({
        date: dayBefore(day),
        from,
        to: 'USD',
        rate: `1.${String(day + 1).padStart(12, '0')}`,
      })),
    ),
  )
  const types = ['expense', 'cogs', 'asset', 'other'] as const
  const kept = (external_id: string) => ({ external_id, updated_at: '2025-12-01T00:00:00.000Z', is_deleted: false, metadata: {} })
  await owned.expenses.change(async (writer) => {
    await writer.put('bench', [
      ...Array.from({ length: 40 }, (_, index) => ({
        kind: 'account' as const,
        ...kept(`a${index}`),
        name: `Account ${index}`,
        account_type: types[index % types.length] ?? null,
        parent_external_id: null,
        is_active: true,
      })),
      ...Array.from({ length: 500 }, (_, index) => ({
        kind: 'vendor' as const,
        ...kept(`v${index}`),
        name: `V ${index}`,
        is_active: true,
      })),
    ])
  })
  const random = randomOf(1)
  const documents = Math.ceil(Number(values.lines) / LINES_EACH)
  for (let first = 0; first < documents; first += DOCUMENTS_AT_ONCE) {
    const batch = Array.from({ length: Math.min(DOCUMENTS_AT_ONCE, documents - first) }, (_, index) =>
      billOf(first + index, kept(`b${first + index}`), random),
    )
    await owned.expenses.put('bench', batch)
  }
}

function billOf(
  number: number,
  kept: Pick<BillRecord, 'external_id' | 'updated_at' | 'is_deleted' | 'metadata'>,
  random: () => number,
): BillRecord {
  const below = (limit: number) => Math.floor(random() * limit)
  const isForeign = random() < Number(values.foreign)
  return {
    kind: 'bill',
    ...kept,
    number: String(number),
    vendor_external_id: `v${below(500)}`,
    document_date: dayBefore(below(Math.round(Number(values.months) * 30.4))),
    currency: isForeign ? (below(2) === 0 ? 'EUR' : 'GBP') : 'USD',
    home_currency: isForeign ? null : 'USD',
    exchange_rate: null,
    total_cents: 0,
    bill_kind: 'bill',
    status: 'open',
    due_date: null,
    balance_cents: 0,
    lines: Array.from({ length: LINES_EACH }, (_, index) => ({
      line_id: String(index),
      account_external_id: `a${below(40)}`,
      item_external_id: null,
      description: null,
      amount_cents: below(1_000_000) - 10_000,
      dimensions: below(2) === 0 ? { class: `Class ${below(8)}` } : {},
      metadata: {},
    })),
  }
}

function dayBefore(days: number): string {
  return dayOf(new Date(NOW.getTime() - days * DAY_MS))
}

interface Place {
  readonly url: string
  /** Does at once the work that the server does after a while: it looks at the written rows. */
  settle(): Promise<void>
  remove(): Promise<void>
}

async function placeOn(name: string): Promise<Place> {
  if (name === 'sqlite') {
    const directory = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
    return { url: `sqlite:${directory}/store.db`, settle: async () => {}, remove: () => rm(directory, { recursive: true }) }
  }
  // biome-ignore lint/style/noProcessEnv: the run's own switches, no product configuration
  const { places } = await findPlaces(process.env)
  const server = places.find((each) => each.name === name)?.url
  if (server === undefined) throw new Error(`no server for ${name}`)
  const database = `pl_bench_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const url = new URL(server)
  url.pathname = `/${database}`
  const on = name === 'postgres' ? onPostgres : onMysql
  await on(server, `create database ${database}`)
  const analyze = name === 'postgres' ? 'vacuum analyze side.document_line' : 'analyze table document_line'
  return { url: url.href, settle: () => on(url.href, analyze), remove: () => on(server, `drop database ${database}`) }
}

async function onPostgres(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

async function onMysql(url: string, text: string): Promise<void> {
  const connection = await mysql.createConnection(url.replace(/^mariadb:/, 'mysql:'))
  await connection.query(text)
  await connection.end()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Database from 'libsql'
import pg from 'pg'
import { connectServer } from '../bench/bench-database.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { VERIFIER_TOKEN } from '../support/product/intuit/connected-platform.ts'
import { type Change, cloudEvents, eventNotifications } from '../support/product/intuit/webhook.ts'
import { consentOver, serveIntuit } from './served-intuit.ts'

/**
 * Webhooks at a steady rate to two served processes, of which one is killed half-way and started again: afterwards the store has every
 * document of the books unchanged. `npx tsx test/soak/webhooks.ts --rate 50 --seconds 60 --store sqlite|postgres --kill yes|no`
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    bills: { type: 'string', default: '300' },
    store: { type: 'string', default: 'sqlite' },
    kill: { type: 'string', default: 'yes' },
    postgres: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
})
const [RATE, SECONDS, BILLS] = [Number(values.rate), Number(values.seconds), Number(values.bills)]
const REALM = '4620'
const SETTLE_MS = 600_000

const out = (line: string): void => void process.stdout.write(`${line}\n`)
const server = await connectServer({ name: 'postgres', url: values.postgres })
const name = `pl_soak_${randomBytes(6).toString('hex')}`
const directory = await mkdtemp(join(tmpdir(), 'plumbline-soak-'))
await server.create(name)
try {
  const database = await server.open(name)
  const target = {
    name: 'postgres',
    dialect: database.dialect,
    createDatabase: async () => database,
    sharedDatabase: async () => database,
  } as const
  await fillDatabase(target, generatedHistory(1, 20))
  const { url } = database
  await database.drop()
  process.exitCode = (await soak(url, values.store === 'postgres' ? url : `sqlite:${join(directory, 'store.db')}`)) ? 0 : 1
} finally {
  await server.drop(name)
  await server.close()
  await rm(directory, { recursive: true, force: true })
}

async function soak(databaseUrl: string, storeUrl: string): Promise<boolean> {
  const served = await serveIntuit({
    PLUMBLINE_DATABASE_URL: databaseUrl,
    PLUMBLINE_CONNECTOR_TENANT: 'all',
    PLUMBLINE_STORE_URL: storeUrl,
    PLUMBLINE_STORE_SECRET_KEY: randomBytes(32).toString('base64'),
    PLUMBLINE_LOG_LEVEL: 'error',
  })
  try {
    const [first, second] = served.ports
    const one = await served.serve(first)
    let other = await served.serve(second)
    const urls = [one.url, other.url]
    await consentOver(served.intuit, one.url, REALM)
    const books = served.intuit.company(REALM)
    const ids = Array.from({ length: BILLS }, () => books.put('Bill', bill(1)))

    const touched = new Set<string>()
    const times: number[] = []
    let repeated = 0
    const deliver = async (change: Change, isOlder: boolean): Promise<void> => {
      const signed = (isOlder ? eventNotifications : cloudEvents)([change], VERIFIER_TOKEN)
      for (let turn = randomInt(2); ; turn++) {
        const begun = performance.now()
        const init = { method: 'POST', body: signed.body, headers: signed.headers }
        const answer = await fetch(`${urls[turn % 2]}/api/webhooks/quickbooks`, init).catch(() => undefined)
        const text = await answer?.text().catch(() => undefined)
        if (answer?.status === 200 && text !== undefined) return void times.push(performance.now() - begun)
        // As the platform does, it comes again.
        repeated += 1
        await sleep(100)
      }
    }
    const sending: Promise<void>[] = []
    const begun = performance.now()
    let killing: Promise<void> | undefined
    for (let sent = 0; sent < RATE * SECONDS; sent++) {
      await sleep(Math.max(0, begun + (sent * 1_000) / RATE - performance.now()))
      const id = ids[randomInt(ids.length)] ?? ''
      touched.add(id)
      books.put('Bill', { ...bill(randomInt(1, 1_000_000)), Id: id })
      sending.push(deliver({ realm: REALM, entity: 'Bill', id, operation: 'Update' }, sent % 2 === 0))
      if (values.kill !== 'yes' || sent !== Math.floor((RATE * SECONDS) / 2)) continue
      killing = (async () => {
        other.child.kill('SIGKILL')
        await other.exit
        await sleep(1_000)
        other = await served.serve(second)
      })()
    }
    await Promise.all(sending)
    await killing
    const ended = performance.now()

    const changed = books.all('Bill').filter((native) => touched.has(String(native['Id'])))
    const wanted = new Map(changed.map((native) => [String(native['Id']), Math.round(Number(native['TotalAmt']) * 100)]))
    const missing = async () => {
      const found = await totals(storeUrl)
      return [...wanted].filter(([id, cents]) => found.get(id) !== cents).length
    }
    let left = await missing()
    while (left > 0 && performance.now() - ended < SETTLE_MS) {
      out(`${left} of ${wanted.size} bills wait`)
      await sleep(10_000)
      left = await missing()
    }
    const sources = (await (await fetch(`${one.url}/api/sources`)).json()) as {
      id: string
      waiting: number
      dead_letters: number
    }[]
    const source = sources.find(({ id }) => id === `quickbooks-${REALM}`)
    times.sort((a, b) => a - b)
    const at = (share: number) => `${(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)} ms`
    out(
      `store ${values.store}: ${times.length} answered, ${repeated} sent again; p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)}`,
    )
    out(
      `settled ${((performance.now() - ended) / 1_000).toFixed(0)} s after the last; ${left} bills wrong, ${source?.dead_letters} dead letters`,
    )
    return left === 0 && source?.dead_letters === 0
  } finally {
    await served.stop()
  }
}

/** The totals in the store, in cents by bill. */
async function totals(url: string): Promise<ReadonlyMap<string, number>> {
  const text = 'select external_id, total_cents from %bill'
  const rows = url.startsWith('sqlite:')
    ? fromFile(url, text.replace('%', ''))
    : await fromServer(url, text.replace('%', 'plumbline.'))
  return new Map(rows.map((row) => [String(row['external_id']), Number(row['total_cents'])]))
}

async function fromServer(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query<Record<string, unknown>>(text).finally(() => client.end())).rows
}

function fromFile(url: string, text: string): readonly Record<string, unknown>[] {
  const database = new Database(url.slice('sqlite:'.length))
  try {
    return database.prepare(text).all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

function bill(cents: number): Readonly<Record<string, unknown>> {
  const amount = cents / 100
  const line = {
    Id: '1',
    Amount: amount,
    DetailType: 'AccountBasedExpenseLineDetail',
    AccountBasedExpenseLineDetail: { AccountRef: { value: '7', name: 'Advertising' } },
  }
  const VendorRef = { value: '46', name: 'Norton Lumber and Building Materials' }
  return { TxnDate: '2026-01-15', VendorRef, TotalAmt: amount, Balance: amount, Line: [line] }
}

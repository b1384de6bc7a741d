// The cost of a large mirror of Stripe: `npx tsx test/bench/stripe.ts`.
import { parseArgs } from 'node:util'
import { createStripeConnector } from '../../connectors/stripe/index.ts'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { createQueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { END_OF_EAST, STRIPE_SETTINGS, stripeEngine } from '../support/product/stripe-engine.ts'
import type { BenchDatabase } from './bench-database.ts'
import { costTable, seconds } from './cost-table.ts'
import { measureSizes } from './kept-database.ts'
import { median } from './measure.ts'
import { type BackendMeter, residentBytes } from './mirror/processor.ts'
import { stripeDatabase } from './stripe/stripe-database.ts'

const USAGE = `Fills a cache with a mirror of Stripe in this process, and measures answers and refreshes. Times are also multiples of one reading
of a field of all invoices.
  --size 200000          invoices. A list of sizes shows how the times grow
  --bucket 2000          customers that are filled together
  --rounds 3             refreshes of each kind
  --fresh                make the database anew
  --index                with the indexes that docs/stripe.md names
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    bucket: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    index: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const ROUNDS = Number(values.rounds)
const REFERENCE = 'one reading of all invoices'
/** A statement over a mirror of this size takes longer than the usual limit if other work shares the machine. */
const STATEMENT_MS = 900_000
const PATIENT = { poolSize: 3, statementTimeoutMs: STATEMENT_MS, schema: 'stripe' }
const request = { now: END_OF_EAST, definitions: definitionsSchema.parse({ base_currency: 'USD' }) }
const SERIES = { query_type: 'series', start: '2025-12-01', end: '2026-11-20', interval: 'month' }

/** Changes of one customer each. `$1` is the number of the round. */
const TOUCHES: Readonly<Record<string, string>> = {
  'a customer was renamed': `update stripe.customers set _raw_data = _raw_data || '{"name": "Renamed $1"}'
    where id = (select id from stripe.customers order by id offset 1000 + $1 limit 1)`,
  'a quantity changed': `update stripe.subscriptions set _raw_data = jsonb_set(_raw_data, '{items,data,0,quantity}', '77$1')
    where id = (select id from stripe.subscriptions where _raw_data ->> 'status' = 'active' and _raw_data ->> 'livemode' = 'true' order by id offset 1000 + $1 limit 1)`,
  'an invoice came': `insert into stripe.invoices (_raw_data, _last_synced_at, _account_id)
    select _raw_data || jsonb_build_object('id', id || gen_random_uuid()), _last_synced_at, _account_id
    from stripe.invoices where _raw_data ->> 'livemode' = 'true' order by id offset 1000 + $1 limit 1`,
}

if (values.help) process.stdout.write(USAGE)
else await measureSizes({ sizes: values.size, fresh: values.fresh }, stripeDatabase, measure)

async function measure(database: BenchDatabase, backends: BackendMeter): Promise<void> {
  const [counts] = await database.adminQuery(
    `select (select count(*) from stripe.customers) as customers, (select count(*) from stripe.subscriptions) as subscriptions,
      (select count(*) from stripe.invoices) as invoices, pg_size_pretty(pg_total_relation_size('stripe.invoices')) as size_of_invoices`,
  )
  process.stdout.write(`${JSON.stringify(counts)}\n`)
  for (const table of ['subscriptions', 'invoices']) {
    await database.adminQuery(`drop index if exists stripe.plumbline_${table}_customer`)
    if (values.index)
      await database.adminQuery(
        `create index plumbline_${table}_customer on stripe.${table} ((coalesce(_raw_data -> 'customer' ->> 'id', _raw_data ->> 'customer'))); analyze stripe.${table}`,
      )
  }
  const cost = costTable(backends, REFERENCE)
  const executor = database.executor(PATIENT)
  const connector = createStripeConnector(STRIPE_SETTINGS)
  const reading = sql`select count(*) as invoices from invoices as t where t._raw_data ->> 'customer' is not null`
  const read = () => executor.withSnapshot((one) => createQueryRunner(one)('bench.reference', reading))
  await read()
  await cost(REFERENCE, read)
  const open = () => executor.withSnapshot((one) => connector.open(one, request))
  await cost('open', open)
  await cost('open again', open)
  let cache: CountedCache | undefined
  const engine = await stripeEngine(database, {
    databaseSettings: PATIENT,
    onCache: (made) => {
      cache = made
    },
    cacheOptions: {
      memoryMb: 4_000,
      patience: patienceFor(STATEMENT_MS),
      ...(values.bucket !== undefined && { bucket: Number(values.bucket) }),
    },
  })
  const ask = (params: Parameters<typeof engine.query>[1]) => () => engine.query('mrr', params)
  try {
    await cost('first filling', async () => cache?.ready())
    process.stdout.write(`${JSON.stringify({ state: cache?.state(), failures: cache?.failures().map(String) })}\n`)
    process.stdout.write(`resident: ${JSON.stringify(residentBytes(process.pid))}\n`)
    await cost('nothing has changed: MRR of now', ask({}))
    await cost('nothing has changed: MRR of a day', ask({ at: '2026-06-30' }))
    await cost('nothing has changed: a series of twelve months', ask(SERIES))
    for (const [name, touch] of Object.entries(TOUCHES)) {
      const clocks: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await database.adminQuery(touch.replaceAll('$1', String(round)))
        clocks.push(await cost(`${name}: MRR of now`, ask({})))
      }
      process.stdout.write(`median: ${seconds(median(clocks))}\n`)
    }
    process.stdout.write(`${JSON.stringify({ failures: cache?.failures().map(String), refills: cache?.statistics().refills })}\n`)
  } finally {
    await engine.close()
    await executor.close()
  }
}

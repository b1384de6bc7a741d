// The cost of a large Lago database: `npx tsx test/bench/lago.ts`.
import { parseArgs } from 'node:util'
import { createLagoConnector } from '../../connectors/lago/index.ts'
import { createQueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { END_OF_NORTH, lagoEngine } from '../support/product/lago-engine.ts'
import { cacheOver } from '../support/product/recorded-engine.ts'
import type { BenchDatabase } from './bench-database.ts'
import { costTable, seconds } from './cost-table.ts'
import { measureSizes } from './kept-database.ts'
import { lagoDatabase } from './lago/lago-database.ts'
import { median } from './measure.ts'
import { type BackendMeter, residentBytes } from './mirror/processor.ts'

const USAGE = `Fills a cache with a Lago database of this process, and measures answers and refreshes.
  --size 100000          rows of subscriptions
  --rounds 5             refreshes of each kind
  --fresh                make the database anew
  --straight             also asks the database itself
`
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    fresh: { type: 'boolean', default: false },
    straight: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const ROUNDS = Number(values.rounds)
const definitions = definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true })
const clock = fixedClock(END_OF_NORTH)
const request = () => ({ now: clock.now(), definitions })

/** Changes of one customer each. `$1` is the number of the round. */
const TOUCHES: Readonly<Record<string, string>> = {
  'a customer was renamed': `update customers set name = name || '.', updated_at = updated_at + interval '1 second'
    where id = (select id from customers order by id offset 1000 + $1 limit 1)`,
  'a subscription ended': `update subscriptions set status = 2, terminated_at = '2026-11-20 12:00:00', updated_at = updated_at + interval '1 second'
    where id = (select id from subscriptions where status = 1 order by id offset 1000 + $1 limit 1)`,
  'a fee was added': `insert into fees (id, organization_id, billing_entity_id, subscription_id, fee_type, amount_cents, amount_currency, taxes_amount_cents,
    properties, pay_in_advance, payment_status, succeeded_at, created_at, updated_at)
    select gen_random_uuid(), organization_id, billing_entity_id, subscription_id, 0, 100, amount_currency, 0,
    '{"timestamp": "2026-11-19T00:00:00Z"}', true, 1, '2026-11-19 01:00:00', '2026-11-19 01:00:00', '2026-11-19 01:00:00'
    from (select * from fees where subscription_id is not null order by id offset 1000 + $1 limit 1) as fee`,
}

if (values.help) process.stdout.write(USAGE)
else await measureSizes({ sizes: values.size, fresh: values.fresh }, lagoDatabase, measure)

async function measure(database: BenchDatabase, backends: BackendMeter): Promise<void> {
  const [counts] = await database.adminQuery(
    `select (select count(*) from customers) as customers, (select count(*) from subscriptions) as subscriptions,
      (select count(*) from fees) as fees, (select count(*) from invoices) as invoices, (select count(*) from versions) as versions`,
  )
  process.stdout.write(`${JSON.stringify(counts)}\n`)
  const cost = costTable(backends)
  const executor = database.executor({ poolSize: 3, statementTimeoutMs: 900_000 })
  const connector = createLagoConnector({ organization: [] })
  const snapshot = <T>(work: Parameters<typeof executor.withSnapshot<T>>[0]) => executor.withSnapshot(work)
  await cost('an empty snapshot', () => snapshot((one) => createQueryRunner(one)('bench', sql`select 1 as one`)))
  await cost('open', () => snapshot((one) => connector.open(one, request())))
  await cost('open again', () => snapshot((one) => connector.open(one, request())))
  if (values.straight) {
    const engine = await lagoEngine(database, { settings: { poolSize: 3, statementTimeoutMs: 900_000 } })
    for (const [name, params] of Object.entries({
      'MRR straight': {},
      'MRR straight, again': {},
      'breakdown straight': { query_type: 'breakdown', start: '2026-01-01', end: '2026-10-31' },
    }))
      await cost(name, () => engine.query('mrr', params))
    await engine.close()
  }
  const cache = cacheOver(executor, connector, {
    clock,
    definitions,
    memoryMb: 4_000,
    onFailure: (error) => process.stdout.write(`${String(error)}\n`),
  })
  const refresh = async (): Promise<void> => {
    const before = cache.statistics()
    const answered = await cache.read(
      request,
      async () => true,
      undefined,
      () => ({ value: true }),
    )
    if (answered === null) {
      process.stdout.write(`(filled again) ${JSON.stringify(before)}\n`)
      await cache.ready()
    }
  }
  try {
    await cost('first filling', () => cache.ready())
    process.stdout.write(`resident: ${JSON.stringify(residentBytes(process.pid))}\n`)
    await cost('nothing has changed', refresh)
    await cost('nothing has changed, again', refresh)
    for (const [name, touch] of Object.entries(TOUCHES)) {
      const clocks: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await database.adminQuery(touch.replaceAll('$1', String(round)))
        clocks.push(await cost(name, refresh))
      }
      process.stdout.write(`median: ${seconds(median(clocks))}\n`)
    }
    process.stdout.write(`resident: ${JSON.stringify(residentBytes(process.pid))}\n`)
  } finally {
    await cache.close()
  }
}

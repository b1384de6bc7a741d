import { northInserts } from '../../support/data/lago/north-rows.ts'
import { eastRows, eastTables } from '../../support/data/stripe/east-rows.ts'
import { type BenchDatabase, type BenchServer, DATABASE_PREFIX } from '../bench-database.ts'
import { keptDatabase, type Making } from '../kept-database.ts'

/** Raise it when other rows come out. */
const GENERATOR_VERSION = 1
const MARKER = 'stripe.plumbline_bench'
/** Invoices in the recorded account. */
const RECORDED = 2_204
/** Tables whose rows belong to customers, and ids that a copy changes in their documents. */
const OWNED = ['customers', 'subscriptions', 'invoices']
const IDS = '"(cus|sub|si|in|il|ch|pi)_'
const COPIES_AT_ONCE = 5

/** A mirror of Stripe with at least that many invoices, made if the server does not have it, or if it is to be `fresh`. */
export async function stripeDatabase(server: BenchServer, size: number, { fresh, progress }: Making): Promise<BenchDatabase> {
  const name = `${DATABASE_PREFIX}stripe_${size}_v${GENERATOR_VERSION}`
  return keptDatabase(server, { name, marker: MARKER, fresh }, (database) =>
    generate(database, Math.ceil(size / RECORDED), progress),
  )
}

/** Copies have other ids of customers and of everything that belongs to them. Prices and products are shared. */
async function generate(database: BenchDatabase, copies: number, progress: (text: string) => void): Promise<void> {
  const run = (text: string) => database.adminQuery(text)
  await run('set session_replication_role = replica; set synchronous_commit = off')
  await run(eastTables())
  for (const statement of northInserts(eastRows())) await run(statement)
  for (const table of OWNED) {
    progress(table)
    await run(`create table recorded as select * from stripe.${table}`)
    for (let first = 1; first < copies; first += COPIES_AT_ONCE)
      await run(`insert into stripe.${table} (_raw_data, _last_synced_at, _account_id)
select cast(regexp_replace(cast(origin._raw_data as text), '${IDS}', '"\\1_' || copy || 'x', 'g') as jsonb), origin._last_synced_at, origin._account_id
from generate_series(${first}, ${Math.min(first + COPIES_AT_ONCE, copies) - 1}) as copy cross join recorded as origin order by copy`)
    await run('drop table recorded')
  }
  progress('statistics')
  await run('vacuum analyze')
  await run(`create table ${MARKER} (made boolean)`)
}

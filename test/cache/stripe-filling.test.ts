import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createStripeConnector } from '../../connectors/stripe/index.ts'
import type { Customers, MirrorSource } from '../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, sql, statementOf, text } from '../../src/connector-kit/query-runner.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { groupBy } from '../../src/core/group-by.ts'
import type { ConnectorSession } from '../../src/ports/session.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { copyOfEast, sharedEast } from '../support/data/stripe/east-database.ts'
import { documentTables } from '../support/data/stripe/hand-made.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { END_OF_EAST, STRIPE_SETTINGS, stripeEngine } from '../support/product/stripe-engine.ts'

const SERIES = { query_type: 'series', start: '2024-11-20', end: '2026-11-20', interval: 'month' }

onPostgres('a filling from a mirror of Stripe in buckets', (target) => {
  const filled = async (database: TestDatabase, bucket: number) => {
    let cache: CountedCache | undefined
    const made = new Set<number>()
    const engine = await stripeEngine(database, {
      onCache: (made) => {
        cache = made
      },
      cacheOptions: {
        bucket,
        onProgress({ status, accounts }) {
          if (status === 'filling' && accounts > 0) made.add(accounts)
        },
      },
    })
    try {
      const { data } = await engine.query('mrr', SERIES)
      expect([cache?.failures(), cache?.answered()]).toEqual([[], 1])
      return { data, buckets: made.size }
    } finally {
      await engine.close()
    }
  }

  it('has the same figures as the mirror, whatever the size of a bucket', async () => {
    const database = await sharedEast(target)
    const straight = await stripeEngine(database)
    const { data } = await straight.query('mrr', SERIES)
    expect(await filled(database, 50)).toEqual({ data, buckets: 4 })
  })

  // The embedded PostgreSQL counts no scans.
  it.skipIf(target.name === 'pglite')('reads each table of documents as often for many buckets as for few', async () => {
    const database = await copyOfEast(target)
    await database.adminQuery('analyze')
    const scansOf = async (bucket: number) => {
      const before = await scans(database)
      const { buckets } = await filled(database, bucket)
      const after = await scans(database)
      return { buckets, scans: Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]) }
    }
    const [few, many] = [await scansOf(90), await scansOf(20)]
    expect(few.buckets).toBe(2)
    expect(many.buckets).toBeGreaterThan(8)
    expect(few.scans).toHaveLength(3)
    expect(few.scans).not.toContainEqual(['invoices', 0])
    expect(many.scans).toEqual(few.scans)
    await database.drop()
  })

  it('reads the same rows by their keys as by their customers, in memory and from a file', async () => {
    const database = await copyOfEast(target)
    await database.adminQuery(documentTables('disputes', 'charges', 'invoice_payments'))
    await database.adminQuery(PAYMENTS)
    const directory = await mkdtemp(join(tmpdir(), 'plumbline-stripe-'))
    const connector = createStripeConnector(STRIPE_SETTINGS)
    try {
      await database.executor({ schema: 'stripe' }).withSnapshot(async (snapshot) => {
        const session = await connector.open(snapshot, { now: END_OF_EAST, definitions: definitionsSchema.parse({}) })
        const source = connector.mirror
        if (source === undefined) throw new Error('no mirror')
        const keys = await someCustomers(snapshot)
        const rows = await rowKeysOf(snapshot, source, session, keys)
        expect(Object.keys(rows).sort()).toEqual(['invoice_payments', 'invoices', 'refunds', 'subscriptions'])
        for (const table of source.tables(session)) {
          const read = async (customers: Customers) => {
            const found = await createQueryRunner(snapshot)('test.rows', table.select(customers))
            return found.map((row) => JSON.stringify(row)).sort()
          }
          const known = await read({ keys })
          expect(known.length, table.name).toBeGreaterThan(0)
          expect(await read({ keys, rows }), table.name).toEqual(known)
          // Statements tell few customers from many.
          const many = [...keys, ...Array.from({ length: 200 }, (_, place) => `cus_none_${place}`)]
          expect(await read({ keys: many }), table.name).toEqual(known)
          if (snapshot.csv === undefined) continue
          const file = join(directory, `${table.name}.csv`)
          const statement = (customers: Customers) =>
            statementOf(table.select(customers), snapshot.csv?.dialect ?? snapshot.dialect, 'test.rows')
          const linesOf = async (customers: Customers) => {
            await snapshot.csv?.write(statement(customers), table.columns, file)
            return (await readFile(file, 'utf8')).split('\n').sort()
          }
          expect((await linesOf({ keys })).length, table.name).toBeGreaterThan(known.length)
          expect(await linesOf({ keys, rows }), table.name).toEqual(await linesOf({ keys }))
        }
      })
    } finally {
      await rm(directory, { recursive: true, force: true })
      await database.drop()
    }
  })
})

/** An invoice payment for each refund of the newer shape, to a paid invoice in its currency. */
const PAYMENTS = `insert into stripe.invoice_payments (_raw_data, _last_synced_at, _account_id)
  select jsonb_build_object('id', concat('inpay_', refund.id), 'status', 'paid', 'livemode', true, 'invoice', invoice.id,
    'payment', jsonb_build_object('payment_intent', refund._raw_data ->> 'payment_intent')), refund._last_synced_at, refund._account_id
  from stripe.refunds as refund
  cross join lateral (
    select t.id from stripe.invoices as t where t._raw_data ->> 'status' = 'paid' and t._raw_data ->> 'currency' = refund._raw_data ->> 'currency'
    order by md5(concat(t.id, refund.id)) limit 1
  ) as invoice
  where not exists (select 1 from stripe.invoices as own where own._raw_data ->> 'charge' = refund._raw_data ->> 'charge')`

/** Every third customer. */
async function someCustomers(snapshot: Snapshot): Promise<readonly string[]> {
  const rows = await createQueryRunner(snapshot)('test.customers', sql`select t.id from customers as t order by t.id`)
  return rows.map((row) => text(row['id'])).filter((_, place) => place % 3 === 0)
}

async function rowKeysOf(snapshot: Snapshot, source: MirrorSource, session: ConnectorSession, keys: readonly string[]) {
  const table = source.rowKeys?.(session)
  if (table === undefined) throw new Error('no keys of rows')
  const rows = await createQueryRunner(snapshot)('test.keys', table.select({ keys }))
  const owned = groupBy(rows, (row) => text(row['table_name']))
  return Object.fromEntries([...owned].map(([name, own]) => [name, own.map((row) => text(row['row_key']))]))
}

/** Sequential scans so far of each table of documents. A session reports them at its end. */
async function scans(database: TestDatabase): Promise<Readonly<Record<string, number>>> {
  for (;;) {
    const others = await database.adminQuery(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    if (others.length === 0) break
    await setTimeout(10)
  }
  const rows = await database.adminQuery(
    `select relname, seq_scan from pg_stat_user_tables where schemaname = 'stripe' and relname in ('customers', 'subscriptions', 'invoices') order by 1`,
  )
  return Object.fromEntries(rows.map((row) => [String(row['relname']), Number(row['seq_scan'])]))
}

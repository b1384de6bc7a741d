import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { stripeGrants } from '../../connectors/stripe/grants.ts'
import { createStripeConnector } from '../../connectors/stripe/index.ts'
import { createProduct } from '../../src/app/bin/product.ts'
import { compileFragment } from '../../src/compiler/compile.ts'
import { completeSession } from '../../src/connector-kit/complete-session.ts'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import { expandedTables } from '../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, relation, sql, statementOf } from '../../src/connector-kit/query-runner.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { ratesByDay } from '../../src/query/fx-rates.ts'
import { asColumns } from '../support/data/stripe/columns.ts'
import { copyOfEast, sharedEast } from '../support/data/stripe/east-database.ts'
import { eastRates } from '../support/data/stripe/east-rows.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { ratesOf } from '../support/product/lago-engine.ts'
import { END_OF_EAST, STRIPE_SETTINGS, stripeCatalog, stripeEngine } from '../support/product/stripe-engine.ts'

const PLACE = { user: 'reader', database: undefined, schema: 'public', tables: [] }

it('the grants name four columns of each table, and no secret', () => {
  const statements = stripeGrants({ dialect: 'postgres', ...PLACE })
  expect(statements).toContain('grant select (id, _raw_data, _account_id, _last_synced_at, xmin) on stripe.invoices to reader')
  expect(statements.join('\n')).not.toMatch(/api_key|webhooks|grant select on/)
  expect(() => stripeGrants({ dialect: 'mysql', ...PLACE })).toThrow(/PostgreSQL only/)
})

onPostgres('the Stripe connector', (target) => {
  let east: TestDatabase
  beforeAll(async () => {
    east = await sharedEast(target)
  })

  it('keeps the contracts of its relations', async () => {
    const findings = await checkConformance({
      connector: createStripeConnector(STRIPE_SETTINGS),
      executor: east.executor({ schema: 'stripe' }),
      catalog: stripeCatalog(),
      now: END_OF_EAST,
      definitions: { ...definitionsSchema.parse({}), base_currency: 'USD' },
      rates: ratesByDay([...ratesOf(eastRates())], {
        base: 'USD',
        currencies: ['EUR', 'GBP', 'JPY', 'KWD'],
        through: END_OF_EAST,
      }),
    })
    expect(findings).toEqual([])
  })

  it('is found by its tables, in the schema of a mirror', async () => {
    const product = createProduct({ environment: { PLUMBLINE_NOW: '2026-11-20T20:00:00Z' }, cwd: '/', home: undefined })
    const { found } = await product.init({ url: east.url, tenant: undefined, force: false, full: false, dryRun: true })
    expect(found).toMatchObject({ engine: 'mirror of Stripe (documents)', chosen: ['East Ltd'], base_currency: 'USD' })
    expect(found?.currencies.map(({ currency }) => currency).sort()).toEqual(['EUR', 'GBP', 'JPY', 'KWD', 'USD'])
  })

  it('says in `check` what the mirror holds and lacks', async () => {
    const findings = new Map((await (await stripeEngine(east)).check()).map(({ name, message }) => [name, message]))
    expect(findings.get('subscriptions_without_row')).toMatch(/^25 subscriptions are known by their invoices only/)
    expect(findings.get('mode')).toMatch(/^195 subscriptions of live mode are read, and 3 of test mode are not/)
    expect(findings.get('unpaid')).toMatch(/^3 subscriptions are unpaid/)
    expect(findings.get('cut_lists')).toBe('no list is cut')
  })

  it('names what it infers with its numbers, and lists that Stripe has cut', async () => {
    const database = await copyOfEast(target)
    const engine = await stripeEngine(database)
    const warningsOf = async (asked: Engine) =>
      new Map(
        (await asked.query('mrr')).meta.warnings.map(({ code, message, parts, count }) => [code, { message, parts, count }]),
      )
    const parts = (unbilled: number) => [
      { name: 'history_from_invoices' },
      { name: 'subscriptions_without_row', count: 25 },
      { name: 'changes_not_billed', count: unbilled },
    ]
    const found = await warningsOf(engine)
    const unbilled = await unbilledItems(database)
    expect(unbilled).toBeGreaterThan(0)
    expect(found.get('inferred')?.parts).toEqual(parts(unbilled))
    expect(found.get('inferred')?.message).toMatch(
      /^The connector infers: .*\. Parts: history_from_invoices, subscriptions_without_row: 25, changes_not_billed: \d+\.$/,
    )
    expect(found.has('partial')).toBe(false)
    // The cache finds the numbers of changed customers only.
    let cache: CountedCache | undefined
    const cached = await stripeEngine(database, {
      onCache: (made) => {
        cache = made
      },
    })
    expect((await warningsOf(cached)).get('inferred')?.parts).toEqual(parts(unbilled))
    await database.adminQuery(`update stripe.subscriptions set _raw_data = jsonb_set(_raw_data, '{items,data,0,quantity}', '4321')
      where id in (select t.id from stripe.subscriptions as t where t._raw_data ->> 'status' = 'active' and t._raw_data ->> 'livemode' = 'true'
        and jsonb_array_length(t._raw_data -> 'items' -> 'data') = 1 and t._raw_data #>> '{items,data,0,price,billing_scheme}' = 'per_unit'
        and t._raw_data #>> '{items,data,0,price,recurring,usage_type}' = 'licensed' order by t.id desc limit 4)`)
    await database.adminQuery(`update stripe.invoices set _raw_data = jsonb_set(_raw_data, '{lines,has_more}', 'true')
      where id in (select t.id from stripe.invoices as t where t._raw_data ->> 'livemode' = 'true' order by t.id limit 3)`)
    const later = await unbilledItems(database)
    expect(later).toBeGreaterThan(unbilled)
    for (const asked of [await stripeEngine(database), cached]) {
      const warnings = await warningsOf(asked)
      expect(warnings.get('inferred')?.parts).toEqual(parts(later))
      expect(warnings.get('partial')).toEqual({
        message:
          'Stripe sends ten entries of a list: 0 subscriptions lack items and 3 invoices lack lines. Their amounts are partial.',
        count: 3,
        parts: undefined,
      })
    }
    expect([cache?.failures(), cache?.statistics().refills]).toEqual([[], {}])
    const findings = new Map((await engine.check()).map(({ name, level }) => [name, level]))
    expect(findings.get('cut_lists')).toBe('warning')
    await database.drop()
  })

  it('reads the mode that is set, and never both', async () => {
    const live = await (await stripeEngine(east)).query('mrr')
    const test = await (await stripeEngine(east, { settings: { mode: 'test' } })).query('mrr')
    expect(test.data).not.toBe(live.data)
    expect(Number(test.data)).toBeGreaterThan(0)
  })

  it('lets an unpaid subscription pay if that is set', async () => {
    const paused = await (await stripeEngine(east)).query('mrr')
    const kept = await (await stripeEngine(east, { settings: { unpaid: 'keep' } })).query('mrr')
    expect(Number(kept.data)).toBeGreaterThan(Number(paused.data))
  })

  it('refuses other copies of Stripe by name, and an account that is not there', async () => {
    const database = await target.createDatabase()
    await database.adminQuery('create schema stripe; create table stripe.djstripe_subscription (stripe_data jsonb)')
    await expect((await stripeEngine(database)).query('mrr')).rejects.toThrow(/does not read: dj-stripe/)
    await expect((await stripeEngine(east, { settings: { account: ['West Ltd'] } })).query('mrr')).rejects.toThrow(
      /no account "West Ltd"; there are "East Ltd"/,
    )
  })

  it('reads typed columns as documents, with the same figures but for what they lack', async () => {
    const database = await copyOfEast(target)
    for (const table of ['products', 'prices', 'customers', 'subscriptions', 'invoices'])
      await database.adminQuery(asColumns(table))
    const [known, found] = [await stripeEngine(east), await stripeEngine(database, { schema: 'columns' })]
    for (const at of ['2025-12-31', '2026-06-30', '2026-11-20'])
      expect((await found.query('mrr', { at })).data, at).toBe((await known.query('mrr', { at })).data)
    await database.drop()
  })

  it('follows changed documents in the cache, also of a customer without a row', async () => {
    const database = await copyOfEast(target)
    let cache: CountedCache | undefined
    const onCache = (made: CountedCache) => {
      cache = made
    }
    const cached = await stripeEngine(database, { onCache })
    const same = async (what: string) => {
      const asked = { query_type: 'series', start: '2024-11-20', end: '2026-11-20', interval: 'month' }
      const direct = await stripeEngine(database)
      expect((await cached.query('mrr', asked)).data, what).toEqual((await direct.query('mrr', asked)).data)
      expect(cache?.failures(), what).toEqual([])
    }
    await same('at first')
    await database.adminQuery(`update stripe.subscriptions set _last_synced_at = '2026-11-20 19:00+00',
      _raw_data = jsonb_set(_raw_data, '{items,data,0,quantity}', '77') where id in (
        select id from stripe.subscriptions where _raw_data ->> 'status' = 'active' order by id limit 3)`)
    await same('after changes of quantity')
    const refilled = cache?.statistics().refills
    expect(refilled).toEqual({})
    await database.adminQuery(`update stripe.prices set _raw_data = jsonb_set(jsonb_set(_raw_data, '{unit_amount}', '99'), '{unit_amount_decimal}', '"99"')
      where _raw_data ->> 'nickname' = 'Starter'`)
    await same('after a price with another amount')
    await database.adminQuery(`delete from stripe.invoices where id in (select id from stripe.invoices order by id limit 5)`)
    await same('after invoices are gone')
    expect(Object.keys(cache?.statistics().refills ?? {}).sort()).toEqual(['prices', 'rows_gone'])
    await database.drop()
  })

  it('reads the documents of a customer through the indexes of the guide', async () => {
    const database = await copyOfEast(target)
    const plansOf = async () => {
      const executor = database.executor({ schema: 'stripe' })
      try {
        return await executor.withSnapshot(async (snapshot) => {
          const session = await createStripeConnector(STRIPE_SETTINGS).open(snapshot, {
            now: END_OF_EAST,
            definitions: definitionsSchema.parse({}),
          })
          await createQueryRunner(snapshot)('test.plan', sql`set local enable_seqscan = off`)
          const plans: string[] = []
          for (const name of ['stripe_subscription', 'stripe_invoice', 'stripe_line']) {
            const table = expandedTables(session).find((one) => one.name === name)
            if (table === undefined) throw new Error(`no table ${name}`)
            const statement = statementOf(table.select({ keys: ['cus_none'] }), snapshot.dialect, 'test.plan')
            const rows = await snapshot.query({ ...statement, text: `explain ${statement.text}` })
            plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'))
          }
          return plans
        })
      } finally {
        await executor.close()
      }
    }
    const isFound = (plan: string) => /Index Cond: .*COALESCE/.test(plan)
    expect((await plansOf()).map(isFound)).toEqual([false, false, false])
    const guide = await readFile(join(packageRoot(), 'docs/stripe.md'), 'utf8')
    const indexes = guide.match(/^create index .*;$/gm) ?? []
    expect(indexes).toHaveLength(2)
    for (const index of indexes) await database.adminQuery(index)
    await database.adminQuery('analyze stripe.invoices, stripe.subscriptions')
    expect((await plansOf()).map(isFound)).toEqual([true, true, true])
    await database.drop()
  })

  it('is loud when the mirror has stopped', async () => {
    const later = { now: new Date('2026-12-20T00:00:00Z') }
    const { meta } = await (await stripeEngine(east, later)).query('mrr', { at: '2026-11-19' })
    expect(meta.warnings.find(({ code }) => code === 'replica_lagging')?.message).toMatch(/has not received the end of a period/)
    expect(meta.data_through).toMatch(/^2026-11-20T1/)
    const refusing = await stripeEngine(east, { ...later, lagPolicy: 'refuse' })
    await expect(refusing.query('mrr', { at: '2026-11-19' })).rejects.toThrow(/Check the process that fills it/)
  })
})

/** Items of today that differ from the newest statement about them, as the relations of the product find them. */
async function unbilledItems(database: TestDatabase): Promise<number> {
  const connector = createStripeConnector(STRIPE_SETTINGS)
  const executor = database.executor({ schema: 'stripe' })
  try {
    return await executor.withSnapshot(async (snapshot) => {
      const definitions = definitionsSchema.parse({ base_currency: 'USD' })
      const session = completeSession(await connector.open(snapshot, { now: END_OF_EAST, definitions }), connector, definitions)
      const [row] = await snapshot.query(
        compileFragment({
          fragment: sql`select count(*) as items from ${relation('stripe_item')} as item
            join ${relation('stripe_life')} as life on life.subscription_id = item.subscription_id and life.ended_at is null
            left join (
              select statement.*, row_number() over (partition by subscription_id, item_id order by stated_from desc) as place_from_end
              from ${relation('stripe_statement')} as statement
            ) as newest on newest.subscription_id = item.subscription_id and newest.item_id = item.item_id and newest.place_from_end = 1
            where item.is_metered = 0 and item.subscription_id in (select line.subscription_id from ${relation('stripe_line')} as line)
              and (newest.item_id is null or newest.is_removed = 1 or newest.price_id <> item.price_id
              or (item.is_tiered = 0 and newest.quantity <> item.quantity))`,
          catalog: stripeCatalog(),
          ...{ inline: session.inline, params: session.params, dialect: snapshot.dialect, label: 'test.unbilled' },
        }),
      )
      return Number(row?.['items'])
    })
  } finally {
    await executor.close()
  }
}

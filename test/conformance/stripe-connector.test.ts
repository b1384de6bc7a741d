import { beforeAll, expect, it } from 'vitest'
import { stripeGrants } from '../../connectors/stripe/grants.ts'
import { createStripeConnector } from '../../connectors/stripe/index.ts'
import { createProduct } from '../../src/app/bin/product.ts'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { ratesByDay } from '../../src/query/fx-rates.ts'
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

  it('is loud when the mirror has stopped', async () => {
    const later = { now: new Date('2026-12-20T00:00:00Z') }
    const { meta } = await (await stripeEngine(east, later)).query('mrr', { at: '2026-11-19' })
    expect(meta.warnings.find(({ code }) => code === 'replica_lagging')?.message).toMatch(/has not received the end of a period/)
    expect(meta.data_through).toMatch(/^2026-11-20T1/)
    const refusing = await stripeEngine(east, { ...later, lagPolicy: 'refuse' })
    await expect(refusing.query('mrr', { at: '2026-11-19' })).rejects.toThrow(/Check the process that fills it/)
  })
})

/** A table with a typed column for each field of its documents, in the schema `columns`. */
function asColumns(table: string): string {
  return `create schema if not exists columns;
    create table columns.${table} (id text primary key, last_synced_at timestamptz);
    do $$ declare name text; begin
      for name in select distinct key from stripe.${table}, jsonb_object_keys(_raw_data) as key where key <> 'id' loop
        execute format('alter table columns.${table} add column %I jsonb', name);
      end loop;
    end $$;
    insert into columns.${table} select filled.* from stripe.${table} as t,
      jsonb_populate_record(null::columns.${table}, t._raw_data || jsonb_build_object('last_synced_at', t._last_synced_at)) as filled`
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import { stripeGrants } from '../../connectors/stripe/grants.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { asColumns } from '../support/data/stripe/columns.ts'
import { copyOfEast } from '../support/data/stripe/east-database.ts'
import { eastTables } from '../support/data/stripe/east-rows.ts'
import { type Document, documentTables, type HandMade, handMade, stamp } from '../support/data/stripe/hand-made.ts'
import { fillReturns, RETURNED, returns } from '../support/data/stripe/returned-rows.ts'
import { createRole } from '../support/databases/restricted-role.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { stripeEngine } from '../support/product/stripe-engine.ts'

interface PaidRow {
  readonly document_id: string
  readonly occurred_at: string
  readonly currency: string
  readonly amount_cents: number
  readonly evidence?: readonly { readonly table: string; readonly id: string; readonly note: string }[]
}

const NOW = new Date('2026-07-01T00:00:00Z')
const RATES = 'date,from,to,rate\n2025-01-01,EUR,USD,1\n2025-01-01,GBP,USD,1\n2025-01-01,JPY,USD,1\n2025-01-01,KWD,USD,1\n'
const SUBTRACT = { refunds: 'subtract' } as const
const OPTIONS = { now: NOW, rates: RATES, definitions: SUBTRACT, settings: { account: ['acct_a'] } }
const COHORT = {
  query_type: 'cohort',
  start: '2026-01-01',
  end: '2026-06-30',
  cohort_month: '2026-01-01',
  measure: 'total_revenue',
}

onPostgres('money that went back on a mirror of Stripe (S23)', (target) => {
  let database: TestDatabase
  let mirror: HandMade
  let straight: Engine
  let cached: Engine
  let cache: CountedCache
  beforeAll(async () => {
    database = await target.createDatabase()
    await database.adminQuery(eastTables())
    await database.adminQuery(documentTables('disputes', 'charges', 'invoice_payments'))
    mirror = handMade(database)
    for (const account of ['acct_a', 'acct_b']) await mirror.account(account, stamp('01-01'))
    await fillReturns(mirror)
    straight = await stripeEngine(database, OPTIONS)
    cached = await stripeEngine(database, { ...OPTIONS, onCache: (made) => (cache = made) })
  })
  afterAll(async () => {
    await Promise.all([straight.close(), cached.close()])
    await database.drop()
  })

  const rowsOf = async (engine: Engine) =>
    ((await engine.metricRows('ltv', { ...COHORT, limit: '1000' })).data as { readonly rows: readonly PaidRow[] }).rows.filter(
      ({ amount_cents }) => amount_cents < 0,
    )
  const returned = async (engine: Engine) =>
    (await rowsOf(engine))
      .map(
        ({ document_id, occurred_at, currency, amount_cents }) =>
          `${document_id.replace(/^in_|_01-10$/g, '')} ${occurred_at.slice(0, 19)} ${currency} ${amount_cents}`,
      )
      .sort()
  const partial = async (engine: Engine) =>
    (await engine.query('ltv', { query_type: 'cohort', start: '2026-01-01', end: '2026-06-30' })).meta.warnings.find(
      ({ code }) => code === 'partial',
    )

  it('is what the documents say, straight and from the cache', async () => {
    expect(await returned(straight)).toEqual(RETURNED)
    expect(await returned(cached)).toEqual(RETURNED)
    expect([cache.failures(), cache.answered() > 0]).toEqual([[], true])
  })

  it('is counted where no document names the invoice', async () => {
    // Nowhere, two, dollar, gone and undone.
    const warning = {
      code: 'partial',
      message: 'The mirror does not name the invoices of 5 refunds and lost disputes. They are not subtracted.',
      count: 5,
    }
    for (const engine of [straight, cached]) {
      expect(await partial(engine)).toEqual(warning)
      expect((await engine.query('mrr')).meta.warnings.filter(({ code }) => code === 'partial')).toEqual([])
    }
    const found = (await straight.check()).find(({ name }) => name === 'refunds')
    expect(found).toMatchObject({ level: 'warning' })
    expect(found?.message).toBe(
      'The mirror does not name the invoices of 5 refunds and lost disputes, so nothing subtracts them; refunds, disputes, charges, invoice_payments are read',
    )
  })

  it('shows the documents behind each row', async () => {
    const rows = await rowsOf(cached)
    expect(rows).toHaveLength(RETURNED.length)
    const shown = (invoice: string, instant: string) =>
      rows
        .find(({ document_id, occurred_at }) => document_id === `in_${invoice}_01-10` && occurred_at.startsWith(instant))
        ?.evidence?.map(({ table, id, note }) => [table, id, ...(table === 'invoices' ? [] : [note])])
    expect(shown('new', '2026-02-06')).toEqual([
      ['invoices', 'in_new_01-10'],
      ['refunds', 're_new', 'refund of ch_new, 4 USD on 2026-02-06'],
    ])
    expect(shown('lost', '2026-02-09')).toEqual([
      ['invoices', 'in_lost_01-10'],
      ['disputes', 'du_lost', 'lost dispute of ch_lost, 10 USD on 2026-02-09'],
    ])
    expect(shown('twice', '2026-02-11')?.map(([, id]) => id)).toEqual(['in_twice_01-10', 're_twice_a', 're_twice_b'])
    expect(shown('kwd', '2026-02-14')?.[1]).toEqual(['refunds', 're_kwd', 'refund of ch_kwd, 1.255 KWD on 2026-02-14'])
    expect(shown('jpy', '2026-02-14')?.[1]).toEqual(['refunds', 're_jpy', 'refund of ch_jpy, 500 JPY on 2026-02-14'])
    expect(shown('early', '2026-03-10')?.[1]).toEqual(['refunds', 're_early', 'refund of ch_early, 2 USD on 2026-03-05'])
    expect((await straight.metricRows('ltv', COHORT)).data).toEqual((await cached.metricRows('ltv', COHORT)).data)
  })

  it('is that of the chosen mode and accounts', async () => {
    const inTest = await stripeEngine(database, { ...OPTIONS, settings: { account: ['acct_a'], mode: 'test' } })
    expect(await returned(inTest)).toEqual(['test 2026-02-16T12:00:00 USD -22'])
    expect((await partial(inTest))?.count).toBe(1)
    const both = await stripeEngine(database, { ...OPTIONS, settings: { account: ['all'] } })
    expect(await returned(both)).toEqual([...RETURNED, 'other 2026-02-16T12:00:00 USD -24'].sort())
    await Promise.all([inTest.close(), both.close()])
  })

  it('changes nothing if the definitions ignore it', async () => {
    const ignoring = await stripeEngine(database, { ...OPTIONS, definitions: {} })
    expect(await returned(ignoring)).toEqual([])
    expect(await partial(ignoring)).toBeUndefined()
    expect((await ignoring.check()).find(({ name }) => name === 'refunds')?.level).toBe('ok')
    await ignoring.close()
  })

  it('follows documents in the cache, whichever comes last', async () => {
    const own = returns(mirror)
    const update = (table: string, id: string, more: Document) =>
      database.adminQuery(`update stripe.${table} set _raw_data = _raw_data || '${JSON.stringify(more)}' where id = '${id}'`)
    const same = async (what: string, lines: readonly string[], without: readonly string[], unplaced: number) => {
      const expected = [...RETURNED.filter((line) => !without.includes(line)), ...lines].sort()
      expect(await returned(cached), what).toEqual(expected)
      expect(await returned(straight), what).toEqual(expected)
      expect([(await partial(cached))?.count, (await partial(straight))?.count], what).toEqual([unplaced, unplaced])
    }
    await own.charge('nowhere', { invoice: 'in_won_01-10', customer: 'cus_won' })
    const late = ['won 2026-02-15T12:00:00 USD -11']
    await same('a charge that came later', late, [], 4)
    await update('invoice_payments', 'inpay_undone', { status: 'paid' })
    late.push('undone 2026-02-15T12:00:00 USD -15')
    await same('an invoice payment that is paid', late, [], 3)
    await update('refunds', 're_old', { status: 'failed' })
    const gone = ['old 2026-02-05T12:00:00 USD -300']
    await same('a refund that failed', late, gone, 3)
    await update('disputes', 'du_won_2', { status: 'lost' })
    late.push('won 2026-02-08T12:00:00 USD -1000')
    await same('a dispute that was lost', late, gone, 3)
    await own.refund('won', '02-20', 40, { charge: 'ch_won' })
    late.push('won 2026-02-20T12:00:00 USD -40')
    await same('a new refund', late, gone, 3)
    await mirror.invoice('gone', '01-10', [], { charge: 'ch_gone', customer: 'cus_old' })
    late.push('gone 2026-02-15T12:00:00 USD -14')
    await same('an invoice that came later', late, gone, 2)
    expect([cache.failures(), cache.statistics().refills]).toEqual([[], {}])
    await database.adminQuery(`delete from stripe.refunds where id = 're_won'`)
    late.splice(late.indexOf('won 2026-02-20T12:00:00 USD -40'), 1)
    await same('a refund that is gone', late, gone, 2)
    expect([cache.failures(), Object.keys(cache.statistics().refills)]).toEqual([[], ['rows_gone']])
  })
})

onPostgres('money that went back on a mirror of Stripe that lacks tables, or hides them', (target) => {
  const ask = { query_type: 'cohort', start: '2026-01-01', end: '2026-06-30' }

  it('is refused by the names of what is missing, and `check` says what to grant', async () => {
    const database = await copyOfEast(target)
    const asked = async (url = database.url) => {
      const engine = await stripeEngine(database, { definitions: SUBTRACT, databaseSettings: { url } })
      const refused = await engine.query('ltv', ask).then(
        () => undefined,
        (error: Error & { readonly code?: string }) => [error.code, error.message],
      )
      const [mrr, finding] = [await engine.query('mrr'), (await engine.check()).find(({ name }) => name === 'refunds')]
      await engine.close()
      return { refused, mrr: mrr.data, level: finding?.level, message: finding?.message }
    }
    const { mrr } = await asked()
    const lacking = 'The database has no disputes. Refunds are therefore not known'
    expect(await asked()).toEqual({
      refused: ['unsupported_by_connector', `${lacking}.`],
      mrr,
      level: 'warning',
      message: lacking,
    })
    await database.adminQuery(documentTables('disputes', 'charges'))
    const role = await createRole(database, stripeGrants)
    // The recorded account has 45 refunds. Its invoices of the older shape name the charges of 17, and nothing names the invoices of the others.
    expect(await asked(role.url)).toMatchObject({ refused: undefined, mrr, level: 'warning' })
    await database.adminQuery(`revoke select on stripe.disputes, stripe.charges from ${role.grantee};
      revoke select (id, _raw_data, _account_id, _last_synced_at, xmin) on stripe.disputes, stripe.charges from ${role.grantee}`)
    const denied = await asked(role.url)
    expect(denied).toMatchObject({
      refused: ['unsupported_by_connector', 'The database role may not read disputes. Refunds are therefore not known.'],
      ...{ mrr, level: 'warning' },
    })
    expect(denied.message).toMatch(
      /not known; `plumbline grants --connector stripe .* --tables disputes,charges` prints the missing grants$/,
    )
    const cached = await stripeEngine(database, {
      ...{ definitions: SUBTRACT, databaseSettings: { url: role.url } },
      onCache: () => {},
    })
    await expect(cached.query('ltv', ask)).rejects.toThrow(
      'The database role may not read disputes. Refunds are therefore not known.',
    )
    expect((await cached.query('mrr')).data).toBe(mrr)
    await cached.close()
    await role.drop()
    await database.drop()
  })

  it('finds the invoices of the recorded account that name their charges, and counts the others', async () => {
    const database = await copyOfEast(target)
    await database.adminQuery(documentTables('disputes'))
    const [row] =
      await database.adminQuery(`select count(*) as refunds, sum(case when refund._raw_data ->> 'currency' = 'jpy' then 100 when
        refund._raw_data ->> 'currency' = 'kwd' then 0.1 else 1 end * cast(refund._raw_data ->> 'amount' as numeric)) as cents
      from stripe.refunds as refund join stripe.invoices as invoice on invoice._raw_data ->> 'charge' = refund._raw_data ->> 'charge'`)
    expect(Number(row?.['refunds'])).toBe(17)
    for (const onCache of [undefined, () => {}]) {
      const engine = await stripeEngine(database, { definitions: SUBTRACT, ...(onCache && { onCache }) })
      const params = { query_type: 'cohort', start: '2024-11-01', end: '2026-11-20' }
      const { data, meta } = await engine.query('ltv', params, { dimensions: ['currency'] })
      const before = await stripeEngine(database)
      const all = (await before.query('ltv', params, { dimensions: ['currency'] })).data
      const sum = (rows: unknown) =>
        (rows as readonly { readonly total_revenue: number }[]).reduce((total, one) => total + one.total_revenue, 0)
      expect(sum(all) - sum(data)).toBe(Number(row?.['cents']))
      expect(meta.warnings.find(({ code }) => code === 'partial')?.count).toBe(28)
      await Promise.all([engine.close(), before.close()])
    }
    await database.drop()
  })

  it('is read from typed columns too', async () => {
    const database = await target.createDatabase()
    await database.adminQuery(eastTables())
    await database.adminQuery(documentTables('disputes', 'charges', 'invoice_payments'))
    const mirror = handMade(database)
    for (const account of ['acct_a', 'acct_b']) await mirror.account(account, stamp('01-01'))
    await fillReturns(mirror)
    await database.adminQuery(
      `delete from stripe.invoices where _account_id = 'acct_b'; delete from stripe.refunds where _account_id = 'acct_b'`,
    )
    for (const table of [
      'products',
      'prices',
      'customers',
      'subscriptions',
      'invoices',
      'refunds',
      'disputes',
      'charges',
      'invoice_payments',
    ])
      await database.adminQuery(asColumns(table))
    const engine = await stripeEngine(database, { ...OPTIONS, settings: { account: [] }, schema: 'columns' })
    const { rows } = (await engine.metricRows('ltv', { ...COHORT, limit: '1000' })).data as { readonly rows: readonly PaidRow[] }
    const back = rows.filter(({ amount_cents }) => amount_cents < 0)
    expect(back.map(({ document_id, amount_cents }) => `${document_id.slice(3, -6)} ${amount_cents}`).sort()).toEqual(
      RETURNED.map((line) => `${line.slice(0, line.indexOf(' '))} ${line.slice(line.lastIndexOf(' ') + 1)}`).sort(),
    )
    // A column that is null does not say that a charge has no invoice.
    const { meta } = await engine.query('ltv', ask)
    expect(meta.warnings.find(({ code }) => code === 'partial')?.count).toBe(6)
    await engine.close()
    await database.drop()
  })
})

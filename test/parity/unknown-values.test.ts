import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Answer, Engine } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realTables, TENANT_KEYS } from '../support/data/recorded/recorded-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, unknown>>
type Asked = readonly [name: string, filters: Cells]

/** The countries of the recorded tenant's accounts. */
const COUNTRIES = new Set(
  realTables('accounts').flatMap((row) =>
    Number(row['tenant_record_id']) === TENANT_KEYS.alpha && row['country'] !== null ? [String(row['country'])] : [],
  ),
)

/** The oldest month of an account. One account is live from the day on which it was created. */
const FIRST_COHORT = `${realTables('accounts')
  .flatMap((row) => (Number(row['tenant_record_id']) === TENANT_KEYS.alpha ? [String(row['created_date']).slice(0, 7)] : []))
  .reduce((a, b) => (a < b ? a : b))}-01`

const warned = ({ meta }: Answer) => meta.warnings.find(({ code }) => code === 'unknown_value')

/** Filters with a value that no row has, and a part of what the warning says. */
const UNKNOWN: readonly (readonly [...Asked, said: string])[] = [
  ['a country by its name', { customer_country: 'Germany' }, 'Did you mean DE?'],
  ['a country in other letters', { customer_country: 'de' }, 'Did you mean DE?'],
  ['a country by a code that none is like', { customer_country: 'ZZ' }, 'It has 7 values: BR, DE, FR, GB, IN, JP, US.'],
  ['one of several countries', { customer_country: ['DE', 'Germany'] }, 'No row has customer_country=Germany. Did you mean DE?'],
  ['a country that is left out', { customer_country: { '!=': 'Germany' } }, 'No row has customer_country=Germany.'],
  ['a plan', { plan_id: 'PRO-monthly' }, 'Did you mean pro-monthly?'],
  ['a product', { product_name: 'pro' }, 'No row has product_name=pro.'],
  ['a billing period', { billing_period: 'YEARLY' }, 'No row has billing_period=YEARLY.'],
  ['a kind of phase', { phase_type: 'evergren' }, 'Did you mean evergreen? It has 4 values.'],
  ['a price list', { price_list: 'default' }, 'No row has price_list=default. Did you mean DEFAULT?'],
  ['a currency', { currency: 'xyz' }, 'No row has currency=XYZ.'],
  ['a source', { source: 'lago' }, 'No row has source=lago. It has 1 value: killbill.'],
  ['a tenant by its id', { source_id: 'alpha' }, 'No row has source_id=alpha.'],
  ['a name, whose neighbours are not told', { customer_name: 'Acme Nowhere' }, 'No row has customer_name=Acme Nowhere.'],
  ['a field of the customer', { 'customer.country': 'germany' }, 'Did you mean DE?'],
  ['an attribute', { 'attr.tier': 'Gold' }, 'No row has attr.tier=Gold.'],
  ['a month in which no customer began', { cohort_month: '1999-01-01' }, 'No row has cohort_month=1999-01-01.'],
  ['a month in which no account was created', { customer_created_month: '2031-02-01' }, 'No row has customer_created_month=2031'],
  ['one of several months', { cohort_month: [FIRST_COHORT, '1999-01-01'] }, 'No row has cohort_month=1999-01-01.'],
  ['a tenure long before every account', { tenure_months: [3, -500] }, 'No row has tenure_months=-500.'],
  ['a tenure that no customer has reached', { tenure_months: 999 }, 'No row has tenure_months=999.'],
  ['a tag, which has no value false', { 'attr.tag.vip': false }, 'No row has attr.tag.vip=false. It has 1 value: true.'],
]

/** Filters whose values exist, if only at other times, and filters that name no values. */
const KNOWN: readonly Asked[] = [
  ['a country', { customer_country: 'DE' }],
  ['a currency in small letters', { currency: 'eur' }],
  ['a plan of the catalog', { plan_id: 'pro-monthly' }],
  ['parts of a value', { plan_id: { contains: 'nowhere' }, customer_country: { starts_with: 'Q' } }],
  [
    'bounds of numbers and dates, and flags',
    { tenure_months: { '>': 999 }, cohort_month: { '<': '1999-01-15' }, pending_cancellation: true },
  ],
  ['a month, and tenures that customers have passed', { cohort_month: FIRST_COHORT, tenure_months: [0, 3] }],
  ['nothing at all', { plan_id: { in: [] }, customer_country: { is_empty: true } }],
]

firstEngineAndOneOther('a filter value that no row has', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    engines.set('straight', await engineOver(database, { tenant: ['alpha'] }))
    engines.set('from the cache', (await cachedEngineOver(database, { tenant: ['alpha'] })).engine)
  })
  afterAll(async () => {
    for (const engine of engines.values()) await engine.close()
  })
  /** The answers of both ways. */
  const both = async (ask: (engine: Engine) => Promise<Answer>) => {
    const [straight, cached] = await Promise.all([...engines.values()].map(ask))
    if (straight === undefined || cached === undefined) throw new Error('an engine is missing')
    expect(cached.data).toEqual(straight.data)
    expect(cached.meta.warnings).toEqual(straight.meta.warnings)
    return straight
  }

  it.each(UNKNOWN)('%s is said', async (_, filters, said) => {
    const answer = await both((engine) => engine.query('mrr', {}, { filters }))
    expect(warned(answer)?.message).toContain(said)
    expect(warned(answer)?.count).toBe(1)
  })

  it.each(KNOWN)('%s is no reason to warn', async (_, filters) => {
    expect(warned(await both((engine) => engine.query('mrr', {}, { filters })))).toBeUndefined()
  })

  it('each query judges its own cohorts', async () => {
    const days = { start: '2026-01-01', end: '2026-11-20' }
    const asked: readonly (readonly [string, Cells, Cells])[] = [
      ['retention', { query_type: 'cohort_matrix', ...days }, { cohort_month: '1999-01-01' }],
      ['ltv', { query_type: 'cohort', ...days }, { cohort_month: '1999-01-01' }],
      ['usage_revenue', days, { period_start: '1999-01-01' }],
    ]
    for (const [metric, params, filters] of asked) {
      const answer = await both((engine) => engine.query(metric, params, { filters }))
      expect(warned(answer)?.message, metric).toBe(`No row has ${Object.keys(filters)[0]}=1999-01-01.`)
      const known = await both((engine) =>
        engine.query(metric, params, { filters: { ...filters, ...{ [Object.keys(filters)[0] ?? '']: '2026-03-01' } } }),
      )
      expect(warned(known), metric).toBeUndefined()
    }
  })

  it('a forecast has tenures that no customer has reached today', async () => {
    const ahead = { query_type: 'series', start: '2026-11-01', end: '2027-12-31', forecast: true }
    const { data } = (await both((engine) => engine.query('mrr', { at: '2026-11-20' }, { dimensions: ['tenure_months'] }))) as {
      data: Cells[]
    }
    const most = Math.max(...data.map((row) => Number(row['tenure_months'])))
    const filters = { tenure_months: most + 6 }
    expect(warned(await both((engine) => engine.query('mrr', ahead, { filters })))).toBeUndefined()
    expect(warned(await both((engine) => engine.query('mrr', {}, { filters })))?.count).toBe(1)
  })

  it.each([
    [{ cohort_month: '2026-01-15' }, '"cohort_month" must be the first day of a month (YYYY-MM-01); got "2026-01-15"'],
    [{ customer_created_month: ['2026-01-01', '2026-01-02'] }, 'got "2026-01-02"'],
    [{ tenure_months: 2.5 }, '"tenure_months" must be a whole number; got 2.5'],
  ])('a value that cannot exist is refused: %j', async (filters, said) => {
    for (const engine of engines.values())
      await expect(engine.query('mrr', {}, { filters })).rejects.toMatchObject({
        code: 'invalid_value',
        message: expect.stringContaining(said),
      })
  })

  it('segments are judged before they are saved', async () => {
    const verdictOf = async (...conditions: readonly object[]) => {
      const [straight, cached] = await Promise.all(
        [...engines.values()].map((engine) => engine.validateSegment({ root: { op: 'and', conditions } })),
      )
      expect(cached).toEqual(straight)
      return straight
    }
    const [plan, quantity] = ['pro-montly', 1_000_003].map((value, index) => ({
      field: index === 0 ? 'plan_id' : 'subscription.quantity',
      op: '=',
      value,
    }))
    expect(await verdictOf(plan ?? {}, quantity ?? {})).toMatchObject({ valid: true, errors: [], warnings: [expect.any(String)] })
    expect((await verdictOf(plan ?? {}, quantity ?? {}))?.warnings[0]).toMatch(
      /^No row has plan_id=pro-montly\. Did you mean pro-monthly or promo-monthly\?.* No row has subscription\.quantity=1000003\.$/,
    )
    for (const value of [[1], ['1', '1.0']])
      expect(await verdictOf({ field: 'subscription.quantity', op: 'in', value })).toMatchObject({ valid: true, warnings: [] })
    expect(await verdictOf({ field: 'subscription.quantity', op: '=', value: 1.5 })).toMatchObject({
      valid: false,
      errors: ['root.conditions[0]: "subscription.quantity" must be a whole number; got 1.5'],
    })
    expect(await verdictOf({ field: 'nothing', op: '=', value: 1 })).toMatchObject({ valid: false, warnings: [] })
  })

  it('is looked up among the first hundred numbers, and the answer says so', async () => {
    const upTo = (count: number) => ({ filters: { tenure_months: Array.from({ length: count }, (_, index) => -900 - index) } })
    const whole = warned(await both((engine) => engine.query('mrr', {}, upTo(100))))
    expect(whole).toMatchObject({ count: 100, message: expect.not.stringContaining('only the first') })
    const cut = warned(await both((engine) => engine.query('mrr', {}, upTo(101))))
    expect(cut).toMatchObject({
      count: 100,
      message: expect.stringMatching(/Of tenure_months, only the first 100 values were looked up\.$/),
    })
  })

  it('is said to be unchecked if the look takes too long', async () => {
    const database = await sharedReal(target)
    const late = new AppError('query_timeout', 'The query took longer than the limit.')
    const slow = (executor: Executor): Executor => ({
      ...executor,
      variant: executor.variant,
      withSnapshot: (work, options) =>
        executor.withSnapshot((snapshot) => {
          const query: typeof snapshot.query = (statement) =>
            statement.label.includes('filter_values') ? Promise.reject(late) : snapshot.query(statement)
          return work({ ...snapshot, query })
        }, options),
    })
    const engine = await engineOver(
      { ...database, executor: (options) => slow(database.executor(options)) },
      { tenant: ['alpha'] },
    )
    const answer = await engine.query('mrr', {}, { filters: { customer_country: 'Narnia' } })
    expect([answer.data, warned(answer)]).toEqual([
      0,
      { code: 'unknown_value', message: expect.stringContaining('not looked up') },
    ])
    await engine.close()
  })

  it('the number of values is that of the accounts', async () => {
    const answer = await both((engine) => engine.query('mrr', {}, { filters: { customer_country: 'Narnia' } }))
    expect(answer.data).toBe(0)
    expect(warned(answer)?.message).toContain(`It has ${COUNTRIES.size} values`)
  })

  it('a value that matches nothing in the range is a plain 0', async () => {
    const range = { query_type: 'breakdown', start: '2015-01-01', end: '2015-01-31' }
    const answer = await both((engine) => engine.query('mrr', range, { filters: { plan_id: 'pro-monthly' } }))
    expect((answer.data as Cells[]).map((row) => row['amount_base'])).toEqual([0, 0, 0, 0, 0])
    expect(warned(answer)).toBeUndefined()
  })

  describe('every way in says it', () => {
    const filters = { customer_country: 'Germany' }
    const segment = JSON.stringify({ root: { op: 'or', conditions: [{ field: 'plan_id', op: '=', value: 'pro-montly' }] } })
    const day = '2026-11-20'
    const ways: Readonly<Record<string, (engine: Engine) => Promise<Answer>>> = {
      summary: (engine) => engine.summary({}, { filters }),
      churn: (engine) => engine.query('churn', { start: '2026-10-01', end: day }, { filters: { cancel_reason: 'Nobody' } }),
      'rows of a number': (engine) => engine.metricRows('mrr', { at: day }, { filters }),
      'a bridge': (engine) => engine.bridge('mrr', { at: day, from: 'plumbline', to: 'killbill-analytics' }, { filters }),
      customers: (engine) => engine.list('customers', { country: 'Germany' }),
      'customers by a filter': (engine) => engine.list('customers', {}, { filters }),
      subscriptions: (engine) => engine.list('subscriptions', { plan_id: 'pro-montly' }),
      'subscriptions of a customer': (engine) => engine.list('subscriptions', { customer_id: 'nobody' }),
      invoices: (engine) => engine.list('invoices', { source_id: 'nowhere' }),
      'ages of invoices': (engine) => engine.invoiceAges({}, { filters }),
      renewals: (engine) => engine.renewals({ plan_id: 'pro-montly' }),
      billings: (engine) => engine.billings({ plan_id: 'pro-montly' }),
      'billing health': (engine) => engine.billingHealth({}, { filters }),
      findings: (engine) => engine.billingFindings({}, { filters: { billing_period: 'YEARLY' } }),
      notices: (engine) => engine.billingNotices({}, { filters }),
      'a segment': (engine) => engine.query('mrr', {}, { segment }),
      'compared segments': (engine) => engine.query('mrr', {}, { compare: [segment] }),
      'a segment of a list': (engine) => engine.list('customers', {}, { segment }),
    }
    it.each(Object.keys(ways))('%s', async (name) => {
      const answer = await both((engine) => (ways[name] as (engine: Engine) => Promise<Answer>)(engine))
      expect(warned(answer)?.message).toMatch(/^No row has /)
    })
  })

  it('a key for numbers learns the values that it may group by, and none of a segment', async () => {
    const segment = JSON.stringify({ root: { op: 'and', conditions: [{ field: 'customer_name', op: '=', value: 'Nobody' }] } })
    const only = { numbersOnly: true }
    const filtered = await both((engine) => engine.query('mrr', {}, { filters: { customer_country: 'Germany' } }, only))
    expect(warned(filtered)?.message).toContain('Did you mean DE?')
    const narrowed = await both((engine) => engine.query('mrr', {}, { segment }, only))
    expect(warned(narrowed)?.message).toBe(
      'A segment names a value that no row has. A credential with the scope read shows which.',
    )
  })

  it('closed lists are refused as before', async () => {
    for (const engine of engines.values()) {
      await expect(engine.query('mrr', {}, { filters: { tenant: 'nowhere' } })).rejects.toMatchObject({ code: 'invalid_value' })
      await expect(engine.list('customers', { status: 'gone' })).rejects.toMatchObject({ code: 'invalid_value' })
    }
  })
})

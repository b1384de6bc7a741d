import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillSeveralCurrencies, toyId } from '../support/data/toy-data.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { toyEngine } from '../support/product/toy-engine.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const SPRING = { start: '2025-03-01', end: '2025-05-31' }
const MAY = { start: '2025-05-01', end: '2025-05-31' }
const BY_CURRENCY = { dimensions: ['currency'] }

everyEngine('customers that pay in several currencies, with keys that are UUIDs', (target) => {
  let database: TestDatabase
  let direct: Engine
  let cached: Engine
  let cache: CountedCache
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillSeveralCurrencies(database)
    direct = await toyEngine(database)
    cached = await toyEngine(
      database,
      {},
      {
        cache: (...given) => {
          cache = countedCache(...given)
          return cache
        },
      },
    )
  })
  afterAll(async () => {
    await direct.close()
    await cached.close()
  })

  /** The same answer of both engines. */
  const both = async (ask: (engine: Engine) => Promise<{ readonly data: unknown }>) => {
    const before = cache.answered()
    const [straight, own] = [(await ask(direct)).data, (await ask(cached)).data]
    expect(JSON.stringify(own)).toBe(JSON.stringify(straight))
    expect(cache.failures()).toEqual([])
    expect(cache.answered()).toBe(before + 1)
    return straight
  }
  const figure = (metric: string, params: Readonly<Record<string, string>>, spec: object = {}) =>
    both((engine) => engine.query(metric, params, { ...spec }))
  const list = async (name: 'customers' | 'subscriptions') =>
    ((await both((engine) => engine.list(name, { limit: '100' }, {}))) as { readonly rows: Rows }).rows

  it('are one customer in each figure, straight and cached (D9)', async () => {
    // To the worked example come 1200 for A from 10 March on, and 700 for C from 15 March to 20 April.
    expect(await figure('ltv', { query_type: 'arpu', at: '2025-05-31' })).toBe(8658.25)
    expect(await figure('retention', { query_type: 'nrr', ...SPRING })).toBe(0.996532)
    expect(await figure('retention', { query_type: 'grr', ...SPRING })).toBe(0.698262)
    expect(await figure('churn', MAY)).toBe(0.25)
    // ARPU 34633 / 4, monthly churn rates 0, 0.2 and 0.25
    expect(await figure('ltv', { query_type: 'simple', ...SPRING })).toBe(57721.67)
    expect((await both((engine) => engine.summary(SPRING))) as object).toMatchObject({
      arpu: 8658.25,
      nrr: 0.996532,
      ltv: 57721.67,
    })
    const cohorts = (await figure('ltv', { query_type: 'cohort', start: '2025-01-01', end: '2025-02-28' })) as Rows
    expect(cohorts.map((row) => row['customer_count'])).toEqual([4, 1])
  })

  it('are one customer in each of their currencies, grouped by currency (D14, D61)', async () => {
    expect(await figure('ltv', { query_type: 'arpu', at: '2025-05-31' }, BY_CURRENCY)).toEqual([
      { currency: 'EUR', arpu: 8500, mrr: 17000, active_customers: 2 },
      { currency: 'USD', arpu: 4744.33, mrr: 14233, active_customers: 3 },
    ])
    expect(await figure('churn', MAY, BY_CURRENCY)).toEqual([
      { currency: 'EUR', logo_churn_rate: 0, churn_count: 0, active_at_start: 2 },
      { currency: 'USD', logo_churn_rate: 0.333333, churn_count: 1, active_at_start: 3 },
    ])
  })

  it('are listed without MRR in original cents, and their subscriptions with it (http-api.md 5)', async () => {
    const known = (rows: Rows, name: string) => {
      const { currency, mrr_cents, mrr_base_cents } = rows.find(({ id }) => id === toyId(name)) ?? {}
      return [currency, mrr_cents, mrr_base_cents]
    }
    const customers = await list('customers')
    expect([known(customers, 'A'), known(customers, 'C')]).toEqual([
      ['USD', null, 9533],
      ['EUR', 16000, 19200],
    ])
    const subscriptions = await list('subscriptions')
    expect([known(subscriptions, 'S1'), known(subscriptions, 'S9')]).toEqual([
      ['USD', 8333, 8333],
      ['EUR', 1000, 1200],
    ])
    // Invoices always come from the billing database.
    const { data } = await direct.list('invoices', { limit: '100' }, {})
    const invoice = (data as { readonly rows: Rows }).rows.find(({ id }) => id === 'A-03-10')
    expect(invoice).toMatchObject({ currency: 'EUR', total_cents: 1000, total_base_cents: 1200 })
  })

  it('have rows that add up to their figures', async () => {
    const sum = async (metric: string, params: Readonly<Record<string, string>>) =>
      ((await both((engine) => engine.metricRows(metric, params))) as { readonly sum: number }).sum
    expect(await sum('ltv', { query_type: 'arpu', at: '2025-05-31', measure: 'mrr' })).toBe(34633)
    expect(await sum('ltv', { query_type: 'arpu', at: '2025-05-31', measure: 'active_customers' })).toBe(4)
    expect(await sum('churn', { query_type: 'logo', ...MAY, measure: 'active_at_start' })).toBe(4)
  })
})

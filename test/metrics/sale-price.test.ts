import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'

type Row = Record<string, string | number | boolean | null>

const SCENARIO = trap({
  accounts: { plain: {}, two: {}, trial: {}, free: {}, back: {}, more: {}, euro: { currency: 'EUR' } },
  subscriptions: {
    plain: { account: 'plain', ...held('gold', '2026-01-05') },
    // Both begin at once: 30.00 and 10.00.
    gold: { account: 'two', ...held('gold', '2026-01-10') },
    silver: { account: 'two', ...held('silver', '2026-01-10') },
    trial: {
      account: 'trial',
      events: [
        ['2026-01-20', 'CREATE', 'try-trial'],
        ['2026-02-03', 'PHASE', 'try-evergreen'],
      ],
    },
    free: {
      account: 'free',
      events: [
        ['2026-01-02', 'CREATE', 'free-evergreen'],
        ['2026-02-10', 'CHANGE', 'silver-evergreen'],
      ],
    },
    // A customer that comes back, and one that buys more, are not new.
    first: { account: 'back', ...held('gold', '2026-01-05', '2026-01-15') },
    again: { account: 'back', ...held('silver', '2026-02-15') },
    small: { account: 'more', ...held('silver', '2026-01-07') },
    large: { account: 'more', ...held('gold', '2026-02-01') },
    euro: { account: 'euro', ...held('gold', '2026-02-12') },
  },
})

const MONTHS = { query_type: 'sale_price', start: '2026-01-01', end: '2026-02-28', granularity: 'month' }

oneEngineInRotation('the average sale price worked out by hand (D96)', (target) => {
  let engines: readonly Engine[]
  beforeAll(async () => {
    const store = await ratesOnly('date,from,to,rate\n2026-01-01,EUR,USD,1.10\n')
    const database = await trapDatabase(target, { all: SCENARIO })
    const options = { tenant: ['all'], now: new Date('2026-03-01T00:00:00Z'), store }
    const cached = await cachedEngineOver(database, options)
    await cached.cache.ready()
    engines = [await engineOver(database, options), cached.engine]
  })
  const expectAnswer = async (dimensions: readonly string[], wanted: unknown, params: Row = {}) => {
    for (const engine of engines)
      expect((await engine.query('ltv', { ...MONTHS, ...params }, groupedBy(dimensions))).data).toEqual(wanted)
  }

  it('is the first MRR of the customers that a month won', async () => {
    await expectAnswer(
      [],
      [
        { period: '2026-01-01', average_sale_price: 2750, new_customer_mrr: 11000, new_customers: 4 },
        { period: '2026-02-01', average_sale_price: 1733.33, new_customer_mrr: 5200, new_customers: 3 },
      ],
    )
  })

  it('counts a customer under the plan of its largest part', async () => {
    const { granularity: _, ...range } = MONTHS
    for (const engine of engines) {
      const { data } = await engine.query('ltv', range, { dimensions: ['plan_id'] })
      expect((data as Row[]).map((row) => [row['plan_id'], row['average_sale_price'], row['new_customers']])).toEqual([
        ['gold', 3050, 4],
        ['silver', 1000, 2],
        ['try', 2000, 1],
      ])
    }
  })

  it('has original amounts by currency, and the customers behind a number', async () => {
    for (const engine of engines) {
      const { data } = await engine.query('ltv', { ...MONTHS, start: '2026-02-01' }, { dimensions: ['currency'] })
      expect(data).toEqual([
        { period: '2026-02-01', currency: 'EUR', average_sale_price: 2000, new_customer_mrr: 2000, new_customers: 1 },
        { period: '2026-02-01', currency: 'USD', average_sale_price: 1500, new_customer_mrr: 3000, new_customers: 2 },
      ])
      for (const measure of ['new_customer_mrr', 'new_customers']) {
        const answer = await engine.metricRows('ltv', { ...MONTHS, period: '2026-01-01', measure })
        const { sum, rows } = answer.data as { sum: number; rows: readonly Row[] }
        expect(sum).toBe(measure === 'new_customers' ? 4 : 11000)
        expect(rows.map((row) => String(row['customer_id']).slice(2)).sort()).toEqual(['back', 'more', 'plain', 'two'])
      }
    }
  })
})

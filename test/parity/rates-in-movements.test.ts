import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

const monthly = (name: string, EUR: string) =>
  planXml(name, {
    final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { EUR } }),
  })

/** EUR 30.00 becomes EUR 50.00 while a euro falls from 1.20 to 0.50 dollars: 36.00 becomes 25.00. In dollars of the day: 15.00, and 10.00 more. */
const FALLING: Scenario = {
  catalogs: [
    catalogXml({
      plans: [monthly('thirty', '30'), monthly('fifty', '50')].join(''),
    }),
  ],
  accounts: { A: { currency: 'EUR' } },
  subscriptions: {
    S: {
      events: [
        ['2024-01-03', 'CREATE', 'thirty-evergreen'],
        ['2024-06-25', 'CHANGE', 'fifty-evergreen'],
      ],
    },
  },
  rates: [
    { date: '2011-01-01', from: 'EUR', to: 'USD', rate: '1.20' },
    { date: '2024-06-20', from: 'EUR', to: 'USD', rate: '0.50' },
  ],
  now: '2024-08-01',
}

/** The other way round: EUR 50.00 becomes EUR 30.00 while a euro rises from 0.50 to 1.20: 25.00 becomes 36.00, and 60.00 of the day lose 24.00. */
const RISING: Scenario = {
  ...FALLING,
  subscriptions: {
    S: {
      events: [
        ['2024-01-03', 'CREATE', 'fifty-evergreen'],
        ['2024-06-25', 'CHANGE', 'thirty-evergreen'],
      ],
    },
  },
  rates: [
    { date: '2011-01-01', from: 'EUR', to: 'USD', rate: '0.50' },
    { date: '2024-06-20', from: 'EUR', to: 'USD', rate: '1.20' },
  ],
}

const JUNE = { start: '2024-06-01', end: '2024-06-30' }
type Rows = readonly Readonly<Record<string, unknown>>[]

firstEngineAndOneOther('movements that exchange rates made (D12)', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { falling: FALLING, rising: RISING })
  })
  afterAll(() => pairs?.close())
  const ask = (name: string, metric: string, params: object) =>
    pairs.both(name, async (engine) => (await engine.query(metric, { ...JUNE, ...params })).data)
  const rows = async (name: string, metric: string, params: object) =>
    (await pairs.both(name, async (engine) => (await engine.metricRows(metric, { ...JUNE, ...params })).data)) as {
      readonly rows: Rows
    }

  it.each([
    [
      'falling',
      { expansion: -1100, contraction: 0 },
      { expansion: -2100, contraction: 0 },
      'Expansion took 11.00 USD (customers added 10.00 USD, exchange rates took 21.00 USD), all from fifty: 1 movement.',
      'changed to fifty on 2024-06-25: -11.00 USD (+10.00 by the customer, -21.00 by the exchange rate).',
    ],
    [
      'rising',
      { expansion: 0, contraction: 1100 },
      { expansion: 0, contraction: 3500 },
      'Contraction added 11.00 USD (customers took 24.00 USD, exchange rates added 35.00 USD), all from thirty: 1 movement.',
      'changed to thirty on 2024-06-25: +11.00 USD (-24.00 by the customer, +35.00 by the exchange rate).',
    ],
  ] as const)(
    '%s: why tells what the customer did from what the rate did',
    async (name, by_movement, rate_parts, sentence, text) => {
      const why = (await ask(name, 'mrr', { query_type: 'why' })) as {
        readonly by_movement: object
        readonly rate_parts: object
        readonly movers: readonly {
          readonly text: string
          readonly rate_part: number
        }[]
        readonly sentences: readonly string[]
      }
      expect(why.by_movement).toMatchObject(by_movement)
      expect(why.rate_parts).toEqual(rate_parts)
      expect(why.sentences[1]).toBe(sentence)
      expect(why.movers.map((mover) => mover.text.endsWith(text))).toEqual([true])
      expect(why.movers[0]?.rate_part).toBe(rate_parts.expansion + rate_parts.contraction)
    },
  )

  it('rows behind the numbers tell both, also of a rate', async () => {
    const parts = async (metric: string, params: object) =>
      (await rows('falling', metric, params)).rows.map((row) => [row['amount_base_cents'], row['rate_part_base_cents']])
    expect(
      await parts('mrr', {
        query_type: 'breakdown',
        movement_type: 'expansion',
      }),
    ).toEqual([[-1100, -2100]])
    expect(await parts('retention', { query_type: 'nrr', measure: 'expansion' })).toEqual([[-1100, -2100]])
    expect(await parts('retention', { query_type: 'nrr', measure: 'start_mrr' })).toEqual([[3600, null]])
  })

  it('no number changes', async () => {
    expect(await ask('falling', 'retention', { query_type: 'grr' })).toBe(0.694444)
    expect(await ask('falling', 'retention', { query_type: 'nrr' })).toBe(0.694444)
  })
})

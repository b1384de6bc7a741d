import { describe, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { type Blocking, catalogOf, type Happening, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { foldScenario, movementLines } from '../support/oracles/fold/fold-scenario.ts'

const CATALOG = catalogOf(monthlyPlan('pro', '30'), monthlyPlan('max', '50'), monthlyPlan('free', '0'))

function life(start: string, phase: string, end?: string): Happening[] {
  return [[start, 'CREATE', phase], ...(end === undefined ? [] : [[end, 'CANCEL'] as const])]
}

function movements(subscriptions: Scenario['subscriptions'], more: Partial<Scenario> = {}): string[] {
  return movementLines(foldScenario({ catalogs: [CATALOG], subscriptions, ...more }))
}

describe('movement types (D27, D31, D32)', () => {
  it('a free subscription is live without a row; paid from free is expansion', () => {
    expect(
      movements({
        S: {
          events: [
            ...life('2025-01-01', 'free-evergreen'),
            ['2025-02-01', 'CHANGE', 'pro-evergreen'],
            ['2025-03-01', 'CHANGE', 'free-evergreen'],
          ],
        },
      }),
    ).toEqual(['2025-02-01 S expansion 3000 plan', '2025-03-01 S contraction -3000 plan'])
  })

  it('a return after being live, even free, is a reactivation; a second subscription of a live customer is new', () => {
    expect(
      movements({
        one: { events: life('2025-01-01', 'free-evergreen', '2025-02-01') },
        two: { events: life('2025-03-01', 'pro-evergreen', '2025-04-01') },
        three: { events: life('2025-03-15', 'max-evergreen') },
      }),
    ).toEqual(['2025-03-01 two reactivation 3000 start', '2025-03-15 three new 5000 start', '2025-04-01 two churn -3000 cancel'])
  })

  it('next to a paused one a subscription is new', () => {
    const blocks: Blocking[] = [['bundle one', 'x', '2025-02-01', true]]
    expect(
      movements(
        {
          one: { bundle: 'one', events: life('2025-01-01', 'pro-evergreen') },
          two: { events: life('2025-03-01', 'max-evergreen') },
        },
        { blocks },
      ),
    ).toEqual(['2025-01-01 one new 3000 start', '2025-02-01 one churn -3000 pause', '2025-03-01 two new 5000 start'])
  })

  it('an end inside a pause makes no further row, but the customer is gone', () => {
    const customers = foldScenario({
      catalogs: [CATALOG],
      subscriptions: { S: { bundle: 'b', events: life('2025-01-01', 'pro-evergreen', '2025-03-01') } },
      blocks: [['bundle b', 'x', '2025-02-01', true]],
    })
    expect(movementLines(customers)).toEqual(['2025-01-01 S new 3000 start', '2025-02-01 S churn -3000 pause'])
    expect(customers[0]?.logo_churn).toEqual(['2025-03-01 00:00:00'])
  })
})

describe('swaps (D33)', () => {
  const at = '2025-02-01'

  it('an end and an activation of one bundle line at one instant are one net change', () => {
    const swap = (old: string, fresh: string) =>
      foldScenario({
        catalogs: [CATALOG],
        subscriptions: {
          old: { bundle: 'kbcncl-1:key', events: life('2025-01-01', old, at) },
          fresh: { bundle: 'key', events: life(at, fresh) },
        },
      })
    expect(movementLines(swap('pro-evergreen', 'max-evergreen')).slice(1)).toEqual([
      '2025-02-01 old expansion -3000 cancel swap',
      '2025-02-01 fresh expansion 5000 start swap',
    ])
    expect(movementLines(swap('max-evergreen', 'pro-evergreen')).slice(1)).toEqual([
      '2025-02-01 old contraction -5000 cancel swap',
      '2025-02-01 fresh contraction 3000 start swap',
    ])
    expect(movementLines(swap('pro-evergreen', 'pro-evergreen')).slice(1)).toEqual([
      '2025-02-01 old expansion -3000 cancel swap',
      '2025-02-01 fresh expansion 3000 start swap',
    ])
    // A free plan that is replaced is an active subscription that ends, too: free to paid is expansion (D27).
    expect(movementLines(swap('free-evergreen', 'pro-evergreen'))).toEqual(['2025-02-01 fresh expansion 3000 start swap'])
    expect(swap('pro-evergreen', 'max-evergreen')[0]?.logo_churn).toEqual([])
  })

  it('another line, another instant or another customer is no swap', () => {
    const start = life('2025-01-01', 'pro-evergreen', at)
    expect(
      movements({ old: { bundle: 'a', events: start }, fresh: { bundle: 'b', events: life(at, 'max-evergreen') } }).slice(1),
    ).toEqual(['2025-02-01 old churn -3000 cancel', '2025-02-01 fresh new 5000 start'])
    expect(
      movements({
        old: { bundle: 'kbcncl-1:a', events: start },
        fresh: { bundle: 'a', events: life('2025-02-02', 'max-evergreen') },
      }).slice(1),
    ).toEqual(['2025-02-01 old churn -3000 cancel', '2025-02-02 fresh reactivation 5000 start'])
    const accounts = { A: {}, B: {} }
    const notAdditive = {
      old: { bundle: 'kbcncl-1:a', events: start },
      fresh: { account: 'B', bundle: 'a', events: life(at, 'max-evergreen') },
    }
    expect(movements(notAdditive, { accounts }).slice(1)).toEqual([
      '2025-02-01 old churn -3000 cancel',
      '2025-02-01 fresh new 5000 start',
    ])
  })
})

describe('base amounts (D12, D14)', () => {
  const final = (price: string) => phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { EUR: price } })
  const euro = catalogXml({
    plans:
      planXml('pro', { final: final('10') }) + planXml('twin', { final: final('10') }) + planXml('max', { final: final('20') }),
  })
  const rates = [
    { date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.10' },
    { date: '2025-02-15', from: 'EUR', to: 'USD', rate: '1.2005' },
    { date: '2025-02-15', from: 'EUR', to: 'GBP', rate: '9' },
  ]
  const fold = (events: readonly Happening[], more: Partial<Scenario> = {}) =>
    foldScenario({
      catalogs: [euro],
      accounts: { A: { currency: 'EUR' } },
      rates,
      subscriptions: { S: { bundle: 'b', events } },
      ...more,
    })[0]

  it('stay frozen while the amount stays, across a plan change too; a resume takes a new rate', () => {
    const customer = fold(
      [
        ...life('2025-01-10', 'pro-evergreen'),
        ['2025-03-01', 'CHANGE', 'twin-evergreen'],
        ['2025-06-01', 'CHANGE', 'max-evergreen'],
      ],
      {
        blocks: [
          ['bundle b', 'x', '2025-04-01', true],
          ['bundle b', 'x', '2025-05-01', false],
        ],
      },
    )
    expect(
      customer?.spans.map((span) => [span.valid_from.slice(0, 10), span.mrr_base_cents, span.subscription_fixed_on]),
    ).toEqual([
      ['2025-01-10', 1100, '2025-01-10'],
      ['2025-03-01', 1100, '2025-01-10'],
      ['2025-04-01', 0, '2025-04-01'],
      ['2025-05-01', 1201, '2025-05-01'],
      ['2025-06-01', 2401, '2025-06-01'],
    ])
    expect(customer?.movements.map((row) => [row.amount_cents, row.amount_base_cents])).toEqual([
      [1000, 1100],
      [-1000, -1100],
      [1000, 1201],
      [1000, 1200],
    ])
  })

  it('are unknown, not 0, before the first rate', () => {
    const customer = fold([...life('2024-12-01', 'pro-evergreen'), ['2025-01-05', 'CHANGE', 'max-evergreen']])
    expect(customer?.spans.map((span) => span.mrr_base_cents)).toEqual([null, 2200])
    expect(customer?.movements.map((row) => [row.amount_cents, row.amount_base_cents, row.fixed_on])).toEqual([
      [1000, null, '2024-12-01'],
      [1000, null, '2025-01-05'],
    ])
  })
})

describe('customers that count (D16, D40)', () => {
  it('an account with the control tag TEST yields nothing, unless asked for', () => {
    const tags = [{ object_id: 'A', object_type: 'ACCOUNT', tag_definition_id: '00000000-0000-0000-0000-000000000006' }]
    const subscriptions = { S: { events: life('2025-01-01', 'pro-evergreen') } }
    expect(movements(subscriptions, { tags })).toEqual([])
    expect(movements(subscriptions, { tags, definitions: { test_accounts: 'include' } })).toEqual(['2025-01-01 S new 3000 start'])
    expect(movements(subscriptions, { tags: [{ ...tags[0], is_active: false }] })).toEqual(['2025-01-01 S new 3000 start'])
  })

  it('the last live subscription that ends is the event; one of two is none', () => {
    const [customer] = foldScenario({
      catalogs: [CATALOG],
      subscriptions: {
        one: { events: life('2025-01-01', 'pro-evergreen', '2025-02-01') },
        two: { events: life('2025-01-01', 'free-evergreen', '2025-03-01') },
      },
    })
    expect(customer?.logo_churn).toEqual(['2025-03-01 00:00:00'])
  })
})

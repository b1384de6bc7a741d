import { describe, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { type Blocking, catalogOf, type Happening, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { foldScenario, movementLines, spanLines } from '../support/oracles/fold/fold-scenario.ts'

const trial = phaseXml('TRIAL', { unit: 'DAYS', number: 14, period: 'MONTHLY', prices: { USD: '5' } })
const CATALOG = catalogOf(monthlyPlan('pro', '30', { initial: trial }), monthlyPlan('max', '50'))
const PAID: Happening = ['2025-01-01', 'CREATE', 'max-evergreen']
const TRIAL: Happening = ['2025-01-01', 'CREATE', 'pro-trial']
const EVERGREEN: Happening = ['2025-01-15', 'PHASE', 'pro-evergreen']

function spans(events: readonly Happening[], blocks: readonly Blocking[], more: Partial<Scenario> = {}): string[] {
  return spanLines(foldScenario({ catalogs: [CATALOG], subscriptions: { S: { bundle: 'b', events } }, blocks, ...more }))
}

describe('billing blocks (D20, KB 5.2)', () => {
  const pause = (from: string, to: string, object = 'bundle b', service = 'entitlement-service'): Blocking[] => [
    [object, service, from, true],
    [object, service, to, false],
  ]

  it('exactly 24 hours count, a second less does not, nor does the least part of one', () => {
    expect(spans([PAID], pause('2025-03-01', '2025-03-02'))).toEqual([
      '2025-01-01..2025-03-01 active max-evergreen x1 5000+0 start',
      '2025-03-01..2025-03-02 paused max-evergreen x1 0+0 pause',
      '2025-03-02.. active max-evergreen x1 5000+0 resume',
    ])
    for (const begun of ['2025-03-01 00:00:01', '2025-03-01 00:00:00.000001'])
      expect(spans([PAID], pause(begun, '2025-03-02'))).toEqual(['2025-01-01.. active max-evergreen x1 5000+0 start'])
  })

  it('each service and object is judged by itself, then they unite', () => {
    const short = [
      ...pause('2025-03-01', '2025-03-01 20:00:00'),
      ...pause('2025-03-01 18:00:00', '2025-03-02 12:00:00', 'S', 'other'),
    ]
    expect(spans([PAID], short)).toEqual(['2025-01-01.. active max-evergreen x1 5000+0 start'])
    const touching = [...pause('2025-03-01', '2025-03-05'), ...pause('2025-03-05', '2025-03-09', 'account A', 'overdue-service')]
    expect(spans([PAID], touching)).toEqual([
      '2025-01-01..2025-03-01 active max-evergreen x1 5000+0 start',
      '2025-03-01..2025-03-09 paused max-evergreen x1 0+0 pause',
      '2025-03-09.. active max-evergreen x1 5000+0 resume',
    ])
  })

  it('names overdue blocks; states that do not block billing pause nothing', () => {
    expect(spans([PAID], [['account A', 'overdue-service', '2025-03-01', true]])[1]).toBe(
      '2025-03-01.. paused max-evergreen x1 0+0 overdue',
    )
    expect(spans([PAID], [['S', 'entitlement-service', '2025-03-01', false]])).toEqual([
      '2025-01-01.. active max-evergreen x1 5000+0 start',
    ])
    expect(spans([PAID], pause('2025-03-01', '2025-04-01', 'bundle other'))).toEqual([
      '2025-01-01.. active max-evergreen x1 5000+0 start',
    ])
  })

  it('a repeated opening changes nothing; rows after the end are not gathered', () => {
    const twice: Blocking[] = [
      ['bundle b', 'x', '2025-03-01', true],
      ['bundle b', 'x', '2025-03-01 12:00:00', true],
      ['bundle b', 'x', '2025-03-02', false],
    ]
    expect(spans([PAID], twice)[1]).toBe('2025-03-01..2025-03-02 paused max-evergreen x1 0+0 pause')
    const acrossEnd = pause('2025-03-31 20:00:00', '2025-04-01 08:00:00')
    expect(spans([PAID, ['2025-04-01', 'CANCEL']], acrossEnd).at(-1)).toBe(
      '2025-03-31 20:00:00..2025-04-01 paused max-evergreen x1 0+0 pause /cancel',
    )
  })

  it('changes made during a pause show at the resume', () => {
    const events: Happening[] = [PAID, ['2025-03-10', 'QUANTITY_UPDATE', 2], ['2025-03-11', 'CHANGE', 'pro-evergreen']]
    const customers = foldScenario({
      catalogs: [CATALOG],
      subscriptions: { S: { bundle: 'b', events } },
      blocks: pause('2025-03-01', '2025-04-01'),
    })
    expect(movementLines(customers)).toEqual([
      '2025-01-01 S new 5000 start',
      '2025-03-01 S churn -5000 pause',
      '2025-04-01 S reactivation 6000 resume',
    ])
    expect(spanLines(customers).map((line) => line.split(' ').at(-1))).toEqual(['start', 'pause', 'quantity', 'plan', 'resume'])
  })
})

describe('activation and status (D21, D22)', () => {
  it('a trial has no MRR even with a recurring price, and a block inside it changes nothing', () => {
    const blocks: Blocking[] = [
      ['bundle b', 'x', '2025-01-05', true],
      ['bundle b', 'x', '2025-01-10', false],
    ]
    expect(spans([TRIAL, EVERGREEN], blocks)).toEqual([
      '2025-01-01..2025-01-15 trialing pro-trial x1 0+0 start',
      '2025-01-15.. active pro-evergreen x1 3000+0 phase',
    ])
  })

  it('a trial that ends while blocked goes on until the block ends', () => {
    const blocks: Blocking[] = [
      ['bundle b', 'x', '2025-01-10', true],
      ['bundle b', 'x', '2025-02-01', false],
    ]
    const customers = foldScenario({
      catalogs: [CATALOG],
      subscriptions: { S: { bundle: 'b', events: [TRIAL, EVERGREEN] } },
      blocks,
    })
    expect(spanLines(customers)).toEqual([
      '2025-01-01..2025-01-15 trialing pro-trial x1 0+0 start',
      '2025-01-15..2025-02-01 trialing pro-evergreen x1 0+0 phase',
      '2025-02-01.. active pro-evergreen x1 3000+0 resume',
    ])
    expect(customers[0]?.trials).toMatchObject([{ converted_at: '2025-02-01 00:00:00' }])
    expect(movementLines(customers)).toEqual(['2025-02-01 S new 3000 resume'])
  })

  it('blocked from the start: pending, no span until the block ends', () => {
    const blocks: Blocking[] = [
      ['account A', 'overdue-service', '2024-12-01', true],
      ['account A', 'overdue-service', '2025-02-01', false],
    ]
    expect(spans([PAID], blocks)).toEqual(['2025-02-01.. active max-evergreen x1 5000+0 resume'])
    expect(spans([PAID, ['2025-01-20', 'CANCEL']], blocks)).toEqual([])
  })

  it('a trial entered after activation is active at 0', () => {
    expect(spans([PAID, ['2025-02-01', 'CHANGE', 'pro-trial'], ['2025-02-15', 'PHASE', 'pro-evergreen']], [])).toEqual([
      '2025-01-01..2025-02-01 active max-evergreen x1 5000+0 start',
      '2025-02-01..2025-02-15 active pro-trial x1 0+0 plan',
      '2025-02-15.. active pro-evergreen x1 3000+0 phase',
    ])
  })

  it('a trial cancelled at its end has expired', () => {
    const [customer] = foldScenario({
      catalogs: [CATALOG],
      subscriptions: { S: { events: [TRIAL, ['2025-01-15', 'CANCEL'], EVERGREEN] } },
    })
    expect(customer?.trials).toMatchObject([{ converted_at: null, expired_at: '2025-01-15 00:00:00' }])
    expect(customer?.logo_churn).toEqual([])
  })
})

describe('price (D23 to D26)', () => {
  const weekly = planXml('weekly', { final: phaseXml('EVERGREEN', { period: 'WEEKLY', prices: { USD: '0.125' } }) })
  const sub = (phase: string, quantity = 1): readonly Happening[] => [
    ['2025-01-01', 'CREATE', phase],
    ['2025-01-01', 'QUANTITY_UPDATE', quantity],
  ]

  it('rounds the product once, half away from zero, then floors the month', () => {
    // 0.125 × 3 = 0.375 → 38 cents (12 cents each would be 36) × 52 / 12 = 164.67
    expect(spans(sub('weekly-evergreen', 3), [], { catalogs: [catalogOf(weekly)] })).toEqual([
      '2025-01-01.. active weekly-evergreen x3 164+0 start',
    ])
  })

  it('marks what has no price, and no trial among it', () => {
    const euro = { accounts: { A: { currency: 'EUR' } } }
    expect(spans([PAID], [], euro)).toEqual(['2025-01-01.. active max-evergreen x1 unpriced start'])
    expect(spans([PAID], [], { accounts: { A: { currency: null } } })).toEqual([
      '2025-01-01.. active max-evergreen x1 unpriced start',
    ])
    expect(spans([['2025-01-01', 'CREATE', 'ghost-evergreen']], [])).toEqual([
      '2025-01-01.. active ghost-evergreen x1 unpriced start',
    ])
    expect(spans([['2025-01-01', 'CREATE', 'ghost-trial']], [])).toEqual(['2025-01-01.. trialing ghost-trial x1 0+0 start'])
    const odd = catalogOf(planXml('odd', { final: phaseXml('EVERGREEN', { period: 'FORTNIGHTLY', prices: { USD: '1' } }) }))
    expect(spans(sub('odd-evergreen'), [], { catalogs: [odd] })).toEqual(['2025-01-01.. active odd-evergreen x1 unpriced start'])
  })

  it('moves at the catalog’s date for existing subscriptions, and not for who came later or changed before', () => {
    const v1 = catalogXml({ effectiveDate: '2024-01-01', plans: monthlyPlan('pro', '30') + monthlyPlan('max', '50') })
    const v2 = catalogXml({
      effectiveDate: '2025-02-01',
      plans: monthlyPlan('pro', '36', { existing: '2025-03-01' }) + monthlyPlan('max', '60'),
    })
    const priced = (events: readonly Happening[]) => spans(events, [], { catalogs: [v1, v2] })
    expect(priced([['2025-01-01', 'CREATE', 'pro-evergreen']])).toEqual([
      '2025-01-01..2025-03-01 active pro-evergreen x1 3000+0 start',
      '2025-03-01.. active pro-evergreen x1 3600+0 price',
    ])
    expect(priced([['2025-02-01', 'CREATE', 'pro-evergreen']])).toEqual(['2025-02-01.. active pro-evergreen x1 3600+0 start'])
    expect(priced([PAID])).toEqual(['2025-01-01.. active max-evergreen x1 5000+0 start'])
    expect(priced([PAID, ['2025-04-01', 'CHANGE', 'max-evergreen']])).toEqual([
      '2025-01-01..2025-04-01 active max-evergreen x1 5000+0 start',
      '2025-04-01.. active max-evergreen x1 6000+0 price',
    ])
  })
})

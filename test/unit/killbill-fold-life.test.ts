import { describe, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, type Happening, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { foldScenario, spanLines } from '../support/oracles/fold/fold-scenario.ts'

const trial = phaseXml('TRIAL', { unit: 'DAYS', number: 14, period: 'MONTHLY', prices: { USD: '5' } })
const CATALOG = catalogOf(monthlyPlan('pro', '30', { initial: trial }), monthlyPlan('max', '50'), monthlyPlan('free', '0'))

function spans(events: readonly Happening[], more: Partial<Scenario> = {}): string[] {
  return spanLines(foldScenario({ catalogs: [CATALOG], subscriptions: { S: { events } }, ...more }))
}

describe('order and kinds of events (KB 2.1, 2.2)', () => {
  it('drops events at the end’s instant or later, and marker rows', () => {
    expect(
      spans([
        ['2025-01-01', 'CREATE', 'max-evergreen'],
        ['2025-02-01', 'UNCANCEL'],
        ['2025-03-01', 'QUANTITY_UPDATE', 9],
        ['2025-03-01', 'CANCEL'],
        ['2025-04-01', 'CHANGE', 'pro-evergreen'],
        ['2025-05-01', 'CANCEL'],
      ]),
    ).toEqual(['2025-01-01..2025-03-01 active max-evergreen x1 5000+0 start /cancel'])
  })

  it('takes CREATE first at one instant and the last row of the instant for the rest', () => {
    expect(
      spans([
        ['2025-01-01', 'QUANTITY_UPDATE', 4],
        ['2025-01-01', 'CREATE', 'max-evergreen'],
        ['2025-02-01', 'QUANTITY_UPDATE', 2],
        ['2025-02-01', 'CHANGE', 'pro-evergreen'],
        ['2025-02-01', 'QUANTITY_UPDATE', 3],
      ]),
    ).toEqual([
      '2025-01-01..2025-02-01 active max-evergreen x4 20000+0 start',
      '2025-02-01.. active pro-evergreen x3 9000+0 plan',
    ])
  })

  it('lets a CHANGE at the start’s instant win over CREATE, whatever their record_ids', () => {
    expect(
      spans([
        ['2025-01-01', 'CHANGE', 'pro-evergreen'],
        ['2025-01-01', 'CREATE', 'max-evergreen'],
      ]),
    ).toEqual(['2025-01-01.. active pro-evergreen x1 3000+0 start'])
  })

  it('reads a quantity below 1 as 1 and keeps it across plan changes; 0 on other rows says nothing', () => {
    expect(
      spans([
        ['2025-01-01', 'CREATE', 'max-evergreen'],
        ['2025-01-02', 'QUANTITY_UPDATE', 2],
        ['2025-01-03', 'CHANGE', 'pro-evergreen'],
        ['2025-01-04', 'QUANTITY_UPDATE', -1],
      ]),
    ).toEqual([
      '2025-01-01..2025-01-02 active max-evergreen x1 5000+0 start',
      '2025-01-02..2025-01-03 active max-evergreen x2 10000+0 quantity',
      '2025-01-03..2025-01-04 active pro-evergreen x2 6000+0 plan',
      '2025-01-04.. active pro-evergreen x1 3000+0 quantity',
    ])
  })

  it('ignores inactive rows, rows after now, bill cycle days and words it does not know', () => {
    expect(
      spans([
        ['2025-01-01', 'CREATE', 'max-evergreen'],
        ['2025-02-01', 'CHANGE', 'pro-evergreen', { is_active: false }],
        ['2025-03-01', 'BCD_UPDATE', undefined, { billing_cycle_day_local: 9 }],
        ['2025-04-01', 'SOMETHING_NEW', 'pro-evergreen'],
        ['2026-01-02', 'CANCEL'],
      ]),
    ).toEqual(['2025-01-01.. active max-evergreen x1 5000+0 start'])
  })

  it.each(['RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING'])('%s begins a subscription like CREATE', (word) => {
    expect(spans([['2025-01-01', word, 'max-evergreen']])).toEqual(['2025-01-01.. active max-evergreen x1 5000+0 start'])
  })

  it('cuts the plan out of the phase where a TRANSFER row lost its plan', () => {
    expect(spans([['2025-01-01', 'TRANSFER', 'max-evergreen', { plan_name: null }]])).toEqual([
      '2025-01-01.. active max-evergreen x1 5000+0 bundle_transfer',
    ])
  })

  it('a cancel at the start leaves no life at all', () => {
    expect(
      spans([
        ['2025-01-01', 'CREATE', 'max-evergreen'],
        ['2025-01-01', 'CANCEL'],
      ]),
    ).toEqual([])
    expect(spans([['2026-01-02', 'CREATE', 'max-evergreen']])).toEqual([])
  })
})

describe('ends (D18)', () => {
  const term = phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 1, period: 'MONTHLY', prices: { USD: '99' } })
  const contract = catalogOf(planXml('contract', { final: term }), monthlyPlan('max', '50'))

  it('derives the end of a fixed term only where no EXPIRED row exists in any state', () => {
    const fold = (events: readonly Happening[], more: Partial<Scenario> = {}) => spans(events, { catalogs: [contract], ...more })
    const start: Happening = ['2025-01-31', 'CREATE', 'contract-fixedterm']
    expect(fold([start])).toEqual(['2025-01-31..2025-02-28 active contract-fixedterm x1 9900+0 start /expiry'])
    expect(fold([start, ['2025-02-28', 'EXPIRED', undefined, { is_active: false }]])).toEqual([
      '2025-01-31.. active contract-fixedterm x1 9900+0 start',
    ])
    expect(fold([start], { definitions: { derive_fixed_term_end: false } })).toEqual([
      '2025-01-31.. active contract-fixedterm x1 9900+0 start',
    ])
    expect(fold([start], { now: '2025-02-27' })).toEqual(['2025-01-31.. active contract-fixedterm x1 9900+0 start'])
    expect(fold([start, ['2025-02-10', 'CANCEL']])).toEqual([
      '2025-01-31..2025-02-10 active contract-fixedterm x1 9900+0 start /cancel',
    ])
    expect(fold([start, ['2025-02-10', 'CHANGE', 'max-evergreen']])).toEqual([
      '2025-01-31..2025-02-10 active contract-fixedterm x1 9900+0 start',
      '2025-02-10.. active max-evergreen x1 5000+0 plan',
    ])
  })

  const addon = (name: string) => `<product name="${name}"><category>ADD_ON</category></product>`
  const available = (...names: readonly string[]) =>
    `<available>${names.map((name) => `<addonProduct>${name}</addonProduct>`).join('')}</available>`
  const bundled = catalogXml({
    products: [
      `<product name="Pro"><category>BASE</category>${available('Seats')}</product>`,
      '<product name="Bare"><category>BASE</category></product>',
      `<product name="Full"><category>BASE</category><included><addonProduct>Seats</addonProduct></included>${available('Seats')}</product>`,
      addon('Seats'),
    ].join(''),
    plans: [
      monthlyPlan('pro', '30', { product: 'Pro' }),
      monthlyPlan('bare', '10', { product: 'Bare' }),
      monthlyPlan('full', '90', { product: 'Full' }),
      monthlyPlan('seats', '5', { product: 'Seats' }),
    ].join(''),
  })
  const withBase = (base: readonly Happening[], addonStart = '2025-02-01', now = '2026-01-01'): string[] =>
    spanLines(
      foldScenario({
        catalogs: [bundled],
        now,
        subscriptions: {
          base: { bundle: 'b', events: [['2025-01-01', 'CREATE', 'pro-evergreen'], ...base] },
          S: { bundle: 'b', category: 'ADD_ON', events: [[addonStart, 'CREATE', 'seats-evergreen']] },
        },
      }),
    )

  it('an add-on ends with its base, not before that happens', () => {
    expect(withBase([['2025-03-01', 'CANCEL']])).toEqual([
      '2025-02-01..2025-03-01 active seats-evergreen x1 500+0 start /base_end',
    ])
    expect(withBase([['2025-03-01', 'CANCEL']], '2025-02-01', '2025-02-28')).toEqual([
      '2025-02-01.. active seats-evergreen x1 500+0 start',
    ])
    expect(withBase([['2025-03-01', 'CANCEL']], '2025-04-01')).toEqual([])
  })

  it('an add-on ends when its base changes to a product that excludes or includes it', () => {
    expect(withBase([['2025-03-01', 'CHANGE', 'bare-evergreen']])).toEqual([
      '2025-02-01..2025-03-01 active seats-evergreen x1 500+0 start /base_end',
    ])
    expect(withBase([['2025-03-01', 'CHANGE', 'full-evergreen']])).toEqual([
      '2025-02-01..2025-03-01 active seats-evergreen x1 500+0 start /base_end',
    ])
    expect(withBase([['2025-03-01', 'CHANGE', 'pro-evergreen']])).toEqual(['2025-02-01.. active seats-evergreen x1 500+0 start'])
    expect(withBase([['2025-01-15', 'CHANGE', 'bare-evergreen']])).toEqual(['2025-02-01.. active seats-evergreen x1 500+0 start'])
  })

  it('a bundle that is transferred ends with the successor’s TRANSFER, whatever its own rows say (D19)', () => {
    const customers = foldScenario({
      catalogs: [CATALOG],
      accounts: { A: {}, B: {} },
      subscriptions: {
        old: {
          bundle: 'kbtsf-1:key',
          events: [
            ['2025-01-01', 'CREATE', 'pro-trial'],
            ['2025-01-15', 'PHASE', 'pro-evergreen'],
            ['2025-03-01', 'CANCEL'],
          ],
        },
        other: { bundle: 'another', events: [['2025-01-01', 'CREATE', 'max-evergreen']] },
        fresh: {
          bundle: 'key',
          account: 'B',
          original_start: '2025-01-01',
          events: [['2025-02-01', 'TRANSFER', 'pro-evergreen']],
        },
      },
    })
    expect(spanLines(customers, 'old').at(-1)).toBe(
      '2025-01-15..2025-02-01 active pro-evergreen x1 3000+0 phase /bundle_transfer',
    )
    expect(spanLines(customers, 'fresh')).toEqual(['2025-02-01.. active pro-evergreen x1 3000+0 bundle_transfer'])
    expect(spanLines(customers, 'other')).toEqual(['2025-01-01.. active max-evergreen x1 5000+0 start'])
    expect(customers.flatMap((customer) => customer.logo_churn)).toEqual([])
    expect(customers.flatMap((customer) => customer.trials).map((one) => one.subscription_id)).toEqual(['old'])
  })

  it('the successor is the nearest younger bundle of the line, not an older one', () => {
    const moved = (day: string): Happening[] => [[day, 'TRANSFER', 'max-evergreen']]
    const customers = foldScenario({
      catalogs: [CATALOG],
      accounts: { A: {}, B: {}, C: {}, D: {} },
      subscriptions: {
        older: { bundle: 'kbcncl-1:key', account: 'D', events: moved('2025-01-05') },
        old: { bundle: 'kbtsf-2:key', events: [['2025-01-01', 'CREATE', 'max-evergreen']] },
        untouched: { bundle: 'kbcncl-3:key', account: 'C', events: [['2025-01-20', 'CREATE', 'max-evergreen']] },
        nearest: { bundle: 'kbtsf-4:key', account: 'B', events: moved('2025-02-01') },
        last: { bundle: 'key', account: 'C', events: moved('2025-03-01') },
      },
    })
    expect(spanLines(customers, 'old')).toEqual(['2025-01-01..2025-02-01 active max-evergreen x1 5000+0 start /bundle_transfer'])
    expect(spanLines(customers, 'nearest')).toEqual([
      '2025-02-01..2025-03-01 active max-evergreen x1 5000+0 bundle_transfer /bundle_transfer',
    ])
  })

  it('a trial that is transferred belongs to the receiver alone, from its original start (D57)', () => {
    const customers = foldScenario({
      catalogs: [CATALOG],
      accounts: { A: {}, B: {} },
      subscriptions: {
        old: { bundle: 'kbtsf-1:key', events: [['2025-01-01', 'CREATE', 'pro-trial']] },
        fresh: {
          bundle: 'key',
          account: 'B',
          original_start: '2025-01-01',
          events: [
            ['2025-01-08', 'TRANSFER', 'pro-trial'],
            ['2025-01-15', 'PHASE', 'pro-evergreen'],
          ],
        },
      },
    })
    expect(customers.flatMap((customer) => customer.trials)).toMatchObject([
      { subscription_id: 'fresh', started_at: '2025-01-01 00:00:00', converted_at: '2025-01-15 00:00:00', expired_at: null },
    ])
  })
})

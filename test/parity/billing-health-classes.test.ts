import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import { type Happening, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

type Item = readonly [type: string, amount: string, more: Readonly<Record<string, string | null>>]
type Invoices = NonNullable<Scenario['invoices']>

const V1 = '2024-01-01 00:00:00'
const V2 = '2025-11-01 00:00:00'

/** A recurring item of `gold` for some days of the subscription S. */
function item(start_date: string, end_date: string, rate = '30', more: Readonly<Record<string, string>> = {}): Item {
  const cells = { subscription_id: 'S', phase_name: 'gold-evergreen', catalog_effective_date: V1, start_date, end_date, rate }
  return ['RECURRING', rate, { ...cells, ...more }]
}

const repair = (linked_item_id: string, start_date: string, end_date: string): Item => [
  'REPAIR_ADJ',
  '-20',
  { linked_item_id, start_date, end_date },
]

const invoice = (created: string, items: readonly Item[], cells = {}): Invoices[string] => ({ created, items, cells })

const OCTOBER = invoice('2025-10-01', [item('2025-10-01', '2025-11-01')])
const NOVEMBER = invoice('2025-11-01', [item('2025-11-01', '2025-12-01')])
const DECEMBER = invoice('2025-12-01', [item('2025-12-01', '2026-01-01')])

/** One customer with `gold` since 1 October, seen on 1 January. */
function gold(invoices: Invoices, more: Partial<Scenario> = {}): Scenario {
  return trap({ subscriptions: { S: held('gold', '2025-10-01') }, invoices, ...more })
}

/** `gold` for 30, and for 36 in a second version. */
function twoVersions(existing?: string): readonly string[] {
  const plan = (price: string, more = {}) =>
    planXml('gold', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } }), ...more })
  return [
    catalogXml({ plans: plan('30') }),
    catalogXml({ effectiveDate: '2025-11-01T00:00:00Z', plans: plan('36', existing === undefined ? {} : { existing }) }),
  ]
}

/** `gold` for 30, billed after each month. */
const IN_ARREARS = [catalogXml({ mode: 'IN_ARREAR', plans: monthlyPlan('gold', '30') })]

const changing = (...events: readonly Happening[]) => ({ S: { events: [...held('gold', '2025-10-01').events, ...events] } })
const accountTag = (tag_definition_id: string, day: string) => [
  { object_type: 'ACCOUNT', object_id: 'A', tag_definition_id, created_date: `${day} 00:00:00` },
]
const expired: Happening = ['2025-10-20', 'EXPIRED']

type Found = readonly [kind: string, first: string, last: string, days: number, agreed: number, billed: number]

/** Scenarios, and their findings. Amounts are those of the days: 12/365 of a month each. */
const CASES: Readonly<Record<string, readonly [scenario: Scenario, found: readonly Found[]]>> = {
  'every month is billed': [gold({ OCTOBER, NOVEMBER, DECEMBER }), []],
  'a month twice': [
    gold({ OCTOBER, NOVEMBER, AGAIN: NOVEMBER, DECEMBER }),
    [['double_billed', '2025-11-01', '2025-11-30', 30, 2959, 5918]],
  ],
  'a month is missing': [gold({ OCTOBER, DECEMBER }), [['not_billed', '2025-11-01', '2025-11-30', 30, 2959, 0]]],
  'a repair without a new item': [
    gold({
      OCTOBER,
      NOVEMBER,
      DECEMBER: invoice('2025-12-01', [...(DECEMBER.items as Item[]), repair('NOVEMBER/0', '2025-11-11', '2025-12-01')]),
    }),
    [['not_billed', '2025-11-11', '2025-11-30', 20, 1973, 0]],
  ],
  'a repair in the middle, billed again': [
    gold({
      OCTOBER,
      NOVEMBER,
      DECEMBER: invoice('2025-12-01', [
        ...(DECEMBER.items as Item[]),
        repair('NOVEMBER/0', '2025-11-11', '2025-11-21'),
        item('2025-11-11', '2025-11-21'),
      ]),
    }),
    [],
  ],
  'a void repair': [
    gold({
      OCTOBER,
      NOVEMBER,
      DECEMBER,
      VOIDED: invoice('2025-12-01', [repair('NOVEMBER/0', '2025-11-11', '2025-12-01')], { status: 'VOID' }),
    }),
    [],
  ],
  'a void invoice': [
    gold({ OCTOBER, NOVEMBER: { ...NOVEMBER, cells: { status: 'VOID' } }, DECEMBER }),
    [['not_billed', '2025-11-01', '2025-11-30', 30, 2959, 0]],
  ],
  'a draft of an old period': [
    gold({ OCTOBER, NOVEMBER: { ...NOVEMBER, cells: { status: 'DRAFT' } }, DECEMBER }),
    [['stuck_draft', '2025-11-01', '2025-11-30', 30, 2959, 2959]],
  ],
  'a draft of the running period': [
    gold(
      { NOW: invoice('2025-12-15', [item('2025-12-15', '2026-01-15')], { status: 'DRAFT' }) },
      { subscriptions: { S: held('gold', '2025-12-15') } },
    ),
    [],
  ],
  'billed after the end': [
    gold({ OCTOBER, NOVEMBER, DECEMBER }, { subscriptions: { S: held('gold', '2025-10-01', '2025-12-01') } }),
    [['billed_after_end', '2025-12-01', '2025-12-31', 31, 0, 3058]],
  ],
  'in arrears, the running month is not due': [gold({ OCTOBER, NOVEMBER }, { catalogs: IN_ARREARS }), []],
  'in arrears, a month that has ended is due': [
    gold({ OCTOBER }, { catalogs: IN_ARREARS }),
    [['not_billed', '2025-11-01', '2025-11-30', 30, 2959, 0]],
  ],
  'in arrears and never billed, the first month may be short, so two are not due': [
    gold({}, { catalogs: IN_ARREARS }),
    [['not_billed', '2025-10-01', '2025-10-31', 31, 3058, 0]],
  ],
  'in arrears by week': [
    // Billed up to 8 December. Two weeks have ended since, on 15 and 22 December; the third has ended on 29 December.
    gold(
      { W: invoice('2025-12-08', [item('2025-12-01', '2025-12-08', '7')]) },
      {
        catalogs: [
          catalogXml({
            mode: 'IN_ARREAR',
            plans: planXml('gold', { final: phaseXml('EVERGREEN', { period: 'WEEKLY', prices: { USD: '7' } }) }),
          }),
        ],
        subscriptions: { S: held('gold', '2025-12-01') },
      },
    ),
    // 700 × 52 / 12 cents a month, for 21 days.
    [['not_billed', '2025-12-08', '2025-12-28', 21, 2094, 0]],
  ],
  'a parked account': [
    gold({ OCTOBER, NOVEMBER }, { tags: accountTag('00000000-0000-0001-0000-000000000001', '2025-12-11') }),
    [
      ['account_parked', '2025-12-10', '2025-12-31', 22, 2170, 0],
      ['not_billed', '2025-12-01', '2025-12-09', 9, 888, 0],
    ],
  ],
  'invoicing is off': [
    gold({ OCTOBER, NOVEMBER }, { tags: accountTag('00000000-0000-0000-0000-000000000002', '2025-11-05') }),
    [['invoicing_off', '2025-12-01', '2025-12-31', 31, 3058, 0]],
  ],
  // The engine sets the tag itself, hours after the block, and removes it when the customer has paid.
  'an overdue state that blocks billing, with the tag of the engine': [
    gold(
      { OCTOBER, NOVEMBER, DECEMBER },
      {
        blocks: [['account A', 'overdue-service', '2025-12-11 08:00:00', true, 'OD2']],
        tags: accountTag('00000000-0000-0000-0000-000000000002', '2025-12-12'),
      },
    ),
    [['overdue_block', '2025-12-11', '2025-12-31', 21, 0, 2071]],
  ],
  'an overdue state that blocked billing until the customer paid': [
    gold(
      { OCTOBER, NOVEMBER, DECEMBER },
      {
        blocks: [
          ['account A', 'overdue-service', '2025-12-01 08:00:00', false, 'OD1'],
          ['account A', 'overdue-service', '2025-12-11 08:00:00', true, 'OD2'],
          ['account A', 'overdue-service', '2025-12-21 08:00:00', false, '__KILLBILL__CLEAR__OVERDUE_STATE__'],
        ],
      },
    ),
    [['overdue_block', '2025-12-11', '2025-12-20', 10, 0, 986]],
  ],
  'an overdue state that blocks no billing explains nothing': [
    gold({ OCTOBER, NOVEMBER }, { blocks: [['account A', 'overdue-service', '2025-11-20', false, 'OD1']] }),
    [['not_billed', '2025-12-01', '2025-12-31', 31, 3058, 0]],
  ],
  'an operator has switched invoicing off, and an overdue state came later': [
    gold(
      { OCTOBER },
      {
        blocks: [['account A', 'overdue-service', '2025-12-11', true, 'OD2']],
        tags: accountTag('00000000-0000-0000-0000-000000000002', '2025-11-05'),
      },
    ),
    // The day of the tag and those before it have no cause. The block pauses the rest, and nothing is billed.
    [
      ['invoicing_off', '2025-11-05', '2025-12-10', 36, 3551, 0],
      ['not_billed', '2025-11-01', '2025-11-04', 4, 395, 0],
    ],
  ],
  'another quantity': [
    gold(
      { OCTOBER: invoice('2025-10-01', [item('2025-10-01', '2026-01-01', '60')]) },
      { subscriptions: changing(['2025-10-01', 'QUANTITY_UPDATE', 5]) },
    ),
    [['quantity_differs', '2025-10-01', '2025-12-31', 92, 45370, 18148]],
  ],
  'another quantity at a price with cents, whose quotient no rounding may change': [
    gold(
      { OCTOBER: invoice('2025-10-01', [item('2025-10-01', '2026-01-01', '253')]) },
      {
        subscriptions: changing(['2025-10-01', 'QUANTITY_UPDATE', 3]),
        catalogs: [
          catalogXml({
            plans: planXml('gold', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '50.60' } }) }),
          }),
        ],
      },
    ),
    [['quantity_differs', '2025-10-01', '2025-12-31', 92, 45914, 76524]],
  ],
  'the price of another version': [
    gold(
      { OCTOBER, NOVEMBER: invoice('2025-11-01', [item('2025-11-01', '2026-01-01', '36', { catalog_effective_date: V2 })]) },
      { catalogs: twoVersions() },
    ),
    [['price_differs', '2025-11-01', '2025-12-31', 61, 6016, 7220]],
  ],
  'a price date that was lost': [
    gold({ OCTOBER, NOVEMBER, DECEMBER }, { catalogs: twoVersions('2025-11-01T00:00:00Z') }),
    [['price_change_lost', '2025-11-01', '2025-12-31', 61, 7220, 6016]],
  ],
  'a quantity that was lost at a price date': [
    gold(
      {
        OCTOBER: invoice('2025-10-01', [item('2025-10-01', '2025-11-01', '90')]),
        NOVEMBER: invoice('2025-11-01', [item('2025-11-01', '2026-01-01', '36', { catalog_effective_date: V2 })]),
      },
      {
        catalogs: twoVersions('2025-11-01T00:00:00Z'),
        subscriptions: changing(['2025-10-01 00:00:01', 'QUANTITY_UPDATE', 3, { record_id: 50 }]),
      },
    ),
    [['quantity_reverted', '2025-11-01', '2025-12-31', 61, 21659, 7220]],
  ],
  'a quantity that was lost at a price date, of a subscription that was created with another one': [
    gold(
      {
        OCTOBER: invoice('2025-10-01', [item('2025-10-01', '2025-11-01', '90')]),
        NOVEMBER: invoice('2025-11-01', [item('2025-11-01', '2026-01-01', '72', { catalog_effective_date: V2 })]),
      },
      {
        catalogs: twoVersions('2025-11-01T00:00:00Z'),
        subscriptions: changing(
          ['2025-10-01', 'QUANTITY_UPDATE', 2, { record_id: 50 }],
          ['2025-10-01 00:00:01', 'QUANTITY_UPDATE', 3, { record_id: 51 }],
        ),
      },
    ),
    [['quantity_reverted', '2025-11-01', '2025-12-31', 61, 21659, 14439]],
  ],
  'a quantity that was lost at a price date, of a subscription that was created with none': [
    gold(
      {
        OCTOBER: invoice('2025-10-01', [item('2025-10-01', '2025-11-01', '90')]),
        NOVEMBER: invoice('2025-11-01', [item('2025-11-01', '2026-01-01', '36', { catalog_effective_date: V2 })]),
      },
      {
        catalogs: twoVersions('2025-11-01T00:00:00Z'),
        subscriptions: changing(
          ['2025-10-01', 'QUANTITY_UPDATE', 0, { record_id: 50 }],
          ['2025-10-01 00:00:01', 'QUANTITY_UPDATE', 3, { record_id: 51 }],
        ),
      },
    ),
    [['quantity_reverted', '2025-11-01', '2025-12-31', 61, 21659, 7220]],
  ],
  'a quantity with which a subscription was created is kept at a price date': [
    gold(
      {
        OCTOBER: invoice('2025-10-01', [item('2025-10-01', '2025-11-01', '90')]),
        NOVEMBER: invoice('2025-11-01', [item('2025-11-01', '2026-01-01', '36', { catalog_effective_date: V2 })]),
      },
      {
        catalogs: twoVersions('2025-11-01T00:00:00Z'),
        subscriptions: changing(['2025-10-01', 'QUANTITY_UPDATE', 3, { record_id: 50 }]),
      },
    ),
    [['quantity_differs', '2025-11-01', '2025-12-31', 61, 21659, 7220]],
  ],
  'a quantity after the end of another subscription': [
    gold(
      { OCTOBER, NOVEMBER },
      {
        subscriptions: {
          S: held('gold', '2025-10-01'),
          E: { events: [['2025-10-01', 'CREATE', 'free-evergreen'], expired, ['2025-11-05', 'QUANTITY_UPDATE', 2]] },
        },
      },
    ),
    [['invoicing_failed', '2025-12-01', '2025-12-31', 31, 3058, 0]],
  ],
  'days of Tokyo': [
    gold(
      { OCTOBER, NOVEMBER, DECEMBER },
      {
        accounts: { A: { time_zone: 'Asia/Tokyo', reference_time: '2025-09-30 20:00:00' } },
        subscriptions: { S: { events: [['2025-09-30 20:00:00', 'CREATE', 'gold-evergreen']] } },
      },
    ),
    // It is already 1 January there, but that day has not ended.
    [],
  ],
  'days of New York in winter, for a customer of the summer': [
    gold(
      // The offset is that of the reference time, four hours. With five hours, each day would begin one day earlier.
      { A: invoice('2025-12-01', [item('2025-12-01', '2026-01-01')]) },
      {
        accounts: { A: { time_zone: 'America/New_York', reference_time: '2025-07-01 00:00:00' } },
        subscriptions: { S: { events: [['2025-12-01 04:30:00', 'CREATE', 'gold-evergreen']] } },
      },
    ),
    [],
  ],
  'charges that are not recurring': [
    gold({
      OCTOBER,
      NOVEMBER,
      DECEMBER: invoice('2025-12-01', [
        ...(DECEMBER.items as Item[]),
        ['USAGE', '12', { subscription_id: 'S', start_date: '2025-11-01', end_date: '2025-12-01' }],
        ['FIXED', '5', { subscription_id: 'S', start_date: '2025-12-01', end_date: null }],
        item('2025-12-01', '2026-01-01', '0'),
      ]),
    }),
    [],
  ],
}

firstEngineAndOneOther('billing health of made-up customers', (target) => {
  const names = sampleOf(target, Object.keys(CASES))
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, Object.fromEntries(names.map((name) => [name, CASES[name]?.[0] as Scenario])))
  }, 300_000)
  afterAll(() => pairs.close())

  it.each(names)('%s', async (name) => {
    const data = await pairs.both(name, async (engine) => (await engine.billingFindings({ start: '2025-01-01' })).data)
    const { rows } = data as { readonly rows: readonly Readonly<Record<string, unknown>>[] }
    const keys = ['class', 'first_day', 'last_day', 'days', 'agreed_cents', 'billed_cents']
    const found = rows.map((row) => keys.map((key) => row[key])).sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
    expect(found).toEqual(CASES[name]?.[1])
  })
})

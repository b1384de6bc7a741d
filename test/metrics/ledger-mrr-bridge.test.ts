import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { type Happening, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

type Row = Record<string, string | number | null>
type Cells = Readonly<Record<string, string>>
type Item = readonly [type: string, amount: string, more?: Cells]

const V1 = '2024-01-01 00:00:00'

const CATALOG = catalogXml({
  plans: [
    planXml('gold', {
      final: phaseXml('EVERGREEN', {
        period: 'MONTHLY',
        prices: { USD: '30', EUR: '20' },
      }),
    }),
    planXml('silver', {
      final: phaseXml('EVERGREEN', {
        period: 'MONTHLY',
        prices: { USD: '10', EUR: '10' },
      }),
    }),
    monthlyPlan('meter', '20', {
      final: phaseXml('EVERGREEN', {
        period: 'MONTHLY',
        prices: { USD: '20' },
        usage: true,
      }),
    }),
    planXml('year', {
      final: phaseXml('EVERGREEN', {
        period: 'ANNUAL',
        prices: { USD: '120' },
      }),
    }),
  ].join(''),
})

/** A recurring item of a plan, for days at a rate of its period. */
function charge(plan: string, amount: string, start_date: string, end_date: string, rate = amount): Item {
  const of = {
    subscription_id: 'S',
    phase_name: `${plan}-evergreen`,
    catalog_effective_date: V1,
  }
  return ['RECURRING', amount, { ...of, start_date, end_date, rate }]
}

const repair = (linked_item_id: string, amount: string, start_date: string, end_date: string): Item => [
  'REPAIR_ADJ',
  amount,
  { linked_item_id, start_date, end_date },
]

function invoice(on: string, items: readonly Item[], paid?: string): NonNullable<Scenario['invoices']>[string] {
  return {
    created: `${on} 10:00:00`,
    items,
    cells: { invoice_date: on },
    ...(paid === undefined
      ? {}
      : {
          payments: [[paid, items.reduce((sum, [, amount]) => sum + Number(amount), 0).toFixed(2)]],
        }),
  }
}

function one(events: readonly Happening[], invoices: Scenario['invoices'], more: Partial<Scenario> = {}): Scenario {
  return {
    catalogs: [CATALOG],
    subscriptions: { S: { events } },
    ...(invoices && { invoices }),
    ...more,
  }
}

const EUR = {
  accounts: { A: { currency: 'EUR' } },
  definitions: { base_currency: 'USD' },
} as const
const rates = (...given: readonly (readonly [date: string, rate: string])[]) =>
  given.map(([date, rate]) => ({ date, rate, from: 'EUR', to: 'USD' }))

const usage = (amount: string, start_date: string, end_date: string): Item => [
  'USAGE',
  amount,
  { subscription_id: 'S', phase_name: 'meter-evergreen', start_date, end_date },
]

const STEPS = [
  'mrr',
  'usage_component',
  'movements',
  'billed_otherwise',
  'length_of_months',
  'catch_up',
  'usage',
  'fixed_and_one_off',
  'rates',
  'other_income',
  'recognized',
] as const

/** The steps of a case in a month. Steps that are not named are 0. */
type Wanted = Partial<Record<(typeof STEPS)[number], number>>

/** Scenarios with the steps of months, worked out by hand. */
const CASES: Readonly<Record<string, readonly [scenario: Scenario, months: Readonly<Record<string, Wanted>>]>> = {
  // October has 31 of 365 days: 304/365 of 120.00 less 273/365 are 99.95 - 89.75. February: 19.40 - 10.19.
  'an annual plan': [
    one([['2025-01-01', 'CREATE', 'year-evergreen']], {
      I: invoice('2025-01-01', [charge('year', '120', '2025-01-01', '2026-01-01')]),
    }),
    {
      '2025-10': { mrr: 1000, length_of_months: 20, recognized: 1020 },
      '2025-02': { mrr: 1000, length_of_months: -79, recognized: 921 },
    },
  ],
  // 15 days of 10.00 and 15 of 30.00 are 20.00 a month.
  'an upgrade within the month': [
    one(
      [
        ['2025-09-01', 'CREATE', 'silver-evergreen'],
        ['2025-09-16', 'CHANGE', 'gold-evergreen'],
      ],
      {
        I: invoice('2025-09-01', [charge('silver', '10', '2025-09-01', '2025-10-01')]),
        J: invoice('2025-09-16', [
          repair('I/0', '-5', '2025-09-16', '2025-10-01'),
          charge('gold', '15', '2025-09-16', '2025-10-01', '30'),
        ]),
      },
    ),
    { '2025-09': { mrr: 3000, movements: -1000, recognized: 2000 } },
  ],
  // On 11 September it is cancelled from 16 August on. August has recognized 30.00, of which 14.52 are kept.
  'a cancellation that reaches back': [
    one(
      [
        ['2025-07-01', 'CREATE', 'gold-evergreen'],
        ['2025-08-16', 'CANCEL', undefined, { created_date: '2025-09-11 00:00:00' }],
      ],
      {
        I: invoice('2025-08-01', [charge('gold', '30', '2025-08-01', '2025-09-01')]),
        J: invoice('2025-09-01', [charge('gold', '30', '2025-09-01', '2025-10-01')]),
        K: invoice('2025-09-11', [
          repair('I/0', '-15.48', '2025-08-16', '2025-09-01'),
          repair('J/0', '-30', '2025-09-01', '2025-10-01'),
        ]),
      },
    ),
    {
      '2025-09': { catch_up: -1548, recognized: -1548 },
      // MRR and billed amounts are those of now. Revenue is as it was known at the end of the month.
      '2025-08': { movements: 1452, length_of_months: 1548, recognized: 3000 },
    },
  ],
  // July and August are paid by the end of September: their mean is 12.00. September has used 6.00, invoiced in October.
  usage: [
    one([['2025-07-01', 'CREATE', 'meter-evergreen']], {
      I: invoice('2025-08-01', [usage('9', '2025-07-01', '2025-08-01')], '2025-08-02'),
      J: invoice(
        '2025-09-01',
        [usage('15', '2025-08-01', '2025-09-01'), charge('meter', '20', '2025-09-01', '2025-10-01')],
        '2025-09-02',
      ),
      K: invoice('2025-10-01', [usage('6', '2025-09-01', '2025-10-01')], '2025-10-02'),
    }),
    {
      '2025-09': {
        mrr: 3200,
        usage_component: -1200,
        usage: 600,
        recognized: 2600,
      },
    },
  ],
  'a fixed price and a charge without a subscription': [
    one([['2025-08-01', 'CREATE', 'gold-evergreen']], {
      I: invoice('2025-09-01', [
        charge('gold', '30', '2025-09-01', '2025-10-01'),
        [
          'FIXED',
          '7',
          {
            subscription_id: 'S',
            phase_name: 'gold-evergreen',
            start_date: '2025-09-05',
          },
        ],
        ['EXTERNAL_CHARGE', '50', { start_date: '2025-09-10' }],
      ]),
    }),
    { '2025-09': { mrr: 3000, fixed_and_one_off: 5700, recognized: 8700 } },
  ],
  // MRR keeps the rate of 1 August, 1.20. The charge of September has that of 1 September, 1.10.
  'rates that move': [
    one(
      [['2025-08-01', 'CREATE', 'gold-evergreen']],
      {
        I: {
          ...invoice('2025-09-01', [charge('gold', '20', '2025-09-01', '2025-10-01')]),
          cells: { invoice_date: '2025-09-01', currency: 'EUR' },
        },
      },
      {
        ...EUR,
        rates: rates(['2025-08-01', '1.20'], ['2025-09-01', '1.10'], ['2025-09-15', '1.00']),
      },
    ),
    { '2025-09': { mrr: 2400, rates: -200, recognized: 2200 } },
  ],
  // 15 days of 12.00 (1.20) and 15 of 20.00 (1.00) are 16.00. The first charge is 11.50 less 5.00, the second 10.00: 16.50.
  'an upgrade while rates move': [
    one(
      [
        ['2025-08-01', 'CREATE', 'silver-evergreen'],
        ['2025-09-16', 'CHANGE', 'gold-evergreen'],
      ],
      {
        I: {
          ...invoice('2025-09-01', [charge('silver', '10', '2025-09-01', '2025-10-01')]),
          cells: { invoice_date: '2025-09-01', currency: 'EUR' },
        },
        J: {
          ...invoice('2025-09-16', [
            repair('I/0', '-5', '2025-09-16', '2025-10-01'),
            charge('gold', '10', '2025-09-16', '2025-10-01', '20'),
          ]),
          cells: { invoice_date: '2025-09-16', currency: 'EUR' },
        },
      },
      {
        ...EUR,
        rates: rates(['2025-08-01', '1.20'], ['2025-09-01', '1.15'], ['2025-09-16', '1.00']),
        sets: { constant: { fx: 'constant:2025-09-10' }, period_end: { fx: 'period_end' } },
      },
    ),
    { '2025-09': { mrr: 2000, movements: -400, rates: 50, recognized: 1650 } },
  ],
  // 20 of 30 days.
  'a pause': [
    one(
      [['2025-08-01', 'CREATE', 'gold-evergreen']],
      {
        I: invoice('2025-09-01', [charge('gold', '30', '2025-09-01', '2025-10-01')]),
        J: invoice('2025-09-11', [repair('I/0', '-10', '2025-09-11', '2025-09-21')]),
      },
      {
        blocks: [
          ['S', 'service', '2025-09-11', true],
          ['S', 'service', '2025-09-21', false],
        ],
      },
    ),
    { '2025-09': { mrr: 3000, movements: -1000, recognized: 2000 } },
  ],
  // Two units are agreed up to the 15th, then three. The engine bills two.
  'a quantity that is not billed': [
    one(
      [
        ['2025-09-01', 'CREATE', 'gold-evergreen'],
        ['2025-09-01', 'QUANTITY_UPDATE', 2],
        ['2025-09-16', 'QUANTITY_UPDATE', 3],
      ],
      {
        I: invoice('2025-09-01', [charge('gold', '60', '2025-09-01', '2025-10-01')]),
      },
    ),
    {
      '2025-09': {
        mrr: 9000,
        movements: -1500,
        billed_otherwise: -1500,
        recognized: 6000,
      },
    },
  ],
}

const SCENARIOS = Object.fromEntries(Object.entries(CASES).map(([name, [scenario]]) => [name, scenario]))

oneEngineInRotation('the bridge from MRR to revenue worked out by hand (R30)', (target) => {
  let engineOf: (name: string) => Promise<Engine>
  beforeAll(async () => {
    engineOf = await trapEngines(target, SCENARIOS)
  })
  const bridge = async (name: string, period: string, dimensions: readonly string[] = []) => {
    const spec = dimensions.length === 0 ? {} : { dimensions }
    const { data } = await (await engineOf(name)).query('ledger', { query_type: 'mrr_bridge', period }, spec)
    return [data].flat() as Row[]
  }

  describe.each(Object.entries(CASES))('%s', (name, [, months]) => {
    it.each(Object.entries(months))('has its steps in %s', async (period, wanted) => {
      const all = {
        ...Object.fromEntries(STEPS.map((step) => [step, 0])),
        ...wanted,
      }
      expect(await bridge(name, period)).toEqual([all])
    })

    it.each(Object.entries(months))('has the rows of its steps in %s', async (period, wanted) => {
      for (const [measure, amount] of Object.entries(wanted)) {
        const { data } = await (await engineOf(name)).metricRows('ledger', { query_type: 'mrr_bridge', period, measure }, {})
        expect((data as { sum: number }).sum, measure).toBe(amount)
      }
    })
  })

  it('has a row for each subscription, and one for the charges of a customer without one', async () => {
    const name = 'a fixed price and a charge without a subscription'
    const params = { query_type: 'mrr_bridge', period: '2025-09', measure: 'fixed_and_one_off' }
    const { rows } = (await (await engineOf(name)).metricRows('ledger', params, {})).data as { rows: readonly Row[] }
    expect(rows.map((row) => [String(row['subscription_id']).replace(/^\d+:/, ''), row['amount_base_cents']])).toEqual([
      ['null', 5000],
      ['S', 700],
    ])
    const found = await bridge(name, '2025-09', ['subscription_id'])
    expect(found.map((row) => [row['subscription_id'] === null, row['mrr'], row['recognized']])).toEqual([
      [false, 3000, 3700],
      [true, 0, 5000],
    ])
  })

  it('takes off what is no revenue, as its last step, and the other steps stay (D101)', async () => {
    const engine = await engineOf('a fixed price and a charge without a subscription')
    const asked = { query_type: 'mrr_bridge', period: '2025-09', revenue_kinds: 'recurring,fixed' }
    const [whole] = await bridge('a fixed price and a charge without a subscription', '2025-09')
    const divided = (await engine.query('ledger', asked)).data as Row
    expect(divided).toEqual({ ...whole, other_income: -5000, recognized: 3700 })
    const behind = async (measure: string) => {
      const { data } = await engine.metricRows('ledger', { ...asked, measure })
      return (data as { readonly rows: readonly Row[] }).rows.map((row) => row['amount_base_cents'])
    }
    expect([await behind('other_income'), await behind('recognized')]).toEqual([[-5000], [3700]])
  })

  it('has original amounts by currency, which rates do not change (D14)', async () => {
    const { recognized, ...steps } = (await bridge('an upgrade while rates move', '2025-09', ['currency']))[0] ?? {}
    expect([steps['mrr'], steps['movements'], steps['rates'], recognized]).toEqual([2000, -500, 0, 1500])
  })

  it('has constant rates on both sides, and the rates of the end of the month (D65)', async () => {
    const of = async (set: string) => {
      const { data } = await (await engineOf('an upgrade while rates move')).query(
        'ledger',
        { query_type: 'mrr_bridge', period: '2025-09', definitions: set },
        {},
      )
      const { mrr, movements, length_of_months, rates, recognized } = data as Record<string, number>
      return [mrr, movements, length_of_months, rates, recognized]
    }
    expect(await of('constant')).toEqual([2300, -575, 0, 0, 1725])
    // Postings keep their rates: 6.50 and 10.00. MRR has 1.00 on all days.
    expect(await of('period_end')).toEqual([2000, -500, 0, 150, 1650])
  })

  it('compares a month with the one before, and takes the last closed month by default', async () => {
    const engine = await engineOf('an annual plan')
    const ask = async (params: Row) => (await engine.query('ledger', { query_type: 'mrr_bridge', ...params }, {})).data as Row
    expect(await ask({ period: '2025-03', compare_to: 'previous' })).toMatchObject({
      mrr: 1000,
      previous_mrr: 1000,
      previous_recognized: 921,
      change_mrr: 0,
    })
    expect(await ask({})).toEqual(await ask({ period: '2025-11' }))
  })

  it.each([
    [{ period: '2025-13' }, {}, 'invalid_value', 'must be a month (YYYY-MM)'],
    [{ period: '2025-09-01' }, {}, 'invalid_value', 'must be a month (YYYY-MM)'],
    [{ period: '2025-12' }, {}, 'invalid_range', 'must be a month that has been over for a day, from 1900-01 to 2025-11'],
    [{ period: '1899-12' }, {}, 'invalid_range', 'from 1900-01 to 2025-11'],
    [{ period: '2025-09', forecast: 'true' }, {}, 'invalid_value', '"forecast" does not work on this query'],
    [{ period: '2025-09', known_at: '2025-10-05' }, {}, 'invalid_value', 'Unknown parameter "known_at"'],
    [{}, { time_range: ['2025-09-01', '2025-09-30'] }, 'invalid_range', 'name it in "period"'],
    [{ period: '2025-09', at: '2025-09-30' }, {}, 'invalid_range', 'name it in "period"'],
    [{ period: '2025-09' }, { dimensions: ['plan_id'] }, 'unknown_dimension', 'whose plan can change within the month'],
    [{ period: '2025-09' }, { dimensions: ['charge_kind'] }, 'unknown_dimension', 'divide the kinds of charges'],
    [{ period: '2025-09' }, { filters: { invoice_id: 'I' } }, 'unknown_filter', 'belong to no invoice'],
  ] as const)('refuses %o %o', async (params, spec, code, text) => {
    const asked = (await engineOf('an annual plan')).query('ledger', { query_type: 'mrr_bridge', ...params }, spec)
    await expect(asked).rejects.toMatchObject({ issues: [{ code, message: expect.stringContaining(text) }] })
  })
})

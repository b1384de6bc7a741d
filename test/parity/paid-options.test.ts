import { afterAll, beforeAll, expect, it } from 'vitest'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

const rate = (date: string, units: string) => ({ date, from: 'EUR', to: 'USD', rate: units })

/**
 * A pays three invoices with tax. Of the first, 12.00 goes back; the second has an adjustment of its tax; the third is charged back and paid
 * again. B pays 24.00 EUR, which go back in March.
 */
const PAID: Scenario = {
  catalogs: [
    catalogOf(
      monthlyPlan('month', '30'),
      planXml('euro', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { EUR: '20' } }) }),
    ),
  ],
  accounts: { A: {}, B: { currency: 'EUR' } },
  subscriptions: {
    S: { account: 'A', events: [['2025-01-10', 'CREATE', 'month-evergreen']] },
    T: { account: 'B', events: [['2025-02-01', 'CREATE', 'euro-evergreen']] },
  },
  invoices: {
    I1: {
      created: '2025-01-10',
      items: [
        ['RECURRING', '30'],
        ['TAX', '6'],
      ],
      payments: [
        ['2025-01-10', '36'],
        ['2025-02-05', '-12'],
      ],
    },
    I2: {
      created: '2025-02-10',
      items: [
        ['RECURRING', '30'],
        ['TAX', '6'],
        ['ITEM_ADJ', '-1', { linked_item_id: 'I2/1' }],
      ],
      payments: [['2025-02-11', '35']],
    },
    I3: {
      created: '2025-03-10',
      items: [
        ['RECURRING', '30'],
        ['TAX', '6'],
      ],
      payments: [
        ['2025-03-10', '36'],
        ['2025-03-15', '-36'],
        ['2025-03-20', '36'],
        ['2025-03-21', '-36', { status: 'INIT' }],
      ],
    },
    J1: {
      account: 'B',
      created: '2025-02-01',
      cells: { currency: 'EUR' },
      items: [
        ['RECURRING', '20'],
        ['TAX', '4'],
      ],
      payments: [
        ['2025-02-02', '24'],
        ['2025-03-02', '-24'],
      ],
    },
  },
  rates: [rate('2025-01-01', '1.1'), rate('2025-03-01', '1.2')],
  now: '2025-04-01',
  sets: {
    taxless: { tax: 'exclude' },
    refunded: { refunds: 'subtract' },
    net: { tax: 'exclude', refunds: 'subtract' },
    life: { lifetime: true },
    whole: { tax: 'exclude', refunds: 'subtract', lifetime: true },
    flat: { refunds: 'subtract', fx: 'constant:2025-02-01' },
  },
}

const QUARTER = { start: '2025-01-01', end: '2025-03-31' }
const JANUARY = { start: '2025-01-01', end: '2025-01-31' }
const FEBRUARY = { start: '2025-02-01', end: '2025-02-28' }

/** Revenue of the cohorts of January (A) and February (B) in the quarter, in cents. B: 24.00 at 1.1, and back at 1.2. */
const REVENUE = {
  default: [10_700, 2640],
  taxless: [9000, 2200],
  refunded: [9500, -240],
  net: [8000, -200],
  life: [10_700, 2640],
  whole: [8000, -200],
  flat: [9500, 0],
}

firstEngineAndOneOther('options of paid amounts', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { paid: PAID })
  })
  afterAll(() => pairs?.close())
  const cohorts = (params: object, spec = {}) =>
    pairs.both('paid', async (engine) => {
      const { data } = await engine.query('ltv', { query_type: 'cohort', ...params }, spec)
      return (data as Record<string, unknown>[]).map((row) => [row['cohort_month'], row['customer_count'], row['total_revenue']])
    })
  const rows = (params: object) =>
    pairs.both('paid', async (engine) => {
      const { data } = await engine.metricRows('ltv', { query_type: 'cohort', ...params })
      return data as { readonly sum: number; readonly rows: readonly Record<string, unknown>[] }
    })

  it.each(Object.entries(REVENUE))(
    'cohort revenue under %s, worked out by hand (D51, D54)',
    async (definitions, [first, second]) => {
      expect(await cohorts({ ...QUARTER, definitions })).toEqual([
        ['2025-01-01', 1, first],
        ['2025-02-01', 1, second],
        ['2025-03-01', 0, 0],
      ])
      for (const [cohort_month, sum] of [
        ['2025-01-01', first],
        ['2025-02-01', second],
      ] as const)
        expect(await rows({ ...QUARTER, definitions, measure: 'total_revenue', cohort_month })).toMatchObject({ sum })
    },
  )

  it('a refund is a row of its own instant, and counts in its own range', async () => {
    const { rows: listed } = await rows({ ...QUARTER, definitions: 'net', measure: 'total_revenue', cohort_month: '2025-02-01' })
    expect(
      listed.map((row) => [String(row['occurred_at']).slice(0, 10), row['amount_cents'], row['amount_base_cents'], row['rate']]),
    ).toEqual([
      ['2025-03-02', -2000, -2400, '1.2'],
      ['2025-02-02', 2000, 2200, '1.1'],
    ])
    expect(await cohorts({ ...FEBRUARY, definitions: 'refunded' })).toEqual([['2025-02-01', 1, 2640]])
  })

  it('lifetime counts what was paid after the range', async () => {
    expect(await cohorts(JANUARY)).toEqual([['2025-01-01', 1, 3600]])
    expect(await cohorts({ ...JANUARY, definitions: 'life' })).toEqual([['2025-01-01', 1, 10_700]])
    expect(await cohorts({ ...FEBRUARY, definitions: 'whole' })).toEqual([['2025-02-01', 1, -200]])
  })

  it('amounts by currency have no rate, so what went back is what was paid', async () => {
    const euro = { filters: { currency: 'EUR' }, dimensions: ['currency'] }
    expect(await cohorts({ ...FEBRUARY, definitions: 'whole' }, euro)).toEqual([['2025-02-01', 1, 0]])
  })
})

import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { trapEngines } from '../support/product/trap-engines.ts'

const WRITTEN_OFF = { object_type: 'INVOICE', tag_definition_id: '00000000-0000-0000-0000-000000000004' }
const FIRST_QUARTER = { query_type: 'cohort', start: '2025-01-01', end: '2025-03-31' }
const RATES = [
  { date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.10' },
  { date: '2025-02-01', from: 'EUR', to: 'USD', rate: '1.20' },
]

/** One customer with `gold` since 10 January, and these invoices. */
function billed(invoices: Scenario['invoices'], more: Partial<Scenario> = {}): Scenario {
  return trap({ subscriptions: { S: held('gold', '2025-01-10') }, invoices: invoices ?? {}, ...more })
}

const gold = { created: '2025-01-10', items: [['RECURRING', '30']] } as const
const paid = { ...gold, payments: [['2025-01-10', '30']] } as const

/** Invoices, and what cohort LTV says the customer paid in the first quarter. */
const TRAPS: Readonly<Record<string, { readonly scenario: Scenario; readonly revenue: number }>> = {
  'an invoice that is paid': { scenario: billed({ I: paid }), revenue: 3000 },
  'an invoice that is open': { scenario: billed({ I: gold }), revenue: 0 },
  // 30 is settled on 1 April, after the quarter.
  'paid in two parts, the second later': {
    scenario: billed({
      I: {
        ...gold,
        payments: [
          ['2025-01-10', '20'],
          ['2025-04-01', '10'],
        ],
      },
    }),
    revenue: 0,
  },
  // Written off before anything came in: never paid.
  'written off and paid afterwards': {
    scenario: billed(
      { I: { ...gold, payments: [['2025-02-05', '30']] } },
      { tags: [{ ...WRITTEN_OFF, object_id: 'I', created_date: '2025-02-01 00:00:00' }] },
    ),
    revenue: 0,
  },
  'written off after it was paid': {
    scenario: billed({ I: paid }, { tags: [{ ...WRITTEN_OFF, object_id: 'I', created_date: '2025-02-01 00:00:00' }] }),
    revenue: 3000,
  },
  'a write-off that was taken back': {
    scenario: billed(
      { I: { ...gold, payments: [['2025-02-05', '30']] } },
      { tags: [{ ...WRITTEN_OFF, object_id: 'I', created_date: '2025-02-01 00:00:00', is_active: false }] },
    ),
    revenue: 3000,
  },
  // 30 was paid; what goes back later moves nothing.
  'refunded in full': {
    scenario: billed({
      I: {
        ...gold,
        payments: [
          ['2025-01-10', '30'],
          ['2025-02-01', '-30', { type: 'REFUND' }],
        ],
      },
    }),
    revenue: 3000,
  },
  // 20 - 20 + 10 = 10 of 30.
  'refunded before it was settled': {
    scenario: billed({
      I: {
        ...gold,
        payments: [
          ['2025-01-10', '20'],
          ['2025-01-12', '-20', { type: 'REFUND' }],
          ['2025-01-20', '10'],
        ],
      },
    }),
    revenue: 0,
  },
  // Paid on the day, charged back six weeks later.
  'charged back': {
    scenario: billed({
      I: {
        ...gold,
        payments: [
          ['2025-01-10', '30'],
          ['2025-02-20', '-30', { type: 'CHARGED_BACK' }],
        ],
      },
    }),
    revenue: 3000,
  },
  'a payment that failed': {
    scenario: billed({ I: { ...gold, payments: [['2025-01-10', '0', { status: 'INIT' }]] } }),
    revenue: 0,
  },
  // The credit note is worth 0; the 30 charged are settled by its credit.
  'settled by credit that was given': {
    scenario: billed({
      credit: {
        created: '2025-01-05',
        items: [
          ['CREDIT_ADJ', '-30'],
          ['CBA_ADJ', '30'],
        ],
      },
      I: {
        ...gold,
        items: [
          ['RECURRING', '30'],
          ['CBA_ADJ', '-30'],
        ],
      },
    }),
    revenue: 3000,
  },
  // 30 - 10 for the repair + 30 for the next, 10 of them with that credit.
  'a repair whose credit is used later': {
    scenario: billed({
      I: paid,
      repair: {
        created: '2025-01-20',
        items: [
          ['REPAIR_ADJ', '-10'],
          ['CBA_ADJ', '10'],
        ],
      },
      next: {
        created: '2025-02-10',
        items: [
          ['RECURRING', '30'],
          ['CBA_ADJ', '-10'],
        ],
        payments: [['2025-02-10', '20']],
      },
    }),
    revenue: 5000,
  },
  // 30 - 5.
  'adjusted before it was paid': {
    scenario: billed({
      I: {
        ...gold,
        items: [
          ['RECURRING', '30'],
          ['ITEM_ADJ', '-5', { linked_item_id: 'I/0' }],
        ],
        payments: [['2025-01-12', '25']],
      },
    }),
    revenue: 2500,
  },
  'adjusted after it was paid': {
    scenario: billed({
      I: {
        ...paid,
        items: [
          ['RECURRING', '30'],
          ['ITEM_ADJ', '-5', { linked_item_id: 'I/0', created_date: '2025-02-01 00:00:00' }],
        ],
      },
    }),
    revenue: 3000,
  },
  // 30 + 6.
  'with tax': {
    scenario: billed({
      I: {
        ...gold,
        items: [
          ['RECURRING', '30'],
          ['TAX', '6'],
        ],
        payments: [['2025-01-10', '36']],
      },
    }),
    revenue: 3600,
  },
  'a draft': { scenario: billed({ I: { ...paid, cells: { status: 'DRAFT' } } }), revenue: 0 },
  voided: { scenario: billed({ I: { ...paid, cells: { status: 'VOID' } } }), revenue: 0 },
  migrated: { scenario: billed({ I: { ...paid, cells: { migrated: true } } }), revenue: 0 },
  'committed after it was drafted': {
    scenario: billed({
      I: {
        ...gold,
        items: [['RECURRING', '0']],
        history: [
          ['DRAFT', '2025-01-10'],
          ['COMMITTED', '2025-04-01'],
        ],
      },
      J: {
        ...paid,
        history: [
          ['DRAFT', '2025-01-10'],
          ['COMMITTED', '2025-01-11'],
        ],
      },
    }),
    revenue: 3000,
  },
  'paid at the midnight after the range': { scenario: billed({ I: { ...gold, payments: [['2025-04-01', '30']] } }), revenue: 0 },
  // 20 × 1.20, the rate of February.
  'in euros, at the rate of the payment': {
    scenario: billed(
      {
        I: { created: '2025-01-10', cells: { currency: 'EUR' }, items: [['RECURRING', '20']], payments: [['2025-02-03', '20']] },
      },
      { accounts: { A: { currency: 'EUR' } }, rates: RATES },
    ),
    revenue: 2400,
  },
}

oneEngineInRotation('payments of customers', (target) => {
  let engineOf: (name: string) => Promise<Engine>
  beforeAll(async () => {
    engineOf = await trapEngines(
      target,
      Object.fromEntries(Object.entries(TRAPS).map(([name, { scenario }]) => [name, scenario])),
    )
  })

  it.each(sampleOf(target, Object.entries(TRAPS), { first: 1, others: 5 }))('%s (D52 to D54)', async (name, { revenue }) => {
    const { data } = await (await engineOf(name)).query('ltv', FIRST_QUARTER)
    const later = { customer_count: 0, total_revenue: 0, avg_revenue_per_customer: null }
    expect(data).toEqual([
      { cohort_month: '2025-01-01', customer_count: 1, total_revenue: revenue, avg_revenue_per_customer: revenue },
      { cohort_month: '2025-02-01', ...later },
      { cohort_month: '2025-03-01', ...later },
    ])
  })

  it('an amount that is paid, refunded or written off moves no MRR and no churn (D35)', async () => {
    for (const name of sampleOf(target, Object.keys(TRAPS), { others: 7 })) {
      const engine = await engineOf(name)
      const range = { start: '2025-01-11', end: '2025-12-31' }
      expect((await engine.query('churn', { type: 'revenue', ...range })).data, name).toBe(0)
      expect((await engine.query('retention', { query_type: 'nrr', ...range })).data, name).toBe(1)
    }
  })
})

import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/engine/engine.ts'
import { checkPack } from '../../src/facades/presentation/close/checks.ts'
import { pivoted } from '../../src/facades/presentation/close/pivots.ts'
import { closedMonth } from '../../src/facades/presentation/close/statements.ts'

type Row = Readonly<Record<string, string | null>>

function answer(rows: readonly Row[]): Answer {
  const columns = Object.keys(rows[0] ?? {})
  const fields = columns.map((name) => ({ name, label: name, holds: 'other' as const, description: name }))
  return {
    data: rows,
    kind: 'rows',
    columns,
    meta: {
      data_through: null,
      definitions: '',
      warnings: [],
      base_currency: 'USD',
      fields,
      amounts: { unit: 'units', currency: 'USD' },
      days: undefined,
    },
  } as Answer
}

const balance = (account: string, debit: string, credit = '0.00') => ({ account, debit, credit })
const line = (entry: string, account: string, debit_cents: string, credit_cents = '0.00') => ({
  entry,
  account,
  debit_cents,
  credit_cents,
})

const OPENING = answer([balance('accounts_receivable', '10.00'), balance('deferred_revenue', '0.00', '10.00')])
const GOOD = {
  'trial-balance': [
    balance('accounts_receivable', '30.10'),
    balance('deferred_revenue', '0.00', '25.10'),
    balance('revenue', '0.00', '5.00'),
  ],
  journal: [
    line('b', 'accounts_receivable', '20.10'),
    line('b', 'deferred_revenue', '0.00', '20.10'),
    line('r', 'deferred_revenue', '5.00'),
    line('r', 'revenue', '0.00', '5.00'),
  ],
  receivables: [
    { age: 'current', balance: '20.10' },
    { age: '1-30', balance: '10.00' },
  ],
  'open-invoices': [{ balance_base_cents: '20.10' }, { balance_base_cents: '10.00' }],
  revenue: [{ recognized: '5.00', closing_deferred: '25.10', closing_unbilled: '0.00' }],
  'mrr-bridge': [{ mrr: '5.50', movements: '-1.00', rates: '0.50', recognized: '5.00' }],
  movements: [{ closing_receivables: '30.10' }],
}

function failed(over: Partial<Record<keyof typeof GOOD, readonly Row[]>>): readonly string[] {
  const tables = new Map(Object.entries({ ...GOOD, ...over }).map(([name, rows]) => [name, answer(rows)]))
  return checkPack(tables, OPENING)
    .filter(({ ok }) => !ok)
    .map(({ name, message }) => `${name}: ${message}`)
}

describe('the checks of a closed month', () => {
  it('hold for books that agree', () => {
    expect(failed({})).toEqual([])
  })

  it.each([
    [
      'an entry without its other side',
      { journal: GOOD.journal.slice(0, 3) },
      ['journal_entries: not balanced: r', 'journal_moves_trial_balance: another movement in revenue'],
    ],
    [
      'an entry that is missing',
      { journal: GOOD.journal.slice(0, 2) },
      ['journal_moves_trial_balance: another movement in deferred_revenue, revenue'],
    ],
    [
      'an age that is missing',
      { receivables: GOOD.receivables.slice(1) },
      ['ages_are_receivables: 10 by age, 30.1 in the trial balance'],
    ],
    [
      'an invoice that is missing',
      { 'open-invoices': GOOD['open-invoices'].slice(1) },
      ['open_invoices_are_receivables: 10 of open invoices, 30.1 in the trial balance'],
    ],
    [
      'a statement with another end',
      {
        revenue: [
          {
            recognized: '5.00',
            closing_deferred: '25.00',
            closing_unbilled: '0.00',
          },
        ],
        movements: [{ closing_receivables: '30.00' }],
      },
      ['statements_end_with_trial_balance: another end in revenue.closing_deferred, movements.closing_receivables'],
    ],
    [
      'a step of the bridge that is missing',
      {
        'mrr-bridge': [{ mrr: '5.50', movements: '-1.00', recognized: '5.00' }],
      },
      ['mrr_bridge_ends_with_revenue: the steps from MRR are 4.5, recognized revenue is 5'],
    ],
    [
      'a bridge that ends elsewhere',
      {
        'mrr-bridge': [
          {
            mrr: '5.50',
            movements: '-1.00',
            rates: '0.50',
            recognized: '5.10',
          },
        ],
      },
      ['mrr_bridge_ends_with_revenue: the steps from MRR are 5, recognized revenue is 5'],
    ],
  ] as const)('fail for %s', (_, over, wanted) => {
    expect(failed(over)).toEqual(wanted)
  })
})

describe('the tables of a closed month', () => {
  it('have a column for each age and their total, and for each month of recognition', () => {
    const ages = answer([{ age: 'current' }, { age: '1-30' }])
    const owed = answer([
      { age: 'current', customer_id: 'a', customer_name: 'A', currency: 'KWD', balance: '1.005' },
      { age: '1-30', customer_id: 'a', customer_name: 'A', currency: 'KWD', balance: '2.000' },
    ])
    const byAge = pivoted('receivables-by-customer', owed, new Map([['receivables', ages]]))
    expect(byAge.columns).toEqual(['customer_id', 'customer_name', 'currency', 'current', '1-30', 'total'])
    expect(byAge.data).toEqual([
      { customer_id: 'a', customer_name: 'A', currency: 'KWD', current: '1.005', '1-30': '2.000', total: '3.005' },
    ])
    const cells = (booked_month: string | null, recognized_month: string, recognized: string) => {
      return { booked_month, recognized_month, recognized, booked: '9.00', adjusted: '0.00', remaining: '1.00' }
    }
    const waterfall = pivoted(
      'waterfall',
      answer([
        cells('2025-11-01', '2025-11-01', '3.00'),
        cells('2025-11-01', '2025-12-01', '5.00'),
        cells(null, '2025-12-01', '1.00'),
      ]),
      new Map(),
    )
    expect(waterfall.columns).toEqual(['booked_month', '2025-11', '2025-12', 'booked', 'adjusted', 'remaining'])
    expect(waterfall.data).toMatchObject([
      { booked_month: '2025-11-01', '2025-11': '3.00', '2025-12': '5.00', remaining: '1.00' },
      { booked_month: null, '2025-12': '1.00' },
    ])
  })

  it('have a row for each step from MRR to revenue', () => {
    const bridge = pivoted('mrr-bridge', answer([{ mrr: '5.50', movements: '-0.50', recognized: '5.00' }]), new Map())
    expect(bridge.columns).toEqual(['step', 'label', 'amount'])
    expect(bridge.data).toMatchObject([
      { step: 'mrr', amount: '5.50' },
      { step: 'movements', amount: '-0.50' },
      { step: 'recognized', amount: '5.00' },
    ])
  })

  it('are those of a month that is over', () => {
    expect(closedMonth('2024-02', '2024-03-02')).toEqual({
      name: '2024-02',
      start: '2024-02-01',
      end: '2024-02-29',
      before: '2024-01-31',
      year_start: '2023-03-01',
    })
    expect([
      closedMonth('2024-02', '2024-03-01'),
      closedMonth('2024-13', '2026-01-01'),
      closedMonth('last month', '2026-01-01'),
    ]).toEqual([undefined, undefined, undefined])
  })
})

import { describe, expect, it } from 'vitest'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { foldScenario, spanLines } from '../support/oracles/fold/fold-scenario.ts'

const CATALOG = catalogOf(planXml('meter', { final: phaseXml('EVERGREEN', { usage: true }) }), monthlyPlan('max', '50'))
const METERED: Scenario['subscriptions'] = { S: { events: [['2025-01-01', 'CREATE', 'meter-evergreen']] } }

type Invoices = NonNullable<Scenario['invoices']>

function fold(invoices: Invoices, more: Partial<Scenario> = {}) {
  return foldScenario({ catalogs: [CATALOG], subscriptions: METERED, invoices, ...more })
}

/** Invoice → day and amount of each paid one. */
function paid(invoices: Invoices, more: Partial<Scenario> = {}): Record<string, string> {
  const rows = fold(invoices, more).flatMap((customer) => customer.paid_invoices)
  return Object.fromEntries(rows.map((row) => [row.invoice_id, `${row.paid_at.slice(0, 10)} ${row.amount.toFixed()}`]))
}

describe('paid_at and amount (D52 to D54, KB 8.5)', () => {
  it('the first instant at which nothing is open; later refunds move nothing', () => {
    expect(
      paid({
        late: {
          created: '2025-01-01',
          items: [['RECURRING', '30']],
          payments: [
            ['2025-01-01', '0', { status: 'INIT' }],
            ['2025-01-05', '10'],
            ['2025-01-09', '20'],
            ['2025-02-01', '-30'],
          ],
        },
        open: { created: '2025-01-01', items: [['RECURRING', '30']], payments: [['2025-01-05', '29.99']] },
        pending: { created: '2025-01-01', items: [['RECURRING', '30']], payments: [['2025-01-05', '30', { status: 'PENDING' }]] },
        future: { created: '2025-01-01', items: [['RECURRING', '30']], payments: [['2026-02-01', '30']] },
      }),
    ).toEqual({ late: '2025-01-09 30' })
  })

  it('settlement by credit counts; so does an invoice of 0 or less, at its commit', () => {
    expect(
      paid({
        credit: {
          created: '2025-01-01',
          items: [
            ['RECURRING', '30'],
            ['CBA_ADJ', '-30'],
          ],
        },
        zero: { created: '2025-01-02', items: [['FIXED', '0']] },
        repair: {
          created: '2025-01-03',
          items: [
            ['REPAIR_ADJ', '-12.5'],
            ['CBA_ADJ', '12.5'],
          ],
        },
        account_credit: {
          created: '2025-01-04',
          items: [
            ['CREDIT_ADJ', '-8'],
            ['CBA_ADJ', '8'],
          ],
        },
        lone_credit: {
          created: '2025-01-05',
          items: [
            ['RECURRING', '10'],
            ['CREDIT_ADJ', '-10'],
          ],
        },
      }),
    ).toEqual({
      credit: '2025-01-01 30',
      zero: '2025-01-02 0',
      repair: '2025-01-03 -12.5',
      account_credit: '2025-01-04 0',
      lone_credit: '2025-01-05 0',
    })
  })

  it('items added after the payment change nothing', () => {
    const items = [
      ['RECURRING', '30'],
      ['EXTERNAL_CHARGE', '5', { created_date: '2025-03-01 00:00:00' }],
    ] as const
    expect(paid({ first: { created: '2025-01-01', items, payments: [['2025-01-05', '30']] } })).toEqual({
      first: '2025-01-05 30',
    })
  })

  it('drafts, void, migrated and parent invoices never count', () => {
    const items = [['FIXED', '0']] as const
    expect(
      paid({
        draft: { created: '2025-01-01', items, cells: { status: 'DRAFT' } },
        void: { created: '2025-01-01', items, cells: { status: 'VOID' } },
        migrated: { created: '2025-01-01', items, cells: { migrated: true } },
        parent: { created: '2025-01-01', items, cells: { parent_invoice: true } },
      }),
    ).toEqual({})
  })

  it('a former draft is paid at its commit at the earliest', () => {
    const history = [
      ['DRAFT', '2025-01-01'],
      ['COMMITTED', '2025-01-20'],
      ['COMMITTED', '2025-02-01'],
    ] as const
    expect(
      paid({ former: { created: '2025-01-01', items: [['RECURRING', '30']], payments: [['2025-01-05', '30']], history } }),
    ).toEqual({
      former: '2025-01-20 30',
    })
  })

  it('written off before that instant: never; after it: paid all the same', () => {
    const invoice = { created: '2025-01-01', items: [['RECURRING', '30']], payments: [['2025-01-10', '30']] } as const
    const tag = (object_id: string, created_date: string) => ({
      object_id,
      object_type: 'INVOICE',
      tag_definition_id: '00000000-0000-0000-0000-000000000004',
      created_date: `${created_date} 00:00:00`,
    })
    const tags = [tag('before', '2025-01-05'), tag('after', '2025-01-11'), { ...tag('undone', '2025-01-05'), is_active: false }]
    expect(paid({ before: invoice, after: invoice, undone: invoice }, { tags })).toEqual({
      after: '2025-01-10 30',
      undone: '2025-01-10 30',
    })
  })

  it('rounds what is open to the currency’s decimals: none in JPY', () => {
    const invoice = (currency: string) => ({
      created: '2025-01-01',
      cells: { currency },
      items: [['RECURRING', '100.4']] as const,
      payments: [['2025-01-02', '100']] as const,
    })
    expect(paid({ yen: invoice('JPY'), dollar: invoice('USD'), dinar: invoice('KWD') })).toEqual({ yen: '2025-01-02 100.4' })
  })

  it('a child’s invoice is paid when its parent’s is, and never while that is a draft', () => {
    const accounts = { A: {}, P: {} }
    const child = { created: '2025-01-01', items: [['RECURRING', '30']] as const }
    const links = [
      { parent_invoice_id: 'parent', child_invoice_id: 'child' },
      { parent_invoice_id: 'draft', child_invoice_id: 'waiting' },
    ]
    const sum = { account: 'P', items: [['PARENT_SUMMARY', '30']] as const, payments: [['2025-01-12', '30']] as const }
    const invoices = {
      child,
      waiting: child,
      parent: { ...sum, created: '2025-01-02', cells: { parent_invoice: true } },
      draft: { ...sum, created: '2025-01-02', cells: { parent_invoice: true, status: 'DRAFT' } },
    }
    expect(paid(invoices, { accounts, links })).toEqual({ child: '2025-01-12 30' })
  })
})

describe('usage (D29, D55)', () => {
  const usage = (month: string, next: string, amount: string, paidOn: string, more = {}) => ({
    created: next,
    items: [['USAGE', amount, { subscription_id: 'S', start_date: month, end_date: next, ...more }]] as const,
    payments: [[paidOn, amount]] as const,
  })
  const charges = (invoices: Invoices) =>
    fold(invoices)[0]?.usage_charges.map((charge) => [charge.date, charge.service_month, charge.cents])

  it('an item over several months is split, the rest in the last', () => {
    expect(charges({ i: usage('2025-01-15', '2025-04-15', '10.00', '2025-04-16') })).toEqual([
      ['2025-01-15', '2025-01-01', 333],
      ['2025-02-01', '2025-02-01', 333],
      ['2025-03-01', '2025-03-01', 334],
    ])
    expect(charges({ i: usage('2025-01-15', '2025-02-01', '10.00', '2025-04-16') })).toEqual([['2025-01-15', '2025-01-01', 1000]])
    expect(charges({ i: usage('2025-01-15', '2025-01-20', '0.005', '2025-04-16', { end_date: null }) })).toEqual([
      ['2025-01-15', '2025-01-01', 1],
    ])
  })

  it('adjustments linked to it count when they were made by the payment', () => {
    const adjust = (day: string) => ['ITEM_ADJ', '-4', { linked_item_id: 'i/0', created_date: `${day} 00:00:00` }] as const
    const adjusted = (day: string) => ({
      created: '2025-02-01',
      items: [['USAGE', '10', { subscription_id: 'S', start_date: '2025-01-01', end_date: '2025-02-01' }], adjust(day)] as const,
      payments: [['2025-02-05', '10']] as const,
    })
    expect(charges({ i: adjusted('2025-02-03') })).toEqual([['2025-01-01', '2025-01-01', 600]])
    expect(charges({ i: adjusted('2025-02-06') })).toEqual([['2025-01-01', '2025-01-01', 1000]])
  })

  it('MRR is the mean of the newest three paid months, zero months included, and steps at each payment', () => {
    const months = {
      jan: usage('2025-01-01', '2025-02-01', '6.00', '2025-02-03'),
      feb: { ...usage('2025-02-01', '2025-03-01', '0.00', '2025-03-03'), payments: [] },
      mar: usage('2025-03-01', '2025-04-01', '5.00', '2025-04-02'),
      apr: usage('2025-04-01', '2025-05-01', '4.00', '2025-05-04'),
    }
    expect(spanLines(fold(months))).toEqual([
      '2025-01-01..2025-02-03 active meter-evergreen x1 0+0 start',
      '2025-02-03..2025-03-01 active meter-evergreen x1 0+600 usage',
      '2025-03-01..2025-04-02 active meter-evergreen x1 0+300 usage',
      '2025-04-02..2025-05-04 active meter-evergreen x1 0+366 usage',
      '2025-05-04.. active meter-evergreen x1 0+300 usage',
    ])
    expect(spanLines(fold(months, { definitions: { mrr_usage: 'off' } }))).toEqual([
      '2025-01-01.. active meter-evergreen x1 0+0 start',
    ])
  })

  it('an old month paid late enters only while it is among the newest three', () => {
    const late = {
      feb: usage('2025-02-01', '2025-03-01', '2.00', '2025-03-03'),
      mar: usage('2025-03-01', '2025-04-01', '4.00', '2025-04-02'),
      jan: usage('2025-01-01', '2025-02-01', '9.00', '2025-04-20'),
      apr: usage('2025-04-01', '2025-05-01', '6.00', '2025-05-04'),
    }
    expect(spanLines(fold(late)).map((line) => line.split(' ')[4])).toEqual(['0+0', '0+200', '0+300', '0+500', '0+400'])
  })

  it('stops where the phase in force has no usage section, and stays where no catalog knows the plan', () => {
    const jan = { jan: usage('2025-01-01', '2025-02-01', '6.00', '2025-02-03') }
    const changed: Scenario['subscriptions'] = {
      S: {
        events: [
          ['2025-01-01', 'CREATE', 'meter-evergreen'],
          ['2025-03-01', 'CHANGE', 'max-evergreen'],
        ],
      },
    }
    expect(spanLines(fold(jan, { subscriptions: changed })).at(-1)).toBe('2025-03-01.. active max-evergreen x1 5000+0 plan')
    const unknown: Scenario['subscriptions'] = { S: { events: [['2025-01-01', 'CREATE', 'ghost-evergreen']] } }
    const [customer] = fold(jan, { subscriptions: unknown })
    expect(customer?.spans.map((span) => [span.is_unpriced, span.usage_mrr_cents])).toEqual([
      [true, 0],
      [true, 600],
    ])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Account, type Invoice, invoiceId, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
type Columns = Record<string, readonly number[]>

/** Accounts 1 to 4 have one case each in their currency, 5 and 6 are a child that counts and one that does not, 7 is their parent. 9 is the parent of 8. */
const ACCOUNTS: readonly Account[] = [
  { currency: 'USD' },
  { currency: 'GBP' },
  { currency: 'CHF' },
  { currency: 'KWD' },
  { currency: 'EUR' },
  { currency: 'EUR', isTest: true },
  { currency: 'EUR' },
  { currency: 'SEK' },
  { currency: 'SEK' },
]

const R1 = '00000030-0000-4000-8000-100000000001'
const USAGE = '00000030-0000-4000-8000-100000000003'
const MARCH = '00000030-0000-4000-8000-100000000009'
const SMALL = '00000030-0000-4000-8000-100000000010'
const LINKED = '00000030-0000-4000-8000-100000000030'
const SUMMARY = '00000030-0000-4000-8000-100000000031'
const VOIDED = '00000030-0000-4000-8000-100000000011'

const INVOICES: readonly Invoice[] = [
  // The worked example (definitions.md, ledger).
  {
    account: 1,
    on: '2025-01-15',
    items: [{ id: R1, type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] }],
    paid: [['2025-02-03', '120.00']],
  },
  { account: 1, on: '2025-01-05', items: [{ type: 'FIXED', amount: '50.00' }], written_off: ['2025-03-15'] },
  {
    account: 1,
    on: '2025-02-20',
    items: [
      { id: USAGE, type: 'USAGE', amount: '31.00', days: ['2025-01-20', '2025-02-20'] },
      { type: 'ITEM_ADJ', amount: '-6.20', link: USAGE, written: '2025-03-05' },
    ],
  },
  {
    account: 1,
    on: '2025-02-10',
    items: [
      { type: 'EXTERNAL_CHARGE', amount: '75.00' },
      { type: 'TAX', amount: '15.00' },
    ],
    paid: [
      ['2025-02-10', '90.00'],
      ['2025-03-20', '-20.00', 'REFUND'],
    ],
  },
  {
    account: 1,
    on: '2025-02-15',
    items: [
      { type: 'CREDIT_ADJ', amount: '-10.00' },
      { type: 'CBA_ADJ', amount: '10.00' },
    ],
  },
  {
    account: 1,
    on: '2025-03-01',
    items: [
      { type: 'RECURRING', amount: '30.00', days: ['2025-03-01', '2025-04-01'] },
      { type: 'REPAIR_ADJ', amount: '-60.00', link: R1, days: ['2025-03-01', '2025-04-15'] },
      { type: 'CBA_ADJ', amount: '30.00' },
    ],
  },
  {
    account: 1,
    on: '2025-03-01',
    voided: '2025-04-02',
    items: [{ type: 'RECURRING', amount: '31.00', days: ['2025-03-01', '2025-04-01'] }],
  },
  {
    account: 1,
    on: '2025-04-01',
    items: [
      { type: 'RECURRING', amount: '40.00', days: ['2025-04-01', '2025-05-01'] },
      { type: 'CBA_ADJ', amount: '-40.00' },
    ],
  },
  // GBP: a backdated cancellation; an adjustment below 0; a void after a payment, whose adjustment is on another invoice.
  {
    account: 2,
    on: '2025-03-01',
    items: [{ id: MARCH, type: 'RECURRING', amount: '60.00', days: ['2025-03-01', '2025-04-01'] }],
  },
  {
    account: 2,
    on: '2025-03-11',
    items: [{ type: 'REPAIR_ADJ', amount: '-60.00', link: MARCH, days: ['2025-03-01', '2025-04-01'] }],
  },
  {
    account: 2,
    on: '2025-04-01',
    items: [{ id: SMALL, type: 'RECURRING', amount: '10.00', days: ['2025-04-01', '2025-05-01'] }],
  },
  { account: 2, on: '2025-04-10', items: [{ type: 'ITEM_ADJ', amount: '-12.00', link: SMALL }] },
  {
    account: 2,
    on: '2025-05-01',
    voided: '2025-05-20',
    items: [{ id: VOIDED, type: 'RECURRING', amount: '31.00', days: ['2025-05-01', '2025-06-01'] }],
    paid: [['2025-05-02', '31.00']],
  },
  { account: 2, on: '2025-05-11', items: [{ type: 'ITEM_ADJ', amount: '-3.10', link: VOIDED }] },
  { account: 2, on: '2025-05-12', items: [{ type: 'ITEM_ADJ', amount: '-1.00', link: '00000030-0000-4000-8000-999999999999' }] },
  // CHF: a reversed chargeback; a write-off that was removed; a draft that was held for a year; a draft; a charge before its start; a phase.
  {
    account: 3,
    on: '2025-01-10',
    items: [{ type: 'EXTERNAL_CHARGE', amount: '100.00' }],
    paid: [['2025-01-12', '100.00']],
    reversed: ['2025-02-05', '2025-03-05', '-100.00'],
  },
  {
    account: 3,
    on: '2025-01-20',
    items: [{ type: 'EXTERNAL_CHARGE', amount: '70.00' }],
    written_off: ['2025-02-20', '2025-04-20'],
    paid: [['2025-03-10', '20.00']],
  },
  {
    account: 3,
    on: '2025-06-01',
    draft: '2024-06-01',
    items: [{ type: 'RECURRING', amount: '12.00', days: ['2024-06-01', '2024-07-01'] }],
  },
  {
    account: 3,
    on: '2025-06-02',
    status: 'DRAFT',
    draft: '2025-06-02',
    items: [{ type: 'RECURRING', amount: '99.00', days: ['2025-06-01', '2025-07-01'] }],
  },
  { account: 3, on: '2025-03-20', items: [{ type: 'RECURRING', amount: '30.00', days: ['2025-04-01', '2025-05-01'] }] },
  { account: 3, on: '2025-02-01', items: [{ type: 'FIXED', amount: '28.00', days: ['2025-02-01', '2025-03-01'] }] },
  // KWD: three decimals are rounded to hundredths once, and a discount is a separate item that is spread.
  { account: 4, on: '2025-01-01', items: [{ type: 'RECURRING', amount: '10.005', days: ['2025-01-01', '2025-01-04'] }] },
  {
    account: 4,
    on: '2025-02-01',
    items: [
      { type: 'RECURRING', amount: '-28.000', days: ['2025-02-01', '2025-03-01'] },
      { type: 'RECURRING', amount: '56.000', days: ['2025-02-01', '2025-03-01'] },
    ],
  },
  // EUR: a parent takes over invoices of its children.
  {
    account: 5,
    on: '2025-03-10',
    items: [
      { id: '00000030-0000-4000-8000-100000000020', type: 'RECURRING', amount: '40.00', days: ['2025-03-10', '2025-04-10'] },
      { type: 'ITEM_ADJ', amount: '-10.00', link: '00000030-0000-4000-8000-100000000020', written: '2025-03-12' },
    ],
  },
  { account: 6, on: '2025-03-10', items: [{ type: 'RECURRING', amount: '5.00', days: ['2025-03-10', '2025-04-10'] }] },
  {
    account: 7,
    on: '2025-03-20',
    isParent: true,
    items: [{ type: 'PARENT_SUMMARY', amount: '30.00', child: 5 }],
    paid: [['2025-04-02', '20.00']],
    links: [24],
  },
  { account: 5, on: '2025-03-22', items: [{ type: 'EXTERNAL_CHARGE', amount: '7.00' }] },
  { account: 5, on: '2025-03-22', items: [{ type: 'EXTERNAL_CHARGE', amount: '8.00' }] },
  {
    account: 7,
    on: '2025-04-05',
    isParent: true,
    items: [
      { type: 'PARENT_SUMMARY', amount: '16.00', child: 5 },
      { type: 'PARENT_SUMMARY', amount: '5.00', child: 6 },
    ],
    links: [27],
  },
  // SEK: an adjustment of a linked invoice after its parent has taken it over, which lowers both.
  {
    account: 8,
    on: '2025-03-01',
    items: [
      { id: LINKED, type: 'EXTERNAL_CHARGE', amount: '40.00' },
      { type: 'ITEM_ADJ', amount: '-10.00', link: LINKED, written: '2025-03-10' },
    ],
  },
  {
    account: 9,
    on: '2025-03-02',
    isParent: true,
    items: [
      { id: SUMMARY, type: 'PARENT_SUMMARY', amount: '40.00', child: 8 },
      { type: 'ITEM_ADJ', amount: '-10.00', link: SUMMARY, written: '2025-03-10' },
    ],
    links: [30],
  },
]

const YEAR = { start: '2025-01-01', end: '2025-04-30' }

oneEngineInRotation('the ledger of the worked example (R1 to R22)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows(ACCOUNTS, INVOICES))
    engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), store: await ratesOnly('date,from,to,rate\n') })
  })
  const ask = async (query_type: string, params: Row, currency = 'USD', dimensions: readonly string[] = []) =>
    (await engine.query('ledger', { query_type, ...params }, { dimensions: ['currency', ...dimensions], filters: { currency } }))
      .data as Row[]
  const columns = async (query_type: string, params: Row, names: readonly string[], currency = 'USD'): Promise<Columns> => {
    const rows = await ask(query_type, params, currency)
    return Object.fromEntries(names.map((name) => [name, rows.map((row) => Number(row[name]))]))
  }
  const books = async (params: Row, currency = 'USD') => {
    const rows = await ask('trial_balance', params, currency)
    const amounts = rows.map(({ account, debit, credit }) => [account, Number(debit) - Number(credit)] as const)
    return Object.fromEntries(amounts.filter(([, amount]) => amount !== 0))
  }
  const open = async (at: string, currency: string, params: Row = {}) => {
    const rows = await ask('receivables', { at, ...params }, currency)
    return Object.fromEntries(rows.filter((row) => row['balance'] !== 0).map((row) => [row['age'], row['balance']]))
  }

  it('rolls deferred revenue forward (R9, R10)', async () => {
    const wanted = {
      opening_deferred: [0, 9733, 6000, 0],
      billed: [17000, 10600, 6100, 900],
      adjusted: [0, 0, -6620, 0],
      recognized: [8467, 13133, 5480, 900],
      catch_up: [0, 0, -620, -3100],
      closing_unbilled: [1200, 0, 0, 0],
      closing_deferred: [9733, 6000, 0, 0],
    }
    expect(await columns('revenue', YEAR, Object.keys(wanted))).toEqual(wanted)
  })

  it('has no catch-up in the months after a charge was recognized at once (R12)', async () => {
    const wanted = { recognized: [-200, -410, 0], catch_up: [0, 0, 0] }
    expect(await columns('revenue', { start: '2025-04-01', end: '2025-06-30' }, Object.keys(wanted), 'GBP')).toEqual(wanted)
  })

  it.each([
    [{ spread: 'month' }, [12100, 11500, 3480, 900]],
    [{ unbilled: 'on_invoice' }, [7267, 14333, 5480, 900]],
  ] as const)('recognizes otherwise with %o (R6, R8)', async (options, recognized) => {
    expect(await columns('revenue', { ...YEAR, ...options }, ['recognized'])).toEqual({ recognized })
  })

  it('rolls receivables, cash and credit forward (R13 to R20, J5)', async () => {
    const wanted = {
      opening_receivables: [0, 17000, 8100, 7580],
      collected: [0, 21000, 0, 0],
      refunded: [0, 0, -2000, 0],
      written_off: [0, 0, 5000, 0],
      fx_difference: [0, 0, 0, 0],
      closing_receivables: [17000, 8100, 7580, 4480],
    }
    expect(await columns('movements', YEAR, Object.keys(wanted))).toEqual(wanted)
    expect(await columns('credits', YEAR, ['closing_credits'])).toEqual({ closing_credits: [0, 1000, 4000, 0] })
    expect(await columns('cash', YEAR, ['net'])).toEqual({ net: [0, 21000, -2000, 0] })
  })

  it('balances the books of a day, and of a range (R21)', async () => {
    const day = {
      accounts_receivable: 7580,
      cash: 19000,
      bad_debt: 5000,
      credits_granted: 1000,
      revenue: -27080,
      tax_payable: -1500,
      customer_credits: -4000,
    }
    expect(await books({ at: '2025-03-31' })).toEqual(day)
    const { credits_granted: _, ...others } = day
    expect(await books({ start: '2025-03-01', end: '2025-03-31' })).toEqual({
      ...others,
      revenue: -5480,
      retained_earnings: -20600,
    })
  })

  it('ages the balances of past days, the same on any later day (R17, R18)', async () => {
    expect(await open('2025-03-31', 'USD')).toEqual({ '1-30': 3100, '31-60': 4480 })
    expect(await open('2025-03-31', 'USD', { net_terms: 30 })).toEqual({ current: 3100, '1-30': 4480 })
    expect(await open('2025-02-28', 'USD')).toEqual({ '1-30': 3100, '31-60': 5000 })
    expect(await open('2025-02-28', 'USD', { buckets: '10,50' })).toEqual({ '1-10': 3100, 'over-50': 5000 })
    const months = await ask('receivables', { start: '2025-02-01', end: '2025-03-31', interval: 'month' })
    const ofMarch = months.filter(({ period }) => period === '2025-03-01').map(({ period: _, ...row }) => row)
    expect([months.length, ofMarch]).toEqual([10, await ask('receivables', { at: '2025-03-31' })])
    expect((await ask('receivables', { at: '2025-03-31' })).map((row) => [row['age'], row['invoices'], row['reopened']])).toEqual(
      [
        ['current', 0, 0],
        ['1-30', 1, 0],
        ['31-60', 2, 2000],
        ['61-90', 0, 0],
        ['over-90', 0, 0],
      ],
    )
  })

  it('lists the invoices that were open at the end of a day, the oldest first (R13 to R18)', async () => {
    type Listed = { readonly total: number; readonly rows: readonly Row[] }
    const list = async (params: Row) => (await engine.ledgerList('open_invoices', { currency: 'USD', ...params })).data as Listed
    const names = [
      'invoice_id',
      'issued_on',
      'due_on',
      'days_past_due',
      'age',
      'total_cents',
      'paid_cents',
      'balance_cents',
      'reopened_cents',
    ]
    const shown = ({ rows }: Listed) => rows.map((row) => names.map((name) => row[name]))
    // Invoice 4 was paid 90.00, of which 20.00 went back. Invoice 7 is voided in April, and 2 is written off.
    expect(shown(await list({ at: '2025-03-31' }))).toEqual([
      [invoiceId(4), '2025-02-10', '2025-02-10', 49, '31-60', 9000, 7000, 2000, 2000],
      [invoiceId(3), '2025-02-20', '2025-02-20', 39, '31-60', 2480, 0, 2480, 0],
      [invoiceId(7), '2025-03-01', '2025-03-01', 30, '1-30', 3100, 0, 3100, 0],
    ])
    expect(shown(await list({ at: '2025-03-31', age: '1-30', net_terms: 30 }))).toEqual([
      [invoiceId(4), '2025-02-10', '2025-03-12', 19, '1-30', 9000, 7000, 2000, 2000],
      [invoiceId(3), '2025-02-20', '2025-03-22', 9, '1-30', 2480, 0, 2480, 0],
    ])
    expect((await list({ at: '2025-03-31', order: '-balance_cents', limit: 1 })).rows[0]).toMatchObject({
      invoice_id: invoiceId(7),
    })
    expect(await list({ at: '2025-03-31', offset: 9 })).toMatchObject({ total: 3, rows: [] })
    expect(
      (await list({ at: '2025-03-31', known_at: '2025-03-04', age: '31-60' })).rows.map((row) => row['balance_cents']),
    ).toEqual([3100])
    // The part of a summary that no invoice owed.
    const moved = await engine.ledgerList('open_invoices', { at: '2025-04-05', currency: 'EUR', search: 'Account 5' })
    expect((moved.data as Listed).rows).toMatchObject([{ invoice_id: null, number: null, balance_cents: -100 }])
    const late = await engine.ledgerList('open_invoices', { at: '2030-01-01' })
    expect(late.meta.warnings.map(({ code }) => code)).toContain('future_clamped')
  })

  it('shows how a charge becomes revenue (R5 to R10)', async () => {
    type Schedule = { readonly rows: readonly Row[]; readonly versions: readonly Record<string, unknown>[] }
    const schedule = async (params: Row) =>
      (await engine.ledgerList('schedule', { invoice_id: invoiceId(1), ...params })).data as Schedule
    const names = [
      'month',
      'net_cents',
      'done',
      'whole',
      'recognized_cents',
      'recognized_so_far_cents',
      'deferred_cents',
      'unbilled_cents',
    ]
    const { rows, versions } = await schedule({})
    expect(rows.map((row) => names.map((name) => row[name]))).toEqual([
      ['2025-01-01', 12000, 17, 90, 2267, 2267, 9733, 0],
      ['2025-02-01', 12000, 45, 90, 3733, 6000, 6000, 0],
      ['2025-03-01', 6000, 45, 45, 0, 6000, 0, 0],
    ])
    expect(rows[0]).toMatchObject({
      posted_on: '2025-01-15',
      starts_on: '2025-01-15',
      ends_on: '2025-04-15',
      charged_cents: 12000,
      kind: 'recurring',
    })
    expect(
      versions.map(({ known_from, known_to, net_cents, whole, kept }) => [known_from, known_to, net_cents, whole, kept]),
    ).toEqual([
      ['2025-01-15', '2025-03-01', 12000, 90, [{ starts_on: '2025-01-15', ends_on: '2025-04-15' }]],
      ['2025-03-01', null, 6000, 45, [{ starts_on: '2025-01-15', ends_on: '2025-03-01' }]],
    ])
    const monthly = await schedule({ spread: 'month' })
    expect(monthly.rows.map((row) => [row['month'], row['done'], row['whole'], row['recognized_cents']])).toEqual([
      ['2025-01-01', 1, 3, 4000],
      ['2025-02-01', 2, 3, 4000],
      ['2025-03-01', 2, 2, -2000],
    ])
    const usage = await schedule({ invoice_id: invoiceId(3) })
    expect(usage.rows.map((row) => [row['month'], row['recognized_cents'], row['unbilled_cents']])).toEqual([
      ['2025-01-01', 1200, 1200],
      ['2025-02-01', 1900, 0],
      ['2025-03-01', -620, 0],
    ])
    await expect(schedule({ invoice_id: 'unknown' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(engine.ledgerList('schedule')).rejects.toMatchObject({ code: 'invalid_value' })
  })

  it('writes a journal with an entry for each kind, and reverses a void (R3, R21)', async () => {
    const lines = (await engine.ledgerList('journal', { ...YEAR, currency: 'USD' })).data as Row[]
    const cents = (entry: string) =>
      Object.fromEntries(
        lines
          .filter((line) => line['entry'] === entry)
          .map((line) => [line['account'], Number(line['debit_cents']) - Number(line['credit_cents'])]),
      )
    expect(cents('2025-02-billing-USD')).toEqual({ accounts_receivable: 12100, deferred_revenue: -10600, tax_payable: -1500 })
    expect(cents('2025-01-unbilled-USD')).toEqual({ unbilled_receivables: 1200, deferred_revenue: -1200 })
    expect(cents('2025-03-write_off-USD')).toEqual({ bad_debt: 5000, accounts_receivable: -5000 })
    expect(cents('2025-03-refund-USD')).toEqual({ accounts_receivable: 2000, cash: -2000 })
    expect(cents('2025-04-void-USD')).toEqual({ deferred_revenue: 3100, accounts_receivable: -3100 })
    expect(cents('2025-04-recognition-USD')).toEqual({ deferred_revenue: 900, revenue: -900 })
    expect(cents('2025-04-credit-USD')).toEqual({ customer_credits: 4000, accounts_receivable: -4000 })
    const single = (await engine.ledgerList('journal', { ...YEAR, currency: 'USD', summarize: 'none' })).data as Row[]
    expect(single.filter((line) => line['entry'] === `2025-04-02-void-${invoiceId(7)}`)).toMatchObject([
      { account: 'deferred_revenue', debit_cents: 3100, customer_name: 'Account 1', invoice_id: invoiceId(7) },
      { account: 'accounts_receivable', credit_cents: 3100 },
    ])
    const cut = (await engine.ledgerList('journal', { start: '2025-01-10', end: '2025-01-31', currency: 'usd' })).data as Row[]
    expect(cut[0]).toMatchObject({ entry: '2025-01-10_2025-01-31-billing-USD', debit_cents: 12000 })
    // January was closed on 5 February, before its usage was invoiced. The journal of February makes up for it.
    const february = { start: '2025-02-01', end: '2025-02-28', currency: 'USD' }
    const made = async (params: Row) => {
      const own = (await engine.ledgerList('journal', { ...february, ...params })).data as Row[]
      const on = (account: string) => own.filter((line) => line['account'] === account)
      return ['revenue', 'unbilled_receivables'].map((account) =>
        sum(on(account).map((line) => Number(line['debit_cents']) - Number(line['credit_cents']))),
      )
    }
    expect(await made({})).toEqual([-13133, -1200])
    expect(await made({ opening_known_at: '2025-02-05' })).toEqual([-14333, 0])
    const eur = await engine.ledgerList('journal', { ...YEAR, currency: 'EUR', layout: 'xero' })
    expect(eur.meta.amounts).toEqual({ unit: 'units', currency: 'EUR' })
    // The last day of a month is not over.
    const last = { ...YEAR, currency: 'USD', end: '2025-07-31' }
    const running = (await engine.ledgerList('journal', last)).data as Row[]
    expect(new Set(running.map((line) => String(line['entry']).slice(0, 21)))).not.toContain('2025-07-billing-USD')
    const refused = new Error('refused')
    const disclosing = (names: readonly string[]) => {
      if (names.length > 0) throw refused
    }
    await expect(engine.ledgerList('journal', { ...YEAR, currency: 'USD' }, {}, { disclosing })).resolves.toBeDefined()
    for (const summarize of ['none', ['none', 'none']])
      await expect(engine.ledgerList('journal', { ...YEAR, currency: 'USD', summarize }, {}, { disclosing })).rejects.toBe(
        refused,
      )
    const quickbooks = await engine.ledgerList('journal', { ...YEAR, currency: 'USD', layout: 'quickbooks' })
    expect(quickbooks.meta.warnings.find(({ code }) => code === 'unnamed_account')?.message).toContain('set ledger.customer')
    const part = await engine.ledgerList('journal', { ...YEAR, currency: 'USD', part: 2 })
    expect(part.meta.warnings.map(({ code }) => code)).toContain('unused_parameter')
    for (const [params, code] of [
      [{}, 'invalid_range'],
      [{ start: '1900-01-01', end: '2025-01-31', summarize: 'day' }, 'invalid_range'],
      [{ ...YEAR, opening_known_at: '2024-12-31' }, 'invalid_range'],
      [{ ...YEAR, layout: 'sage' }, 'invalid_value'],
      [{ ...YEAR, currency: 'dollars' }, 'invalid_value'],
      [{ ...YEAR, layout: 'quickbooks', part: 9, currency: 'USD' }, 'invalid_value'],
      [{ ...YEAR, limit: 5 }, 'invalid_value'],
    ] as const)
      await expect(engine.ledgerList('journal', params), JSON.stringify(params)).rejects.toMatchObject({ code })
  })

  it('has the waterfall (R11)', async () => {
    const rows = await ask('waterfall', YEAR)
    const found = rows.map((row) =>
      ['booked_month', 'recognized_month', 'recognized', 'booked', 'adjusted', 'remaining'].map((name) => row[name]),
    )
    expect(
      found.map(([booked, month, ...amounts]) => [String(booked).slice(5, 7), String(month).slice(5, 7), ...amounts]),
    ).toEqual([
      ['01', '01', 7267, 17000, -6000, 0],
      ['01', '02', 3733, 17000, -6000, 0],
      ['02', '01', 1200, 10600, -620, 0],
      ['02', '02', 9400, 10600, -620, 0],
      ['02', '03', -620, 10600, -620, 0],
      ['03', '03', 6100, 6100, -3100, 0],
      ['03', '04', -3100, 6100, -3100, 0],
      ['04', '04', 4000, 4000, 0, 0],
    ])
  })

  it('knows a month as it was closed (R22, J13, J14)', async () => {
    const january = { start: '2025-01-01', end: '2025-01-31', known_at: '2025-02-05' }
    expect(await columns('revenue', january, ['recognized', 'closing_unbilled', 'closing_deferred'])).toEqual({
      recognized: [7267],
      closing_unbilled: [0],
      closing_deferred: [9733],
    })
    expect(await columns('corrections', january, ['recognized_then', 'recognized_now', 'difference'])).toEqual({
      recognized_then: [7267],
      recognized_now: [8467],
      difference: [1200],
    })
    for (const at of ['2025-02-28', '2025-05-15'])
      for (const currency of ['USD', 'GBP']) {
        const known = await books({ at, known_at: at, unbilled: 'on_invoice' }, currency)
        expect(known, `${at} ${currency}`).toEqual(await books({ at, unbilled: 'on_invoice' }, currency))
        expect(known['unbilled_receivables'] ?? 0).toBe(0)
      }
  })

  it('takes back what was recognized, and nothing twice (R9)', async () => {
    const days = { start: '2025-03-01', end: '2025-03-31', interval: 'day' }
    const { recognized = [], closing_deferred } = await columns('revenue', days, ['recognized', 'closing_deferred'], 'GBP')
    expect([sum(recognized.slice(0, 10)), recognized[10], sum(recognized), sum(closing_deferred?.slice(10) ?? [])]).toEqual([
      1935, -1935, 0, 0,
    ])
    const months = { start: '2025-04-01', end: '2025-05-31' }
    // April: 12.00 off a charge of 10.00. May: 31.00 voided, 3.10 and 1.00 off nothing that is left.
    expect(await columns('revenue', months, ['recognized', 'closing_deferred', 'closing_unbilled'], 'GBP')).toEqual({
      recognized: [-200, -410],
      closing_deferred: [0, 0],
      closing_unbilled: [0, 0],
    })
    // From the day of the adjustment on, nothing is left to defer: 3.00 were recognized of the nine days before, and all of -2.00 is.
    const below = { start: '2025-04-10', end: '2025-04-15', interval: 'day' }
    expect(await columns('revenue', below, ['recognized', 'closing_deferred', 'closing_unbilled'], 'GBP')).toEqual({
      recognized: [-500, 0, 0, 0, 0, 0],
      closing_deferred: [0, 0, 0, 0, 0, 0],
      closing_unbilled: [0, 0, 0, 0, 0, 0],
    })
    // The void never changes a day before it.

    expect((await books({ at: '2025-05-19' }, 'GBP'))['revenue']).toBe(
      (await books({ at: '2025-05-19', known_at: '2025-05-19' }, 'GBP'))['revenue'],
    )
    expect((await books({ at: '2025-05-20' }, 'GBP'))['accounts_receivable']).toBe(-3100 - 200 - 310 - 100)
  })

  it('has reversed chargebacks and removed write-offs on their days (R15, R19)', async () => {
    const range = { start: '2025-01-01', end: '2025-04-30' }
    expect(await columns('movements', range, ['charged_back', 'written_off', 'collected', 'closing_receivables'], 'CHF')).toEqual(
      {
        charged_back: [0, -10000, 10000, 0],
        written_off: [0, 7000, -2000, -5000],
        collected: [10000, 0, 2000, 0],
        closing_receivables: [7000, 12800, 5800, 10800],
      },
    )
  })

  it('posts drafts on the day of their commit, and charges before their start as deferred (R3, R8)', async () => {
    const names = ['billed', 'recognized', 'closing_deferred', 'closing_unbilled']
    expect(await columns('revenue', { start: '2025-03-01', end: '2025-06-30' }, names, 'CHF')).toEqual({
      billed: [3000, 0, 0, 1200],
      recognized: [0, 3000, 0, 0],
      closing_deferred: [3000, 0, 0, 0],
      closing_unbilled: [1200, 1200, 1200, 0],
    })
    expect(await columns('revenue', { start: '2024-06-01', end: '2024-06-30' }, ['recognized'], 'CHF')).toEqual({
      recognized: [1200],
    })
    const february = { start: '2025-02-01', end: '2025-02-14' }
    expect(await columns('revenue', february, ['recognized'], 'CHF')).toEqual({ recognized: [2800] })
    expect(await columns('revenue', { ...february, one_off: 'over_period' }, ['recognized'], 'CHF')).toEqual({
      recognized: [1400],
    })
  })

  it('rounds an item once, and spreads a discount like a charge (R10, R25)', async () => {
    const days = { start: '2025-01-01', end: '2025-01-03', interval: 'day' }
    expect(sum((await columns('revenue', days, ['recognized'], 'KWD'))['recognized'] ?? [])).toBe(1001)
    expect(
      await columns('revenue', { start: '2025-02-01', end: '2025-02-14' }, ['recognized', 'closing_deferred'], 'KWD'),
    ).toEqual({
      recognized: [1400],
      closing_deferred: [1400],
    })
  })

  it('moves receivables from a child to its parent (R16)', async () => {
    const owed = async (at: string) => {
      const owed: Record<string, number> = {}
      for (const { customer_name, balance } of await ask('receivables', { at }, 'EUR', ['customer_name']))
        if (balance !== 0) owed[String(customer_name)] = (owed[String(customer_name)] ?? 0) + Number(balance)
      return owed
    }
    expect(await owed('2025-03-19')).toEqual({ 'Account 5': 3000 })
    expect(await owed('2025-03-20')).toEqual({ 'Account 7': 3000 })
    expect(await owed('2025-04-02')).toEqual({ 'Account 5': 1500, 'Account 7': 1000 })
    // The second summary takes 7.00 from the linked invoice, 8.00 from the other one, and 1.00 from none. That of a test account is in suspense.
    expect(await owed('2025-04-05')).toEqual({ 'Account 5': -100, 'Account 7': 3100 })
    expect(await books({ at: '2025-04-05' }, 'EUR')).toMatchObject({ accounts_receivable: 3000, suspense: -500, cash: 2000 })
  })

  it('gives back to a child what an adjustment took from both (R16)', async () => {
    const at = '2025-03-10'
    const open = await ask('receivables', { at }, 'SEK', ['customer_name'])
    expect(
      open.filter((row) => row['balance'] !== 0).map((row) => [row['customer_name'], row['invoices'], row['balance']]),
    ).toEqual([['Account 9', 1, 3000]])
    expect(await books({ at }, 'SEK')).toEqual({ accounts_receivable: 3000, revenue: -3000 })
    expect(await columns('revenue', { start: '2025-03-01', end: '2025-03-31' }, ['adjusted', 'recognized'], 'SEK')).toEqual({
      adjusted: [-1000],
      recognized: [3000],
    })
  })

  it('adds up and closes, in every currency, group and period (J1 to J5, J8, J9, J15)', async () => {
    for (const currency of ['USD', 'GBP', 'CHF']) {
      const range = { start: '2024-06-01', end: '2025-06-30' }
      const rows = await ask('revenue', range, currency)
      for (const [index, row] of rows.entries()) {
        const of = (name: string) => Number(row[name])
        const closing =
          of('opening_deferred') +
          of('billed') +
          of('adjusted') -
          of('recognized') +
          of('closing_unbilled') -
          of('opening_unbilled')
        expect(closing, `${currency} ${row['period']}`).toBe(of('closing_deferred'))
        expect(of('closing_unbilled')).toBeGreaterThanOrEqual(0)
        expect(of('opening_deferred')).toBe(Number(rows[index - 1]?.['closing_deferred'] ?? 0))
      }
      const daily = await ask('revenue', { ...range, interval: 'day' }, currency)
      const kinds = await ask('revenue', range, currency, ['charge_kind', 'customer_id', 'invoice_id'])
      for (const { period, recognized } of rows) {
        const month = String(period).slice(0, 7)
        const added = (list: readonly Row[]) =>
          sum(list.filter((row) => String(row['period']).startsWith(month)).map((row) => Number(row['recognized'])))
        expect([added(daily), added(kinds)], `${currency} ${month}`).toEqual([recognized, recognized])
      }
      const movements = await ask('movements', { ...range, interval: 'week' }, currency)
      expect(
        movements.filter((row) => row['fx_difference'] !== 0),
        currency,
      ).toEqual([])
      for (const at of ['2025-03-15', '2025-05-20']) {
        const trial = await books({ at }, currency)
        expect(sum(Object.values(trial)), `${currency} ${at}`).toBe(0)
        const ages = await ask('receivables', { at }, currency)
        expect(sum(ages.map((row) => Number(row['balance']))), `${currency} ${at}`).toBe(trial['accounts_receivable'] ?? 0)
        const invoices = await ask('receivables', { at }, currency, ['customer_id'])
        expect(sum(invoices.map((row) => Number(row['balance'])))).toBe(trial['accounts_receivable'] ?? 0)
      }
    }
  })

  it('keeps the currency of a charge whose adjustment has another one', async () => {
    const charge = '00000030-0000-4000-8000-100000000090'
    const { database } = await fillDatabase(
      target,
      ledgerRows(
        [{ currency: 'USD' }],
        [
          {
            account: 1,
            on: '2025-01-01',
            items: [{ id: charge, type: 'RECURRING', amount: '90.00', days: ['2025-01-01', '2025-04-01'] }],
          },
          { account: 1, on: '2025-02-01', currency: 'EUR', items: [{ type: 'ITEM_ADJ', amount: '-1.00', link: charge }] },
        ],
      ),
    )
    const mixed = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z') })
    const asked = { query_type: 'revenue', start: '2025-01-01', end: '2025-03-31' }
    const rows = (await mixed.query('ledger', asked, { dimensions: ['currency'] })).data as readonly Row[]
    const usd = rows.filter(({ currency }) => currency === 'USD')
    // 89.00 after the adjustment: 31, 28 and 31 of 90 days.
    expect(usd.map(({ recognized }) => recognized)).toEqual([3100, 2734, 3066])
    expect(usd.map(({ closing_deferred }) => closing_deferred)).toEqual([5900, 3066, 0])
    await mixed.close()
  })

  describe('refuses', () => {
    it.each([
      [{ spread: 'week' }, 'params.spread'],
      [{ net_terms: 366 }, 'params.net_terms'],
      [{ buckets: '30,20' }, 'params.buckets'],
      [{ unbilled: 'never' }, 'params.unbilled'],
      [{ known_at: '2024-12-31' }, 'params.known_at'],
    ] as const)('%o', async (wrong, where) => {
      const query_type = where === 'params.buckets' || where === 'params.net_terms' ? 'receivables' : 'revenue'
      const params = query_type === 'revenue' ? { ...YEAR, ...wrong } : { at: '2025-03-31', ...wrong }
      await expect(ask(query_type, params)).rejects.toMatchObject({ issues: [expect.objectContaining({ where })] })
    })

    it('plans of receivables (R26)', async () => {
      const refused = engine.query('ledger', { query_type: 'receivables' }, { dimensions: ['plan'] })
      await expect(refused).rejects.toMatchObject({ issues: [expect.objectContaining({ code: 'unknown_dimension' })] })
    })
  })

  it('shows the rows behind each number, which add up to it', async () => {
    for (const currency of ['USD'])
      for (const [query_type, range] of [
        ['revenue', { start: '2025-03-01', end: '2025-03-31' }],
        ['movements', { start: '2025-03-01', end: '2025-05-31', interval: 'quarter' }],
        ['cash', { start: '2025-02-01', end: '2025-02-28' }],
        ['credits', { start: '2025-02-15', end: '2025-03-31', interval: 'year' }],
      ] as const)
        for (const answer of await ask(query_type, range, currency)) {
          const { period, currency: _, ...measures } = answer
          for (const [measure, amount] of Object.entries(measures)) {
            if (['opening_receivables', 'closing_receivables', 'written_off', 'fx_difference', 'is_partial'].includes(measure))
              continue
            const cell = { query_type, ...range, measure, period, group: [`currency=${currency}`] }
            const page = (await engine.metricRows('ledger', cell, {})).data as { sum: number; rows: readonly Row[] }
            const { sum: total, rows } = page
            expect(total, `${currency} ${query_type} ${measure} ${period}`).toBe(amount)
            expect(sum(rows.map((row) => Number(row['amount_cents'])))).toBe(amount)
          }
        }
  })

  it('names invoices by id', async () => {
    const rows = await ask('revenue', { start: '2025-01-01', end: '2025-01-31' }, 'USD', ['invoice_id'])
    expect(rows.map((row) => row['invoice_id'])).toContain(invoiceId(1))
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

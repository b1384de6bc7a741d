import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Account, type Invoice, type Item, invoiceId, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | boolean | null>

const ACCOUNTS: readonly Account[] = [
  { currency: 'USD' },
  { currency: 'USD', isAutoPayOff: true },
  { currency: 'USD', isTest: true },
]

const charge = (amount: string, id?: string): Item => ({ type: 'EXTERNAL_CHARGE', amount, ...(id && { id }) })
const LOWERED = '00000030-0000-4000-8000-200000000004'
const FORGIVEN = '00000030-0000-4000-8000-200000000007'

const INVOICES: readonly Invoice[] = [
  // Recovered after 10 days by the third attempt.
  {
    account: 1,
    on: '2025-03-01',
    items: [charge('100.00')],
    tried: [
      ['2025-03-01', '100.00', 'PAYMENT_FAILURE', 'do_not_honor'],
      ['2025-03-05', '100.00', 'PAYMENT_FAILURE', 'do_not_honor'],
      ['2025-03-11', '100.00', 'SUCCESS'],
    ],
  },
  { account: 1, on: '2025-03-02', items: [charge('50.00')], tried: [['2025-03-02', '50.00', 'SUCCESS']] },
  // Paid after 31 days.
  {
    account: 1,
    on: '2025-03-31',
    items: [charge('40.00')],
    tried: [
      ['2025-03-31', '40.00', 'PAYMENT_FAILURE', 'expired_card'],
      ['2025-05-01', '40.00', 'SUCCESS'],
    ],
  },
  // Recovered after 2 days, as the invoice was lowered.
  {
    account: 1,
    on: '2025-03-03',
    items: [charge('30.00', LOWERED), { type: 'ITEM_ADJ', amount: '-10.00', link: LOWERED, written: '2025-03-04' }],
    tried: [
      ['2025-03-03', '30.00', 'PLUGIN_FAILURE'],
      ['2025-03-05', '20.00', 'SUCCESS'],
    ],
  },
  // A part was paid otherwise.
  {
    account: 1,
    on: '2025-03-06',
    items: [charge('25.00')],
    tried: [['2025-03-06', '25.00', 'PAYMENT_FAILURE']],
    paid: [['2025-03-08', '10.00']],
  },
  // A void, an adjustment of everything: no payment.
  {
    account: 1,
    on: '2025-03-07',
    voided: '2025-03-10',
    items: [charge('60.00')],
    tried: [['2025-03-07', '60.00', 'PAYMENT_FAILURE']],
  },
  {
    account: 1,
    on: '2025-03-08',
    items: [charge('70.00', FORGIVEN), { type: 'ITEM_ADJ', amount: '-70.00', link: FORGIVEN, written: '2025-03-09' }],
    tried: [['2025-03-08', '70.00', 'PAYMENT_FAILURE']],
  },
  // Written off, and paid after 11 days.
  {
    account: 1,
    on: '2025-03-09',
    items: [charge('80.00')],
    written_off: ['2025-03-12'],
    tried: [
      ['2025-03-09', '80.00', 'PAYMENT_FAILURE'],
      ['2025-03-20', '80.00', 'SUCCESS'],
    ],
  },
  // Recovered on the same day. A refund does not take that back.
  {
    account: 1,
    on: '2025-04-01',
    items: [charge('15.00')],
    tried: [
      ['2025-04-01', '15.00', 'PAYMENT_FAILURE'],
      ['2025-04-01', '15.00', 'SUCCESS'],
    ],
    paid: [['2025-04-10', '-15.00', 'REFUND']],
  },
  // Nobody tried: no payment method, automatic payment is off, nothing to pay, a test account.
  { account: 1, on: '2025-04-02', items: [charge('12.00')] },
  { account: 2, on: '2025-04-03', items: [charge('9.00')] },
  { account: 1, on: '2025-04-04', items: [charge('5.00'), { type: 'CBA_ADJ', amount: '-5.00' }] },
  { account: 3, on: '2025-04-04', items: [charge('5.00')], tried: [['2025-04-04', '5.00', 'PAYMENT_FAILURE']] },
  // The provider has not answered yet.
  { account: 1, on: '2025-04-05', items: [charge('33.00')], tried: [['2025-04-05', '33.00', 'PENDING']] },
  // Of the month of its first attempt.
  { account: 1, on: '2025-04-30', items: [charge('8.00')], tried: [['2025-05-01', '8.00', 'PAYMENT_FAILURE']] },
]

const RANGE = { start: '2025-03-01', end: '2025-05-31' }

oneEngineInRotation('collections worked out by hand (R27)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows(ACCOUNTS, INVOICES))
    engine = await engineOver(database, {
      now: new Date('2025-06-15T00:00:00Z'),
      store: await ratesOnly('date,from,to,rate\n'),
    })
  })
  const ask = async (params: Row = {}, dimensions: readonly string[] = []) =>
    (await engine.query('ledger', { query_type: 'collections', ...RANGE, ...params }, groupedBy(dimensions))).data as Row[]

  it('counts invoices by the month of their first attempt', async () => {
    expect(await ask()).toEqual([
      {
        period: '2025-03-01',
        invoices_attempted: 8,
        first_attempt_failed: 7,
        first_attempt_failed_amount: 40500,
        recovered: 3,
        recovery_rate: 0.428571,
        median_days_to_recover: 10,
        attempts: 13,
        failed_attempts: 8,
        never_attempted: 0,
      },
      {
        period: '2025-04-01',
        invoices_attempted: 2,
        first_attempt_failed: 1,
        first_attempt_failed_amount: 1500,
        recovered: 1,
        recovery_rate: 1,
        median_days_to_recover: 0,
        attempts: 3,
        failed_attempts: 1,
        never_attempted: 2,
      },
      {
        period: '2025-05-01',
        invoices_attempted: 1,
        first_attempt_failed: 1,
        first_attempt_failed_amount: 800,
        recovered: 0,
        recovery_rate: 0,
        median_days_to_recover: null,
        attempts: 1,
        failed_attempts: 1,
        never_attempted: 0,
        is_partial: true,
      },
    ])
  })

  it.each([
    [31, 4, 0.571429, 10.5],
    [9, 1, 0.142857, 2],
    [1, 0, 0, null],
  ])(
    'recovers within %i days of the first failure',
    async (recovery_window, recovered, recovery_rate, median_days_to_recover) => {
      expect((await ask({ recovery_window }))[0]).toMatchObject({ recovered, recovery_rate, median_days_to_recover })
    },
  )

  it('knows what a past day knew (R22)', async () => {
    const [march] = await ask({ known_at: '2025-03-10' })
    expect(march).toMatchObject({
      invoices_attempted: 7,
      first_attempt_failed: 6,
      first_attempt_failed_amount: 36500,
      recovered: 1,
      attempts: 9,
      failed_attempts: 7,
      never_attempted: 0,
    })
  })

  it('groups attempts by their own error, and invoices by that of their first attempt', async () => {
    const rows = (await ask({}, ['gateway_error', 'payment_method'])).filter(
      ({ period, attempts }) => period === '2025-03-01' && attempts !== 0,
    )
    expect(
      rows.map((row) =>
        ['gateway_error', 'payment_method', 'first_attempt_failed', 'recovered', 'attempts', 'failed_attempts'].map(
          (name) => row[name],
        ),
      ),
    ).toEqual([
      ['do_not_honor', 'cards', 1, 1, 2, 2],
      ['expired_card', 'cards', 1, 0, 1, 1],
      [null, 'cards', 5, 2, 10, 5],
    ])
    const april = (await ask({}, ['obstacle'])).filter(({ period }) => period === '2025-04-01')
    expect(april.map((row) => [row['obstacle'], row['never_attempted'], row['attempts']])).toEqual([
      ['auto_pay_off', 1, 0],
      ['no_payment_method', 1, 0],
      [null, 0, 3],
    ])
  })

  it('shows the rows behind a number', async () => {
    const cell = { query_type: 'collections', ...RANGE, period: '2025-03-01', measure: 'failed_attempts' }
    const { sum, rows } = (await engine.metricRows('ledger', cell)).data as { sum: number; rows: readonly Row[] }
    expect(sum).toBe(8)
    expect(rows.filter((row) => row['document_id'] === invoiceId(1)).map((row) => row['occurred_at'])).toEqual([
      '2025-03-01T10:00:00.000Z',
      '2025-03-05T10:00:00.000Z',
    ])
    const notes = rows
      .filter((row) => row['document_id'] === invoiceId(1))
      .map(({ evidence }) => evidence as unknown as readonly Row[])
    expect(notes.map((list) => list.filter(({ table }) => table === 'payment_transactions').map(({ note }) => note))).toEqual([
      ['attempt to collect 100 USD on 2025-03-01: PAYMENT_FAILURE, do_not_honor'],
      ['attempt to collect 100 USD on 2025-03-05: PAYMENT_FAILURE, do_not_honor'],
    ])
  })

  it('refuses a window of no days', async () => {
    for (const recovery_window of [0, 366, 'x'])
      await expect(ask({ recovery_window })).rejects.toMatchObject({ code: 'invalid_value' })
  })
})

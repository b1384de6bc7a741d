import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_TYPES, type ExpenseRecord } from '../../src/core/expense.ts'
import { backfilled, connected, PATIENT } from '../support/product/intuit/connected-platform.ts'
import { fillWithSamples } from '../support/product/intuit/sample-books.ts'
import { type Intuit, startIntuit } from '../support/product/intuit/server.ts'

let intuit: Intuit
let records: readonly ExpenseRecord[]

beforeAll(async () => {
  intuit = await startIntuit()
  fillWithSamples(intuit.company('4620'))
  const { connector } = await connected(intuit)
  records = (await backfilled(connector)).records.filter((record): record is ExpenseRecord => 'metadata' in record)
})
afterAll(() => intuit.stop())

const USD = { currency: 'USD', home_currency: 'USD', exchange_rate: '1' }

function found(id: string, kind?: ExpenseRecord['kind']): ExpenseRecord | undefined {
  return records.find((record) => record.external_id === id && (kind === undefined || record.kind === kind))
}

function document(id: string): Extract<ExpenseRecord, { lines: unknown }> {
  const record = found(id)
  if (record === undefined || !('lines' in record)) throw new Error(`no document ${id}`)
  return record
}

describe('lists', () => {
  it('a vendor, one that is switched off too', () => {
    expect(found('46', 'vendor')).toEqual({
      kind: 'vendor',
      external_id: '46',
      updated_at: '2026-02-03T18:30:00.000Z',
      is_deleted: false,
      name: 'Norton Lumber and Building Materials',
      is_active: true,
      metadata: { native_company_name: 'Norton Lumber and Building Materials', native_sync_token: '1' },
    })
    expect(found('56', 'vendor')).toMatchObject({ name: "Bob's Burger Joint (deleted)", is_active: false })
  })

  it('a sub-account by its whole path, with its parent', () => {
    expect(found('61', 'account')).toEqual({
      kind: 'account',
      external_id: '61',
      updated_at: '2026-02-03T18:30:00.000Z',
      is_deleted: false,
      name: 'Utilities:Telephone',
      account_type: 'expense',
      parent_external_id: '60',
      is_active: true,
      metadata: { native_account_type: 'Expense', native_account_sub_type: 'Utilities', native_sync_token: '0' },
    })
    expect(found('60', 'account')).toMatchObject({ name: 'Utilities', parent_external_id: null })
  })

  it('every type of account', () => {
    const types = Object.fromEntries(
      records.flatMap((record) =>
        record.kind === 'account' ? [[String(record.metadata['native_account_type']), record.account_type]] : [],
      ),
    )
    expect(types).toEqual({
      Expense: 'expense',
      'Other Expense': 'expense',
      'Cost of Goods Sold': 'cogs',
      Income: 'income',
      'Other Income': 'income',
      Bank: 'asset',
      'Accounts Receivable': 'asset',
      'Other Current Asset': 'asset',
      'Fixed Asset': 'asset',
      'Other Asset': 'asset',
      'Accounts Payable': 'liability',
      'Credit Card': 'liability',
      'Other Current Liability': 'liability',
      'Long Term Liability': 'liability',
      Equity: 'equity',
      'Non-Posting': 'other',
    })
    expect(new Set(Object.values(types))).toEqual(new Set(ACCOUNT_TYPES))
  })

  it('items with the account of their purchases; one that is only sold has none', () => {
    expect(found('11', 'item')).toMatchObject({ name: 'Fountains:Pump', account_external_id: '80' })
    expect(found('5', 'item')).toMatchObject({ name: 'Gardening', account_external_id: null })
  })
})

describe('bills', () => {
  it('a paid one', () => {
    expect(found('125')).toEqual({
      kind: 'bill',
      bill_kind: 'bill',
      external_id: '125',
      updated_at: '2026-02-06T18:30:00.000Z',
      is_deleted: false,
      number: 'N-1001',
      document_date: '2026-01-06',
      due_date: '2026-02-05',
      ...USD,
      vendor_external_id: '46',
      total_cents: 10355,
      balance_cents: 0,
      status: 'paid',
      lines: [
        {
          line_id: '1',
          account_external_id: '60',
          item_external_id: null,
          description: 'Lumber',
          amount_cents: 10355,
          dimensions: { project: 'Travis Waldron' },
          metadata: {
            native_detail_type: 'AccountBasedExpenseLineDetail',
            native_tax_code: 'TAX',
            native_project_id: '39298034',
            dimension_ids: { project: '26' },
          },
        },
      ],
      metadata: { native_type: 'Bill', native_sync_token: '2' },
    })
  })

  it('one in another currency, its tax on top: partly paid, the line net', () => {
    expect(found('126')).toMatchObject({
      status: 'partial',
      currency: 'EUR',
      home_currency: 'USD',
      exchange_rate: '1.0845',
      total_cents: 23800,
      balance_cents: 10000,
      metadata: { native_tax_calculation: 'TaxExcluded' },
    })
    expect(document('126').lines.map(({ amount_cents }) => amount_cents)).toEqual([20000])
  })

  it('one with tax within: the line is net all the same; class and department are the document’s', () => {
    expect(found('127')).toMatchObject({ status: 'open', total_cents: 10000, balance_cents: 10000 })
    expect(document('127').lines).toMatchObject([
      {
        amount_cents: 8403,
        dimensions: { class: 'Retail', department: 'Berlin' },
        metadata: { native_tax_inclusive_amount: '100.00' },
      },
    ])
  })

  it('one with an item and a discount: the line’s class wins, descriptions and subtotals are no lines', () => {
    expect(document('128').lines.map(({ metadata, ...line }) => line)).toEqual([
      {
        line_id: '1',
        account_external_id: null,
        item_external_id: '3',
        description: 'Concrete',
        amount_cents: 25510,
        dimensions: { class: 'Wholesale:Export', department: 'Munich', project: 'Travis Waldron' },
      },
      {
        line_id: '3',
        account_external_id: '14',
        item_external_id: null,
        description: 'Discount',
        amount_cents: -500,
        dimensions: { class: 'Retail', department: 'Munich' },
      },
    ])
  })

  it('credits count negative, used in part or not at all', () => {
    expect(found('131')).toMatchObject({
      kind: 'bill',
      bill_kind: 'vendor_credit',
      status: 'partial',
      total_cents: -5000,
      balance_cents: -2000,
      due_date: null,
      lines: [{ amount_cents: -5000, account_external_id: '60' }],
    })
    expect(found('132')).toMatchObject({
      status: 'open',
      total_cents: -1250,
      balance_cents: -1250,
      lines: [{ amount_cents: -1250, item_external_id: '11', account_external_id: null }],
    })
  })
})

describe('purchases', () => {
  it.each([
    ['140', { payment_type: 'cash', vendor_external_id: '30', total_cents: 1999, is_voided: false }],
    ['141', { payment_type: 'check', vendor_external_id: null, number: '75', metadata: { native_payee_type: 'Employee' } }],
    ['142', { payment_type: 'credit_card', vendor_external_id: '56', total_cents: 3450 }],
    ['143', { payment_type: 'credit_card', total_cents: -999, is_voided: false }],
    ['144', { is_voided: true, total_cents: 0, vendor_external_id: null }],
    [
      '145',
      { is_voided: false, total_cents: 525, metadata: { native_payee_type: 'Customer', native_payee_name: 'Travis Waldron' } },
    ],
    ['146', { currency: 'JPY', exchange_rate: '0.0067', total_cents: 1200000 }],
  ])('%s', (id, expected) => {
    expect(found(id)).toMatchObject({ kind: 'expense', ...expected })
  })

  it('a refund’s lines count negative, and a line has the document’s department and its own class', () => {
    expect(document('143').lines.map(({ amount_cents }) => amount_cents)).toEqual([-999])
    expect(document('142').lines.map(({ dimensions }) => dimensions)).toEqual([{ class: 'Retail', department: 'Berlin' }])
  })
})

describe('bill payments', () => {
  it('their payments by bill; a credit that is used up counts against it', () => {
    expect(found('150')).toMatchObject({
      kind: 'bill_payment',
      payment_type: 'check',
      amount_cents: 10355,
      payment_date: '2026-02-01',
      applied: [{ bill_external_id: '125', amount_cents: 10355 }],
    })
    expect(found('151')).toMatchObject({ payment_type: 'credit_card', currency: 'EUR', exchange_rate: '1.09' })
    expect(found('152')).toMatchObject({
      applied: [
        { bill_external_id: '124', amount_cents: 4000 },
        { bill_external_id: '131', amount_cents: -3000 },
      ],
      metadata: { native_other_links: ['JournalEntry 99'] },
    })
    expect(found('153')).toMatchObject({ is_voided: true, amount_cents: 0, applied: [] })
  })
})

describe('amounts', () => {
  const line = (Amount: unknown) => ({ Id: '1', Amount, DetailType: 'AccountBasedExpenseLineDetail' })

  it.each([
    ['0.285', 29],
    ['-0.285', -29],
    ['1.005', 101],
    ['90071992547409.91', 9007199254740991],
    ['0.1e1', 100],
    ['-0.00', 0],
    ['12', 1200],
  ])('%s is %i cents, by its digits', async (digits, cents) => {
    const books = intuit.company('4621')
    const { LosslessNumber } = await import('lossless-json')
    const TotalAmt = new LosslessNumber(digits)
    const id = books.put('Purchase', { TxnDate: '2026-03-01', TotalAmt, Line: [line(TotalAmt)] })
    const { connector } = await connected(intuit, { realm: '4621' })
    const [record] = await connector.fetchAndTranslate({ entity: 'Purchase', entity_id: id, operation: 'create' }, PATIENT)
    expect(record).toMatchObject({ total_cents: cents, lines: [{ amount_cents: cents, account_external_id: null }] })
  })

  it('a document that cannot be read names itself and what is wrong, not its contents', async () => {
    const id = intuit.company('4622').put('Purchase', { TxnDate: 'secret', TotalAmt: 1 })
    const { connector } = await connected(intuit, { realm: '4622' })
    const read = connector.fetchAndTranslate({ entity: 'Purchase', entity_id: id, operation: 'create' }, PATIENT)
    await expect(read).rejects.toThrow(`QuickBooks sent a Purchase ${id} that cannot be read: TxnDate.`)
  })
})

it('the four functions of the contract', async () => {
  const { connector } = await connected(intuit)
  expect(connector.normalizeAccountType('Something New')).toBe('other')
  expect(['Cash', 'Check', 'CreditCard', 'Crypto'].map((native) => connector.normalizePaymentType(native))).toEqual([
    'cash',
    'check',
    'credit_card',
    'other',
  ])
  const status = (TotalAmt: string, Balance: string) => connector.normalizeBillStatus({ TotalAmt, Balance })
  expect([status('10', '10.00'), status('10', '3'), status('10', '0'), status('0', '0')]).toEqual([
    'open',
    'partial',
    'paid',
    'paid',
  ])
  expect(connector.normalizeBillStatus({})).toBeNull()
  expect(
    connector.extractDimensions({
      AccountBasedExpenseLineDetail: { ClassRef: { value: '1', name: 'Retail' }, CustomerRef: { value: '26' } },
    }),
  ).toEqual({ class: 'Retail', project: '26' })
})

import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { Posting } from '../../src/metrics/ledger/journal.ts'
import { filesOf, LAYOUTS } from '../../src/records/ledger/journal-layouts.ts'
import { journalLines } from '../../src/records/ledger/journal-lines.ts'
import type { JournalLine } from '../../src/records/ledger/rows.ts'

const NOBODY = { customer_id: null, customer_name: null, invoice_id: null, charge_id: null }
const DECEMBER = [{ first: '2025-12-01', last: '2025-12-31', name: '2025-12' }]

function posting(over: Partial<Posting>): Posting {
  return {
    date: '2025-12-31',
    period: 0,
    kind: 'recognition',
    account: 'revenue',
    charge_kind: 'recurring',
    plan: 'pro',
    currency: 'USD',
    subject: NOBODY,
    cents: 0,
    ...over,
  }
}

const RECOGNIZED = [
  posting({ account: 'deferred_revenue', cents: 3000 }),
  posting({ cents: -2000 }),
  posting({ charge_kind: 'usage', plan: 'meter', cents: -1000 }),
]

describe('the lines of a journal', () => {
  it('are one for each account, or for each name that the books have (R21)', () => {
    const plain = journalLines(RECOGNIZED, DECEMBER, { settings: { accounts: {} } })
    expect(
      plain.map(({ entry, account_name, debit_cents, credit_cents }) => [entry, account_name, debit_cents, credit_cents]),
    ).toEqual([
      ['2025-12-recognition-USD', 'Deferred revenue', 3000, 0],
      ['2025-12-recognition-USD', 'Revenue', 0, 3000],
    ])
    const named = journalLines(RECOGNIZED, DECEMBER, {
      settings: { accounts: { revenue: '4000', 'revenue.usage': '4010', deferred_revenue: '2400' } },
    })
    expect(named.map(({ account_name, credit_cents }) => [account_name, credit_cents])).toEqual([
      ['2400', 0],
      ['4000', 2000],
      ['4010', 1000],
    ])
    const byPlan = journalLines(RECOGNIZED, DECEMBER, {
      settings: { accounts: { 'revenue.usage': '4010', 'revenue.meter': '4020' } },
    })
    expect(byPlan.map(({ account_name }) => account_name)).toEqual(['Deferred revenue', '4020', 'Revenue'])
  })

  it('change sides below 0, and are left out at 0', () => {
    const back = RECOGNIZED.map((each) => ({ ...each, cents: -each.cents }))
    expect(
      journalLines(back, DECEMBER, { settings: { accounts: {} } }).map(({ account, debit_cents }) => [account, debit_cents]),
    ).toEqual([
      ['revenue', 3000],
      ['deferred_revenue', 0],
    ])
    expect(journalLines([posting({ cents: 5 }), posting({ cents: -5 })], DECEMBER, { settings: { accounts: {} } })).toEqual([])
  })

  it('fail if an entry does not balance', () => {
    expect(() => journalLines(RECOGNIZED.slice(1), DECEMBER, { settings: { accounts: {} } })).toThrow(
      '2025-12-recognition-USD has a balance of -3000',
    )
  })

  it('have the day of an invoice, and the name of a cut period', () => {
    const subject = { ...NOBODY, customer_id: 'c1', customer_name: 'Acme', invoice_id: 'i1' }
    const paid = [
      posting({ date: '2025-12-03', kind: 'payment', account: 'cash', subject, cents: 700 }),
      posting({ date: '2025-12-03', kind: 'payment', account: 'accounts_receivable', subject, cents: -700 }),
    ]
    expect(journalLines(paid, DECEMBER, { settings: { accounts: {} } })[0]).toMatchObject({
      entry: '2025-12-03-payment-i1',
      customer_name: 'Acme',
    })
    const cut = [{ first: '2025-12-10', last: '2025-12-31', name: '2025-12-10_2025-12-31' }]
    expect(journalLines(RECOGNIZED, cut, { settings: { accounts: {} } })[0]?.entry).toBe('2025-12-10_2025-12-31-recognition-USD')
  })
})

const LINES: readonly JournalLine[] = [
  ...journalLines(RECOGNIZED, DECEMBER, { settings: { accounts: {} } }),
  ...journalLines(
    [
      posting({ kind: 'billing', account: 'accounts_receivable', currency: 'JPY', cents: 120_000 }),
      posting({ kind: 'billing', account: 'deferred_revenue', currency: 'JPY', cents: -120_000 }),
    ],
    DECEMBER,
    { settings: { accounts: {} } },
  ),
]

/** The cells of a file as a strict reader of CSV gives them: each row has each column. */
function readBack(name: keyof typeof LAYOUTS, customer?: string): Record<string, string>[] {
  const { row, write } = LAYOUTS[name]
  const cells = LINES.map((line) => write(line, { accounts: {}, customer }))
  const columns = Object.keys(row.shape)
  const text = [columns, ...cells.map((each) => columns.map((column) => each[column] ?? ''))]
    .map((each) => each.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\r\n')
  return parse(text, { columns: true, record_delimiter: '\r\n' })
}

describe('the layouts of a journal', () => {
  it('QuickBooks: a side for each line, days with the month first, a customer on receivables', () => {
    const rows = readBack('quickbooks', 'Plumbline')
    expect(rows.every((row) => (row['Debits'] === '') !== (row['Credits'] === ''))).toBe(true)
    expect(rows.every((row) => /^(0\d|1[0-2])\/\d\d\/\d{4}$/.test(row['JournalDate'] ?? ''))).toBe(true)
    expect(rows.map((row) => row['Name'])).toEqual(['', '', 'Plumbline', ''])
    for (const no of new Set(rows.map((row) => row['JournalNo']))) {
      const own = rows.filter((row) => row['JournalNo'] === no)
      const total = (column: string) => own.reduce((sum, row) => sum + Number(row[column]), 0)
      expect(total('Debits')).toBe(total('Credits'))
    }
    expect(rows.map((row) => row['Debits'] || row['Credits'])).toEqual(['30.00', '30.00', '1200', '1200'])
  })

  it('Xero: one signed amount that sums to 0 in each journal, and a tax rate', () => {
    const rows = readBack('xero')
    expect(rows.map((row) => row['*Amount'])).toEqual(['30.00', '-30.00', '1200', '-1200'])
    expect(new Set(rows.map((row) => row['*Date']))).toEqual(new Set(['31/12/2025']))
    expect(rows.every((row) => row['*Narration'] !== '' && row['*TaxRate'] !== '' && row['*AccountCode'] !== '')).toBe(true)
  })

  it('NetSuite: an external id, and a line with its account', () => {
    const rows = readBack('netsuite')
    expect(rows[0]).toEqual({
      'External ID': '2025-12-recognition-USD',
      Date: '12/31/2025',
      Currency: 'USD',
      'Journal Entry - Line: Account': 'Deferred revenue',
      'Journal Entry - Line: Debit': '30.00',
      'Journal Entry - Line: Credit': '',
      'Journal Entry - Line: Memo': 'Revenue recognized, 2025-12',
    })
  })

  it('never splits an entry between two files of QuickBooks', () => {
    const [line] = LINES
    if (line === undefined) throw new Error('no line')
    const lines = [300, 699, 2, 1500, 1].flatMap((count, entry) =>
      Array.from({ length: count }, () => ({ ...line, entry: String(entry) })),
    )
    const files = filesOf(lines, LAYOUTS.quickbooks)
    expect(files.map((file) => [file.length, [...new Set(file.map(({ entry }) => entry))].join()])).toEqual([
      [999, '0,1'],
      [2, '2'],
      [1500, '3'],
      [1, '4'],
    ])
    expect(filesOf(lines, LAYOUTS.xero)).toEqual([lines])
  })
})

import * as z from 'zod'
import { amount } from '../../core/amount.ts'
import { unitsOf } from '../../core/currency.ts'
import { groupBy } from '../../core/group-by.ts'
import type { LedgerSettings } from '../../core/ledger-accounts.ts'
import type { JOURNAL_LAYOUTS } from '../../core/ledger-options.ts'
import type { JournalLine } from './rows.ts'

/** Layouts of accounting programs. */
export type Layout = Exclude<(typeof JOURNAL_LAYOUTS)[number], 'plain'>

type Cells = Readonly<Record<string, string | null>>

/** A file that an accounting program imports. */
interface JournalLayout {
  /** The columns in their order. Amounts are decimal text in units. */
  readonly row: z.ZodObject
  /** Most lines of one file. */
  readonly most_lines?: number
  write(line: JournalLine, settings: LedgerSettings): Cells
}

const text = z.string().nullable()
const money = amount(text)

/** The files by layout. An empty cell is null. */
export const LAYOUTS: Readonly<Record<Layout, JournalLayout>> = {
  // QuickBooks Online wants a customer on lines of receivables, and at most 1,000 lines in a file.
  quickbooks: {
    row: z.strictObject({
      JournalNo: text,
      JournalDate: text,
      AccountName: text,
      Debits: money,
      Credits: money,
      Description: text,
      Name: text,
      Currency: text,
    }),
    most_lines: 1000,
    write: (line, { customer }) => ({
      JournalNo: line.entry,
      JournalDate: slashed(line.date, ['month', 'day', 'year']),
      AccountName: line.account_name,
      Debits: units(line.debit_cents, line),
      Credits: units(line.credit_cents, line),
      Description: line.memo,
      Name: line.account === 'accounts_receivable' ? (line.customer_name ?? line.customer_id ?? customer ?? null) : null,
      Currency: line.currency,
    }),
  },
  // Xero has one signed amount, a narration for each journal, and a tax rate on each line.
  xero: {
    row: z.strictObject({
      '*Narration': text,
      '*Date': text,
      Description: text,
      '*AccountCode': text,
      '*TaxRate': text,
      '*Amount': money,
    }),
    write: (line) => ({
      '*Narration': line.entry,
      '*Date': slashed(line.date, ['day', 'month', 'year']),
      Description: line.memo,
      '*AccountCode': line.account_name,
      '*TaxRate': 'Tax Exempt',
      '*Amount': unitsOf(line.debit_cents - line.credit_cents, line.currency),
    }),
  },
  netsuite: {
    row: z.strictObject({
      'External ID': text,
      Date: text,
      Currency: text,
      'Journal Entry - Line: Account': text,
      'Journal Entry - Line: Debit': money,
      'Journal Entry - Line: Credit': money,
      'Journal Entry - Line: Memo': text,
    }),
    write: (line) => ({
      'External ID': line.entry,
      Date: slashed(line.date, ['month', 'day', 'year']),
      Currency: line.currency,
      'Journal Entry - Line: Account': line.account_name,
      'Journal Entry - Line: Debit': units(line.debit_cents, line),
      'Journal Entry - Line: Credit': units(line.credit_cents, line),
      'Journal Entry - Line: Memo': line.memo,
    }),
  },
}

/** The lines of each file of a layout. An entry is never split, so one with more lines than a file may have gets a separate file. */
export function filesOf(lines: readonly JournalLine[], { most_lines }: JournalLayout): readonly (readonly JournalLine[])[] {
  if (most_lines === undefined) return [lines]
  const files: JournalLine[][] = [[]]
  for (const own of groupBy(lines, ({ entry }) => entry).values()) {
    const file = files.at(-1) ?? []
    if (file.length > 0 && file.length + own.length > most_lines) files.push([...own])
    else file.push(...own)
  }
  return files
}

function units(cents: number, { currency }: JournalLine): string | null {
  return cents === 0 ? null : unitsOf(cents, currency)
}

function slashed(day: string, order: readonly ('year' | 'month' | 'day')[]): string {
  const parts = { year: day.slice(0, 4), month: day.slice(5, 7), day: day.slice(8, 10) }
  return order.map((name) => parts[name]).join('/')
}

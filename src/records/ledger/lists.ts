import * as z from 'zod'
import type { AskedSets } from '../../core/definition-sets/sets.ts'
import { InternalError } from '../../core/errors.ts'
import type { AskOptions } from '../../execution/answer/answer.ts'
import type { Question } from '../../execution/pipeline.ts'
import type { ListInputs } from '../../query/lists/request.ts'
import type { ParameterName } from '../../query/parameters.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { BOOKS } from '../../relations/books.ts'
import { JOURNAL_PARAMETERS, journalQuestion } from './journal.ts'
import { OPEN_INVOICE_INPUTS, OPEN_INVOICE_READS, openInvoicesQuestion } from './open-invoices.ts'
import { CHARGE_VERSION, JOURNAL_LINE, OPEN_INVOICE_ROW, SCHEDULE_ROW } from './rows.ts'
import { SCHEDULE_INPUTS, SCHEDULE_READS, scheduleQuestion } from './schedule.ts'

export type LedgerListName = 'open_invoices' | 'schedule' | 'journal'

/** A list of the ledger: everything that the facades say of it. */
interface CommonList {
  readonly name: LedgerListName
  readonly path: string
  readonly command: string
  /** Subject of a sentence about it. */
  readonly title: string
  readonly summary: string
  readonly description: string
  /** Relations without which it cannot be answered. */
  readonly reads: readonly string[]
  readonly answer: z.ZodType
  /** Columns of the text table. JSON and CSV have all columns. */
  readonly shown: readonly string[]
  readonly examples: readonly string[]
  question(params: Raw, spec: Raw, sets: AskedSets, disclosing?: AskOptions['disclosing']): Question<unknown, unknown>
}

/** Its parameters are those of a list of records, or they are named. */
export type LedgerList = CommonList &
  (
    | { readonly inputs: ListInputs; readonly parameters?: undefined }
    | { readonly inputs?: undefined; readonly parameters: readonly ParameterName[] }
  )

const page = (row: z.ZodType) =>
  z.object({
    total: z.number().int(),
    limit: z.number().int(),
    offset: z.number().int(),
    rows: z.array(row).readonly(),
  })

/** Lists of the ledger, by name. */
export const LEDGER_LISTS: readonly LedgerList[] = [
  {
    name: 'open_invoices',
    path: '/api/ledger/open-invoices',
    command: 'ledger open-invoices',
    title: 'the open invoices of a day',
    summary: 'List invoices that were open at the end of a day',
    description:
      'Invoices with an open balance at the end of `at`, oldest first. The answer for a past day stays the same, whatever was paid later. Written-off invoices are not among them. CSV contains the rows of the page.',
    reads: OPEN_INVOICE_READS,
    inputs: OPEN_INVOICE_INPUTS,
    answer: page(OPEN_INVOICE_ROW).meta({ id: 'OpenInvoicePage', description: 'A page of open invoices' }),
    shown: [
      'number',
      'customer_name',
      'issued_on',
      'due_on',
      'days_past_due',
      'age',
      'currency',
      'balance_cents',
      'balance_base_cents',
    ],
    examples: ['ledger open-invoices --at 2025-12-31', 'ledger open-invoices --at yesterday --age over-90 --net-terms 30'],
    question: openInvoicesQuestion,
  },
  {
    name: 'schedule',
    path: '/api/ledger/schedule',
    command: 'ledger schedule',
    title: 'a recognition schedule',
    summary: 'Show how the charges of an invoice or a subscription become revenue',
    description:
      'Each charge by month: its net with the adjustments known at the end of the month, the service days, and what is recognized, deferred and unbilled. `versions` says from which day on the books know a charge with which adjustments. CSV contains the rows of the page.',
    reads: SCHEDULE_READS,
    inputs: SCHEDULE_INPUTS,
    answer: page(SCHEDULE_ROW)
      .extend({ versions: z.array(CHARGE_VERSION).readonly() })
      .meta({ id: 'SchedulePage', description: 'A recognition schedule' }),
    shown: [
      'number',
      'plan',
      'kind',
      'posted_on',
      'month',
      'currency',
      'net_cents',
      'done',
      'whole',
      'recognized_cents',
      'deferred_cents',
      'unbilled_cents',
    ],
    examples: ['ledger schedule --invoice-id 6f3f5b5a-…', 'ledger schedule --subscription-id 0b1d… --spread month'],
    question: scheduleQuestion,
  },
  {
    name: 'journal',
    path: '/api/ledger/journal',
    command: 'ledger journal',
    title: 'the journal',
    summary: 'Write the journal of a range',
    description:
      'Entries that together move the trial balance as the range did. Without `currency`, amounts are in the base currency. `layout` gives CSV and workbooks the columns that an accounting program imports; amounts are then in units.',
    reads: BOOKS,
    parameters: JOURNAL_PARAMETERS,
    answer: z.array(JOURNAL_LINE).readonly(),
    shown: ['date', 'entry', 'account_name', 'currency', 'debit_cents', 'credit_cents', 'memo'],
    examples: [
      'ledger journal --start 2025-12-01 --end 2025-12-31',
      'ledger journal --range last-month --layout quickbooks --format csv --output journal.csv',
    ],
    question: journalQuestion,
  },
]

/** The list with this name. InternalError for another. */
export function ledgerListNamed(name: LedgerListName): LedgerList {
  const list = LEDGER_LISTS.find((each) => each.name === name)
  if (list === undefined) throw new InternalError(`there is no list of the ledger named "${name}"`)
  return list
}

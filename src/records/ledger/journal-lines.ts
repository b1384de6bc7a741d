import { InternalError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { ACCOUNT_NAMES, type LedgerSettings, nameInBooks, POSTED_ACCOUNTS } from '../../core/ledger-accounts.ts'
import type { BookPeriod } from '../../metrics/ledger/days.ts'
import { ENTRY_KINDS, type EntryKind, type Posting } from '../../metrics/ledger/journal.ts'
import { compareValues } from '../../query/order.ts'
import type { JournalLine } from './rows.ts'

const MEMOS: Readonly<Record<EntryKind, string>> = {
  billing: 'Billed',
  recognition: 'Revenue recognized',
  unbilled: 'Recognized and not yet billed',
  credit: 'Credit',
  payment: 'Payments',
  refund: 'Refunds',
  chargeback: 'Chargebacks',
  write_off: 'Written off',
  void: 'Invoices voided',
  transfer: 'Taken over by parent accounts',
  fx: 'Exchange rate differences',
}

/** A period of a journal, with how ids of entries name it. */
export interface JournalPeriod extends BookPeriod {
  readonly name: string
}

/** The names of accounts, and the tenants that the journal is about, for ids of entries. */
interface JournalOptions {
  readonly settings: LedgerSettings
  readonly of?: string
}

/**
 * The lines of a journal by day, kind and entry, debits first. An amount below 0 changes sides, and a line of 0 is left out. InternalError if an entry does
 * not balance.
 */
export function journalLines(
  postings: readonly Posting[],
  periods: readonly JournalPeriod[],
  { settings, of = '' }: JournalOptions,
): readonly JournalLine[] {
  const suffix = of === '' ? '' : `-${of}`
  const entries = groupBy(postings, (posting) => `${posting.date} ${entryOf(posting, periods)}`)
  return [...entries.values()]
    .map((own) => linesOf(own, periods, settings).map((line) => ({ ...line, entry: `${line.entry}${suffix}` })))
    .filter((lines) => lines.length > 0)
    .sort(([a], [b]) => compareLines(a, b))
    .flat()
}

/** The id of the entry of a posting. */
function entryOf(posting: Posting, periods: readonly JournalPeriod[]): string {
  const { kind, currency, date, period, subject } = posting
  const own =
    subject.charge_id ?? subject.invoice_id ?? (subject.customer_id === null ? null : `${subject.customer_id}-${currency}`)
  // The entries of a single invoice have its day.
  const isOfDay = own !== null && !OF_PERIODS.includes(kind)
  return `${isOfDay ? date : (periods[period]?.name ?? date)}-${kind}-${own ?? currency}`
}

/** Entries of whole periods, even if they are about one charge or invoice. */
const OF_PERIODS: readonly EntryKind[] = ['recognition', 'unbilled', 'write_off', 'fx']

function linesOf(
  postings: readonly Posting[],
  periods: readonly JournalPeriod[],
  settings: LedgerSettings,
): readonly JournalLine[] {
  const [first] = postings
  if (first === undefined) return []
  const balance = postings.reduce((sum, { cents }) => sum + cents, 0)
  const entry = entryOf(first, periods)
  if (balance !== 0) throw new InternalError(`the entry ${entry} has a balance of ${balance}`)
  const accounts = groupBy(postings, (posting) => JSON.stringify([posting.account, accountName(posting, settings)]))
  const lines = [...accounts.values()].flatMap((own): readonly JournalLine[] => {
    const [posting = first] = own
    const { account, kind, date, currency, subject } = posting
    const cents = own.reduce((sum, one) => sum + one.cents, 0)
    if (cents === 0) return []
    return [
      {
        entry,
        date,
        kind,
        account,
        account_name: accountName(posting, settings),
        currency,
        debit_cents: Math.max(cents, 0),
        credit_cents: Math.max(0 - cents, 0),
        memo: memoOf(first, periods),
        customer_id: subject.customer_id,
        customer_name: subject.customer_name,
        invoice_id: subject.invoice_id,
      },
    ]
  })
  return lines.sort(
    (a, b) =>
      Number(a.debit_cents === 0) - Number(b.debit_cents === 0) ||
      POSTED_ACCOUNTS.indexOf(a.account) - POSTED_ACCOUNTS.indexOf(b.account) ||
      compareValues(a.account_name, b.account_name),
  )
}

function accountName(posting: Posting, settings: LedgerSettings): string {
  return nameInBooks(settings, posting.account, posting) ?? ACCOUNT_NAMES[posting.account]
}

function memoOf({ kind, date, period, subject }: Posting, periods: readonly JournalPeriod[]): string {
  if (subject.invoice_id !== null) return `${MEMOS[kind]}: invoice ${subject.invoice_id}`
  return `${MEMOS[kind]}, ${periods[period]?.name ?? date}`
}

function compareLines(a: JournalLine | undefined, b: JournalLine | undefined): number {
  if (a === undefined || b === undefined) return 0
  return (
    compareValues(a.date, b.date) || ENTRY_KINDS.indexOf(a.kind) - ENTRY_KINDS.indexOf(b.kind) || compareValues(a.entry, b.entry)
  )
}

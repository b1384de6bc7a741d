import { localDay } from './local-days.ts'

type Cells = Readonly<Record<string, string | number | boolean | null | undefined>>
type Rows = (table: string) => readonly Cells[]

/** An invoice with its attempts, in loops over the stored rows (R27). Written-off invoices and chargebacks do not occur. */
export interface Collected {
  readonly invoice_id: string
  readonly currency: string
  readonly issued_on: string
  /** Days of its attempts, whether they failed, and the cents that they asked for, in their order. */
  readonly attempts: readonly { readonly at: string; readonly on: string; readonly failed: boolean; readonly cents: number }[]
  /** The amount that is open at the end of a day, and the payments of the day. */
  readonly days: readonly { readonly on: string; readonly open: number; readonly paid: number }[]
  /** True if its account pays it, and not a parent. */
  readonly paysItself: boolean
  readonly account: Cells
}

const FAILED: readonly unknown[] = ['PAYMENT_FAILURE', 'PLUGIN_FAILURE', 'PAYMENT_SYSTEM_OFF']
const TEST = '00000000-0000-0000-0000-000000000006'
const cents = (amount: unknown) => Math.round(Number(amount) * 100)
const later = (one: string, other: string) => (one > other ? one : other)

/** Every invoice of the books with its attempts and balances, by account. */
export function collectedOf(rows: Rows, now: string): readonly Collected[] {
  const tested = new Set(
    rows('tags')
      .filter((tag) => tag['tag_definition_id'] === TEST && tag['is_active'] === true)
      .map((tag) => tag['object_id']),
  )
  const found: Collected[] = []
  for (const account of rows('accounts')) {
    if (tested.has(account['id'])) continue
    const own = rows('invoices').filter((invoice) => invoice['account_record_id'] === account['record_id'])
    for (const invoice of own) {
      const collected = collect(rows, account, invoice, now)
      if (collected !== undefined) found.push(collected)
    }
  }
  return found
}

function collect(rows: Rows, account: Cells, invoice: Cells, now: string): Collected | undefined {
  if (invoice['status'] === 'DRAFT' || invoice['migrated'] === true) return undefined
  const history = rows('invoice_history').filter((row) => row['target_record_id'] === invoice['record_id'])
  const first = (status: string) =>
    history
      .filter((row) => row['status'] === status)
      .map((row) => String(row['created_date']))
      .sort()[0]
  const wasDraft = first('DRAFT') !== undefined
  const committed = wasDraft ? (first('COMMITTED') ?? null) : String(invoice['created_date'])
  if (committed === null || committed > now) return undefined
  const issued_on = later(localDay(account, committed), String(invoice['invoice_date']))
  const voidedAt = invoice['status'] === 'VOID' ? first('VOID') : undefined
  const gone = voidedAt === undefined ? undefined : localDay(account, voidedAt)
  const changes: { on: string; amount: number; paid: number }[] = []
  for (const item of rows('invoice_items').filter((row) => row['invoice_id'] === invoice['id'])) {
    const on = later(localDay(account, item['created_date']), issued_on)
    changes.push({ on, amount: cents(item['amount']), paid: 0 })
    if (gone !== undefined) changes.push({ on: gone, amount: -cents(item['amount']), paid: 0 })
  }
  const payments = rows('invoice_payments').filter((row) => row['invoice_id'] === invoice['id'])
  for (const payment of payments) {
    if (payment['status'] !== 'SUCCESS' || String(payment['payment_date']) > now) continue
    const amount = cents(payment['amount'])
    const on = localDay(account, payment['payment_date'])
    changes.push({ on, amount: -amount, paid: payment['type'] === 'ATTEMPT' ? amount : 0 })
  }
  return {
    invoice_id: String(invoice['id']),
    currency: String(invoice['currency']),
    issued_on,
    account,
    attempts: attemptsOf(rows, account, payments, now),
    days: daysOf(changes),
    paysItself: !(account['is_payment_delegated_to_parent'] === true && typeof account['parent_account_id'] === 'string'),
  }
}

function attemptsOf(rows: Rows, account: Cells, payments: readonly Cells[], now: string): Collected['attempts'] {
  const ids = new Set(payments.filter((row) => row['type'] === 'ATTEMPT').map((row) => row['payment_id']))
  return rows('payment_transactions')
    .filter((row) => ids.has(row['payment_id']) && row['transaction_type'] === 'PURCHASE' && String(row['effective_date']) <= now)
    .toSorted((a, b) =>
      String(a['effective_date']) === String(b['effective_date'])
        ? Number(a['record_id']) - Number(b['record_id'])
        : String(a['effective_date']) < String(b['effective_date'])
          ? -1
          : 1,
    )
    .map((row) => ({
      at: String(row['effective_date']),
      on: localDay(account, row['effective_date']),
      failed: FAILED.includes(row['transaction_status']),
      cents: cents(row['amount']),
    }))
}

function daysOf(changes: readonly { on: string; amount: number; paid: number }[]): Collected['days'] {
  let open = 0
  return [...new Set(changes.map(({ on }) => on))].sort().map((on) => {
    const ofDay = changes.filter((change) => change.on === on)
    for (const { amount } of ofDay) open += amount
    return { on, open, paid: ofDay.reduce((sum, { paid }) => sum + paid, 0) }
  })
}

/** Days from the failed first attempt until a payment paid the invoice in full; undefined if that did not happen. */
export function daysToPay({ attempts, days }: Collected): number | undefined {
  const [first] = attempts
  if (first === undefined || !first.failed) return undefined
  const settled = days.find(({ on, open }) => on >= first.on && open <= 0)
  if (settled === undefined || settled.open + settled.paid <= 0) return undefined
  return (Date.parse(settled.on) - Date.parse(first.on)) / 86_400_000
}

/** The numbers of R27 over some invoices that have the same month. */
export function collectionNumbers(invoices: readonly Collected[], window: number) {
  const attempted = invoices.filter(({ attempts }) => attempts.length > 0)
  const refused = attempted.filter(({ attempts }) => attempts[0]?.failed === true)
  const recovered = refused
    .map(daysToPay)
    .filter((days) => days !== undefined && days <= window)
    .map(Number)
    .sort((a, b) => a - b)
  const attempts = attempted.flatMap((invoice) => invoice.attempts)
  const [low, high] = [recovered[Math.floor((recovered.length - 1) / 2)], recovered[Math.floor(recovered.length / 2)]]
  return {
    invoices_attempted: attempted.length,
    first_attempt_failed: refused.length,
    first_attempt_failed_amount: refused.reduce((sum, { attempts: [first] }) => sum + (first?.cents ?? 0), 0),
    recovered: recovered.length,
    recovery_rate: refused.length === 0 ? null : Math.round((1e6 * recovered.length) / refused.length) / 1e6,
    median_days_to_recover: low === undefined || high === undefined ? null : (low + high) / 2,
    attempts: attempts.length,
    failed_attempts: attempts.filter(({ failed }) => failed).length,
    never_attempted: invoices.filter((invoice) => isUntried(invoice)).length,
  }
}

function isUntried({ attempts, days, paysItself }: Collected): boolean {
  return attempts.length === 0 && paysItself && (days.at(-1)?.open ?? 0) > 0
}

/** The month of an invoice: that of its first attempt, or of its issue if it has none. */
export function monthOf({ attempts, issued_on }: Collected): string {
  return `${(attempts[0]?.on ?? issued_on).slice(0, 7)}-01`
}

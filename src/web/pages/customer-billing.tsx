import { type Row, rowsOf, textIn, totalOf, useAnswer } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { dayOf, formatDay, periodStart } from '../format/days.ts'
import { Dash, Figure } from '../format/figure.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import { sumOf } from '../parts/table-order.ts'
import type { CustomerDetail } from './customer.tsx'
import { OPEN } from './open-invoices.tsx'

const TITLE = 'Billing'
const PATH = '/api/invoices'
const RENEWALS = '/api/subscriptions/renewals'
/** The API knows renewals of the next five years. */
const MONTHS_AHEAD = 48
/** The API's limit for a list. */
const MOST_INVOICES = 1_000

/** The sum that a customer paid and its open balance in the currency of its invoices, its first and latest invoice, and next renewal. */
export function CustomerBilling({ customer }: { customer: CustomerDetail }) {
  const { id } = customer
  const { today = dayOf(new Date()), currency } = useNow()
  const own = { customer_id: id }
  const invoices = useAnswer({ path: PATH, query: { ...own, order: 'invoice_date', limit: MOST_INVOICES } })
  const renewals = useAnswer({ path: RENEWALS, query: { ...own, end: periodStart(today, 'month', MONTHS_AHEAD), limit: 1 } })
  const renewal = textIn(rowsOf(renewals.data?.data)[0], 'renews_on')
  const listed = rowsOf(invoices.data?.data)
  const isWhole = invoices.data !== undefined && (totalOf(invoices.data) ?? listed.length) <= listed.length
  const latest = useAnswer(
    invoices.data === undefined || isWhole ? undefined : { path: PATH, query: { ...own, order: '-invoice_date', limit: 1 } },
  )
  const currencies = new Set(listed.map((row) => textIn(row, 'currency')))
  const canAdd = isWhole && currencies.size === 1
  const paid = canAdd ? (sumOf('amount_paid_cents', listed) ?? null) : null
  const ofOpen = listed.filter((row) => row['days_open'] !== null)
  const open = canAdd ? (sumOf('balance_cents', ofOpen) ?? 0) : null
  const invoiced = textIn(listed[0], 'currency') ?? currency
  const reason = listed.length === 0 ? 'No invoices.' : 'Too many invoices, or several currencies, to add up here.'
  return (
    <section className="card" aria-label={TITLE}>
      <h2>{TITLE}</h2>
      <dl className="facts">
        <dt>Paid to date</dt>
        <dd>
          <Amount
            value={paid}
            currency={invoiced}
            reason={reason}
            drill={{
              title: 'Payments by invoice, net of refunds',
              question: { path: PATH, query: { ...own, order: '-invoice_date' } },
              fields: ['number', 'invoice_date', 'status', 'total_cents', 'amount_paid_cents'],
              sum: 'amount_paid_cents',
              note: 'A payment counts after its refunds. Credit that settles an invoice is no payment.',
            }}
          />
        </dd>
        <dt>Open balance</dt>
        <dd>
          <Amount
            value={open}
            currency={invoiced}
            reason={reason}
            drill={{
              title: 'Open invoices',
              question: { path: PATH, query: { ...own, ...OPEN } },
              fields: ['number', 'invoice_date', 'days_open', 'balance_cents', 'balance_base_cents'],
              sum: 'balance_cents',
            }}
          />
        </dd>
        <dt>First invoice</dt>
        <dd>{dayOfInvoice(listed[0])}</dd>
        <dt>Latest invoice</dt>
        <dd>{dayOfInvoice(isWhole ? listed.at(-1) : rowsOf(latest.data?.data)[0])}</dd>
        <dt>Next renewal</dt>
        <dd>
          {renewal === null ? (
            <Dash reason="No subscription renews on a day to come." />
          ) : (
            <span title="The first day of the next billed period, or after a fixed term">{formatDay(renewal)}</span>
          )}
        </dd>
      </dl>
    </section>
  )
}

interface AmountProps {
  readonly value: number | null
  readonly currency: string
  readonly reason: string
  readonly drill: Drill
}

function Amount({ value, currency, reason, drill }: AmountProps) {
  const figure = <Figure value={value} unit="money" currency={currency} precise reason={reason} />
  return value === null || value === 0 ? figure : <DrillButton drill={drill}>{figure}</DrillButton>
}

function dayOfInvoice(invoice: Row | undefined) {
  const day = textIn(invoice, 'invoice_date')
  return day === null ? <Dash reason="No invoices." /> : formatDay(day)
}

import { numberIn, type Row, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { dayOf, formatDay } from '../format/days.ts'
import { Dash, Figure } from '../format/figure.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import type { CustomerDetail } from './customer.tsx'

const TITLE = 'Billing'
const PATH = '/api/invoices'

/** The sum that a customer paid, its open balance, first and latest invoice, and next renewal. */
export function CustomerBilling({ customer }: { customer: CustomerDetail }) {
  const { id } = customer
  const { today = dayOf(new Date()), currency } = useNow()
  const own = { customer_id: id }
  const paid = useAnswer({
    path: '/api/metrics/ltv/cohort',
    query: { start: beginningOf(customer), end: today, filter: [`customer_id=${id}`] },
  })
  const ages = useAnswer({ path: '/api/invoices/ages', query: own })
  const first = useAnswer({ path: PATH, query: { ...own, order: 'invoice_date', limit: 1 } })
  const latest = useAnswer({ path: PATH, query: { ...own, order: '-invoice_date', limit: 1 } })
  const renewal = nextRenewal(customer, today)
  // The answer has a row for each month. The customer is in one of them, or in none if it never had MRR.
  const total = sumOf(
    rowsOf(paid.data?.data).filter((row) => row['customer_count'] !== 0),
    'total_revenue',
  )
  const open = sumOf(rowsOf(ages.data?.data), 'balance_base_cents')
  return (
    <section className="card" aria-label={TITLE}>
      <h2>{TITLE}</h2>
      <dl className="facts">
        <dt>Paid to date</dt>
        <dd>
          <Amount
            value={total}
            currency={currency}
            reason="Only customers that had MRR have this sum."
            drill={{
              title: 'Paid invoices',
              question: { path: PATH, query: { ...own, status: 'paid' } },
              fields: ['number', 'invoice_date', 'paid_at', 'total_cents', 'total_base_cents'],
              note: 'The sum counts each invoice in full when it is paid, at the exchange rate of that day.',
            }}
          />
        </dd>
        <dt>Open balance</dt>
        <dd>
          <Amount
            value={open}
            currency={currency}
            reason="An exchange rate is missing."
            drill={{
              title: 'Open invoices',
              question: { path: PATH, query: { ...own, status: 'open' } },
              fields: ['number', 'invoice_date', 'days_open', 'balance_cents', 'balance_base_cents'],
              sum: 'balance_base_cents',
            }}
          />
        </dd>
        <dt>First invoice</dt>
        <dd>{dayOfInvoice(rowsOf(first.data?.data)[0])}</dd>
        <dt>Latest invoice</dt>
        <dd>{dayOfInvoice(rowsOf(latest.data?.data)[0])}</dd>
        <dt>Next renewal</dt>
        <dd>
          {renewal === undefined ? (
            <Dash reason="No active subscription is charged through a day to come." />
          ) : (
            <span title="The day through which the billing engine has charged">{formatDay(renewal)}</span>
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

/** The sum of a field. Null without rows, or if a part is unknown. */
function sumOf(rows: readonly Row[], field: string): number | null {
  const parts = rows.map((row) => numberIn(row, field))
  return parts.length === 0 || parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
}

function dayOfInvoice(invoice: Row | undefined) {
  const day = textIn(invoice, 'invoice_date')
  return day === null ? <Dash reason="No invoices." /> : formatDay(day)
}

/** The earliest day that is known of a customer. A subscription can begin before its account, if it was entered later. */
function beginningOf({ created_at, first_active_at, subscriptions }: CustomerDetail): string {
  const starts = [created_at, first_active_at ?? created_at, ...subscriptions.map(({ started_at }) => started_at)]
  return starts.sort()[0]?.slice(0, 10) ?? created_at.slice(0, 10)
}

/** The first day to come through which a subscription that goes on is charged. */
function nextRenewal({ subscriptions }: CustomerDetail, today: string): string | undefined {
  const days = subscriptions.flatMap(({ charged_through, ended_at, pending_cancellation }) =>
    charged_through === null || ended_at !== null || pending_cancellation || charged_through < today ? [] : [charged_through],
  )
  return days.sort()[0]
}

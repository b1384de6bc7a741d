import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { currencyOf, useAnswer, useWhy, type Why } from '../api/use-answer.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf, valueLabel } from '../format/labels.ts'
import { ratePartText } from '../format/rate-part.ts'
import { AnsweredCard } from '../parts/card.tsx'
import { Instant } from '../parts/instant.tsx'
import type { CustomerDetail } from './customer.tsx'
import { leftOutOf } from './timeline-limits.ts'
import { newestFirst } from './timeline-order.ts'

const MOST = 200
const FIRST = 25
const HEIGHT = 320
const TITLE = 'Timeline'

/** Events of a customer, newest first: MRR movements, subscriptions, trials, invoices and payments. */
export function CustomerTimeline({ customer }: { customer: CustomerDetail }) {
  const [isWhole, setWhole] = useState(false)
  const { question, answer, why } = useWhy({ range: 'all', filter: [`customer_id=${customer.id}`], limit: MOST })
  const invoiced = useAnswer({
    path: '/api/invoices',
    query: { customer_id: customer.id, limit: MOST },
  })
  const invoices = invoiced.data?.data as components['schemas']['InvoicePage'] | undefined
  const currency = currencyOf(answer.data)
  const { movers = [] } = why ?? {}
  const { rows = [], total } = invoices ?? {}
  const events = timelineOf(customer, movers, rows, currency)
  const leftOut = leftOutOf(MOST, { listed: movers.length }, { listed: rows.length, total })
  return (
    <AnsweredCard title={TITLE} question={question} answer={answer} height={HEIGHT}>
      <ul className="movers">
        {events.slice(0, isWhole ? undefined : FIRST).map(({ at, kind, text, amount, isChange = false, currency: own }) => (
          <li key={`${at} ${kind} ${text} ${amount}`}>
            <span className={`tag is-${kind}`}>{labelOf(kind)}</span>
            <span className="mover-name">
              {text}{' '}
              <span className="muted">
                <Instant text={at} />
              </span>
            </span>
            {amount !== undefined && <Figure value={amount} unit="money" currency={own ?? currency} signed={isChange} precise />}
          </li>
        ))}
      </ul>
      {!isWhole && events.length > FIRST && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show all {events.length}
        </button>
      )}
      {leftOut !== undefined && <p className="muted">{leftOut}</p>}
    </AnsweredCard>
  )
}

type Mover = Why['movers'][number]
type Invoice = components['schemas']['Invoice']

/** An event of a customer. */
interface TimelineEvent {
  readonly at: string
  readonly kind: string
  readonly text: string
  readonly amount?: number
  /** Currency of the amount, if it differs from the currency of movements. */
  readonly currency?: string | null
  /** Whether the amount is a difference. */
  readonly isChange?: boolean
}

/** All known events, newest first. */
function timelineOf(
  customer: CustomerDetail,
  movers: readonly Mover[],
  invoices: readonly Invoice[],
  currency: string,
): readonly TimelineEvent[] {
  const events = [
    ...movers.map((mover) => movementOf(mover, currency)),
    ...invoices.flatMap(invoiceEvents),
    ...subscriptionEvents(customer),
    { at: customer.created_at, kind: 'created', text: 'Account created' },
  ]
  return newestFirst(events)
}

function movementOf(mover: Mover, currency: string): TimelineEvent {
  const { occurred_at, movement_type, amount_base } = mover
  const ratePart = ratePartText(mover, currency)
  return {
    at: occurred_at,
    kind: movement_type,
    text: ratePart === undefined ? deedOf(mover) : `${deedOf(mover)} (${ratePart})`,
    amount: amount_base,
    isChange: true,
  }
}

/**
 * The action, such as “Paused pro-monthly”. This is the API's sentence without name, day and amount, which the list shows anyway.
 */
function deedOf({ text, customer_name, customer_id, plan_id }: Mover): string {
  const who = `${customer_name ?? customer_id} `
  const end = /^.*(?= on \d{4}-\d{2}-\d{2}: )/s.exec(text)?.[0].length ?? 0
  if (!text.startsWith(who) || end <= who.length) return plan_id ?? 'Subscription'
  const deed = text.slice(who.length, end)
  return deed.charAt(0).toUpperCase() + deed.slice(1)
}

function invoiceEvents(invoice: Invoice): readonly TimelineEvent[] {
  const { number, currency, created_at, paid_at, voided_at, total_cents, amount_paid_cents } = invoice
  const name = `Invoice ${number ?? ''}`.trim()
  return [
    {
      at: created_at,
      kind: 'invoice',
      text: name,
      amount: total_cents,
      currency,
    },
    ...(paid_at === null ? [] : [paymentOf(name, paid_at, amount_paid_cents, currency)]),
    ...(voided_at === null ? [] : [{ at: voided_at, kind: 'voided', text: `${name} voided` }]),
  ]
}

// Credit can settle an invoice without a payment.
function paymentOf(name: string, at: string, amount: number, currency: string | null): TimelineEvent {
  if (amount === 0) return { at, kind: 'settled', text: `${name} settled` }
  return { at, kind: 'payment', text: `${name} paid`, amount, currency }
}

/** Events that do not move MRR themselves. */
function subscriptionEvents({ subscriptions }: CustomerDetail): readonly TimelineEvent[] {
  return subscriptions.flatMap((subscription) => {
    const { plan_name, quantity, started_at, trial_start, trial_end, canceled_at, pending_cancellation, ended_at } = subscription
    const plan = plan_name ?? 'Subscription'
    const { cancel_reason } = subscription
    const reason = cancel_reason === null ? '' : ` (${valueLabel(cancel_reason, 'cancel_reason')})`
    const steps = [
      {
        at: started_at,
        kind: 'subscription',
        text: `${plan} started${quantity === 1 ? '' : `, quantity ${quantity}`}`,
      },
      { at: trial_start, kind: 'trial', text: `${plan}: trial started` },
      { at: trial_end, kind: 'trial', text: `${plan}: trial ends` },
      {
        at: pending_cancellation ? canceled_at : null,
        kind: 'canceling',
        text: `${plan}: cancellation requested${reason}`,
      },
      { at: ended_at, kind: 'ended', text: `${plan} ended${reason}` },
    ]
    return steps.flatMap(({ at, ...step }) => (at === null ? [] : [{ at, ...step }]))
  })
}

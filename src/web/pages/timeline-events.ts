import type { components } from '../../client/index.ts'
import type { Why } from '../api/use-why.ts'
import type { CustomerDetail } from './customer.tsx'

type Mover = Why['movers'][number]
type Invoice = components['schemas']['Invoice']

/** Something that happened to a customer. */
export interface TimelineEvent {
  readonly at: string
  readonly kind: string
  readonly text: string
  readonly amount?: number
  /** Of the amount, where it is not in the currency that movements are in. */
  readonly currency?: string | null
  /** Whether the amount is a difference. */
  readonly isChange?: boolean
}

/** All that is known to have happened, the newest first. */
export function timelineOf(
  customer: CustomerDetail,
  movers: readonly Mover[],
  invoices: readonly Invoice[],
): readonly TimelineEvent[] {
  const events = [
    ...movers.map(movementOf),
    ...invoices.flatMap(invoiceEvents),
    ...subscriptionEvents(customer),
    { at: customer.created_at, kind: 'created', text: 'Account created' },
  ]
  return events.sort((one, other) => other.at.localeCompare(one.at))
}

function movementOf(mover: Mover): TimelineEvent {
  const { occurred_at, movement_type, amount_base } = mover
  return {
    at: occurred_at,
    kind: movement_type,
    text: deedOf(mover),
    amount: amount_base,
    isChange: true,
  }
}

/** What was done, such as “paused pro-monthly”: the API's sentence without the name, day and amount that stand beside it anyway. */
function deedOf({ text, customer_name, customer_id, occurred_at, plan_id }: Mover): string {
  const who = `${customer_name ?? customer_id} `
  const end = text.lastIndexOf(` on ${occurred_at.slice(0, 10)}: `)
  return text.startsWith(who) && end > who.length ? text.slice(who.length, end) : (plan_id ?? 'Subscription')
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

// An invoice may be settled by credit alone, without a payment.
function paymentOf(name: string, at: string, amount: number, currency: string | null): TimelineEvent {
  if (amount === 0) return { at, kind: 'settled', text: `${name} settled` }
  return { at, kind: 'payment', text: `${name} paid`, amount, currency }
}

/** What moves no MRR by itself. */
function subscriptionEvents({ subscriptions }: CustomerDetail): readonly TimelineEvent[] {
  return subscriptions.flatMap((subscription) => {
    const { plan_name, quantity, started_at, trial_start, trial_end, canceled_at, pending_cancellation, ended_at } = subscription
    const plan = plan_name ?? 'Subscription'
    const reason = subscription.cancel_reason === null ? '' : ` (${subscription.cancel_reason})`
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

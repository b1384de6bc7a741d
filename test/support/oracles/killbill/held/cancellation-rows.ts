import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { groupBy } from '../fold/group.ts'
import type { AccountRows, EventRow, SubscriptionRow } from '../fold/rows.ts'
import type { Details } from './details.ts'

interface Cancel {
  readonly event: EventRow
  readonly subscription: SubscriptionRow
  readonly reason: string | null
}

/** The first active CANCEL of each subscription, including a future one (D46). */
export function firstCancels(rows: AccountRows): ReadonlyMap<string, EventRow> {
  const first = new Map<string, EventRow>()
  for (const event of rows.events) {
    if (!event.is_active || event.user_type !== 'CANCEL') continue
    const known = first.get(event.subscription_id)
    if (known === undefined || compare(event, known) < 0) first.set(event.subscription_id, event)
  }
  return first
}

function compare(a: EventRow, b: EventRow): number {
  if (a.effective_date !== b.effective_date) return a.effective_date < b.effective_date ? -1 : 1
  return a.record_id - b.record_id
}

/**
 * Rows of `cancellation` (D46). Each CANCEL applies to its own subscription. The CANCEL of a base also applies to its add-ons.
 */
export function cancellationRows(rows: AccountRows, details: Details): Row[] {
  const cancels = firstCancels(rows)
  const reasoned = rows.subscriptions.flatMap((subscription): Cancel[] => {
    const event = cancels.get(subscription.id)
    if (event === undefined) return []
    const reason = details.stated.get(subscription.id) || details.audited.get(event.record_id) || null
    return [{ event, subscription, reason }]
  })
  const reaching = rows.subscriptions.flatMap((affected) => {
    const own = reasoned.filter((cancel) => reaches(cancel, affected))
    return [...groupBy(own, (cancel) => cancel.event.effective_date).values()].map((same) =>
      rowOf(affected, nearest(same, affected)),
    )
  })
  const last = new Set([...groupBy(reaching, (row) => row.effective_at).values()].map(newest))
  return reaching.map((row) => ({ ...row, customer_key: rows.account.record_id, is_last: last.has(row) }))
}

function reaches({ subscription }: Cancel, affected: SubscriptionRow): boolean {
  if (subscription.id === affected.id) return true
  return subscription.bundle_id === affected.bundle_id && subscription.category === 'BASE' && affected.category === 'ADD_ON'
}

/** Picks one of several cancellations at one instant. Order: those with a reason, the subscription's own, the first written. */
function nearest(cancels: readonly Cancel[], affected: SubscriptionRow): Cancel {
  const rank = ({ reason, subscription, event }: Cancel): readonly number[] => [
    reason === null ? 1 : 0,
    subscription.id === affected.id ? 0 : 1,
    event.record_id,
  ]
  return cancels.reduce((best, cancel) => (isBefore(rank(cancel), rank(best)) ? cancel : best))
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}

function rowOf(affected: SubscriptionRow, { event, reason }: Cancel) {
  return {
    subscription_id: affected.id,
    requested_at: event.created_date,
    effective_at: event.effective_date,
    cancel_reason: reason,
    record_id: event.record_id,
  }
}

type Reaching = ReturnType<typeof rowOf>

function newest(rows: readonly Reaching[]): Reaching | undefined {
  return [...rows].sort((a, b) => b.record_id - a.record_id || (a.subscription_id < b.subscription_id ? -1 : 1))[0]
}

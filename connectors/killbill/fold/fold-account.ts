import { blocksOf } from './blocks.ts'
import type { FoldContext } from './context.ts'
import { baseEndOf, earliestEnd, type Member, ownEndOf, transferEndOf } from './ends.ts'
import { orderEvents } from './events.ts'
import { groupBy } from './group.ts'
import { ledgerOf, type PaidInvoice, paidInvoicesOf } from './paid-invoices.ts'
import { type Life, piecesOf } from './pieces.ts'
import { type AccountRows, type SubscriptionRow, TAG_TEST } from './rows.ts'
import type { Span } from './span.ts'
import { spansOf } from './spans.ts'
import { startOf, statesOf } from './state.ts'
import { type Trial, trialOf } from './trials.ts'
import { type UsageCharge, usageChargesOf } from './usage.ts'

/** Everything that the rows of one account say, in the order of its subscriptions' record_id. */
export interface FoldedAccount {
  readonly spans: readonly Span[]
  readonly trials: readonly Trial[]
  readonly paid_invoices: readonly PaidInvoice[]
  readonly usage_charges: readonly UsageCharge[]
}

const NOTHING: FoldedAccount = { spans: [], trials: [], paid_invoices: [], usage_charges: [] }

/** Folds one account by definitions.md, one rule per function; a TEST account yields nothing (D16). */
export function foldAccount(rows: AccountRows, context: FoldContext): FoldedAccount {
  if (context.definitions.test_accounts === 'exclude' && isTestAccount(rows)) return NOTHING
  const ledger = ledgerOf(rows, context.now)
  const paid = paidInvoicesOf(ledger, context.parents)
  const adjustments = rows.invoice_items.filter((item) => item.type === 'ITEM_ADJ' && item.created_date <= context.now)
  const charges = usageChargesOf(ledger, paid, adjustments)
  const folded = livesOf(rows, charges, context).map(({ life, subscription }) => {
    const pieces = piecesOf(life, context)
    return { spans: spansOf(life, pieces, context), trials: trialOf(life, pieces, subscription) }
  })
  return {
    spans: folded.flatMap((one) => one.spans),
    trials: folded.flatMap((one) => one.trials ?? []),
    paid_invoices: paid,
    usage_charges: charges,
  }
}

/** D16: the account now carries the control tag TEST. */
export function isTestAccount({ account, tags }: AccountRows): boolean {
  return tags.some(
    (tag) => tag.is_active && tag.object_type === 'ACCOUNT' && tag.object_id === account.id && tag.tag_definition_id === TAG_TEST,
  )
}

interface Lived {
  readonly life: Life
  readonly subscription: SubscriptionRow
}

function livesOf(rows: AccountRows, charges: readonly UsageCharge[], context: FoldContext): Lived[] {
  const members = membersOf(rows, context)
  const bundles = groupBy(members.values(), (member) => member.bundle_id)
  const chargesOf = groupBy(charges, (charge) => charge.subscription_id)
  return rows.subscriptions.flatMap((subscription) => {
    const member = members.get(subscription.id)
    if (member === undefined) return []
    const { account } = rows
    const base = baseEndOf(member, bundles.get(member.bundle_id) ?? [], account.tenant_record_id, context)
    const end = earliestEnd([member.ownEnd, base, transferEndOf(subscription.bundle_id, context)])
    if (end !== null && end.at <= member.started_at) return []
    const objects = new Set([
      `SUBSCRIPTION ${subscription.id}`,
      `SUBSCRIPTION_BUNDLE ${subscription.bundle_id}`,
      `ACCOUNT ${account.id}`,
    ])
    const life: Life = {
      customer_key: account.record_id,
      subscription_id: subscription.id,
      tenant: account.tenant_record_id,
      currency: account.currency,
      started_at: member.started_at,
      transferred: member.transferred,
      end,
      states: member.states,
      blocks: blocksOf(rows.blocking_states, objects, end?.at ?? context.now).filter((block) => block.from <= context.now),
      charges: context.definitions.mrr_usage === 'off' ? [] : (chargesOf.get(subscription.id) ?? []),
    }
    return [{ life, subscription }]
  })
}

interface BundleMember extends Member {
  readonly bundle_id: string
  readonly transferred: boolean
}

/** Subscriptions that have begun by now, by id. */
function membersOf(rows: AccountRows, context: FoldContext): Map<string, BundleMember> {
  const eventsOf = groupBy(rows.events, (event) => event.subscription_id)
  const members = rows.subscriptions.flatMap((subscription) => {
    const all = eventsOf.get(subscription.id) ?? []
    const events = orderEvents(all, context.now)
    const start = startOf(events)
    if (start === null) return []
    const states = statesOf(events)
    const ownEnd = ownEndOf(events, all, states, rows.account.tenant_record_id, context)
    const { id, bundle_id, category } = subscription
    return [{ id, bundle_id, category, started_at: start.at, transferred: start.transferred, events, states, ownEnd }]
  })
  return new Map(members.map((member) => [member.id, member]))
}

import type Big from 'big.js'
import { CONTROL_TAGS } from '../../../../../connectors/killbill/control-tags.ts'
import { blocksOf } from './blocks.ts'
import type { FoldContext } from './context.ts'
import { baseEndOf, earliestEnd, type Member, ownEndOf, transferEndOf } from './ends.ts'
import { orderEvents } from './events.ts'
import { groupBy } from './group.ts'
import {
  type Ledger,
  ledgerOf,
  type PaidInvoice,
  paidInvoiceOf,
  type Refund,
  refundsOf,
  type Settlement,
  settlementsOf,
  taxOf,
} from './paid-invoices.ts'
import { type Life, piecesOf } from './pieces.ts'
import type { AccountRows, SubscriptionRow } from './rows.ts'
import type { Span } from './span.ts'
import { spansOf } from './spans.ts'
import { type State, startOf, statesOf } from './state.ts'
import { type Trial, trialOf } from './trials.ts'
import { type UsageCharge, usageChargesOf } from './usage.ts'

/** The result of folding one account, in the order of its subscriptions' record_id. */
export interface FoldedAccount {
  readonly spans: readonly Span[]
  readonly trials: readonly Trial[]
  readonly paid_invoices: readonly PaidInvoice[]
  /** Tax of each paid invoice in major units. */
  readonly taxes: ReadonlyMap<string, Big>
  readonly refunds: readonly Refund[]
  readonly usage_charges: readonly UsageCharge[]
  /** Lives of the subscriptions that exist by now. */
  readonly lives: readonly Life[]
  /** States of every subscription, including those that have not begun, because they may end others. */
  readonly states: readonly (readonly State[])[]
}

const NOTHING: FoldedAccount = {
  spans: [],
  trials: [],
  paid_invoices: [],
  taxes: new Map(),
  refunds: [],
  usage_charges: [],
  lives: [],
  states: [],
}

/** Folds one account by the rules of definitions.md, one rule per function. An excluded TEST account gives nothing (D16). */
export function foldAccount(rows: AccountRows, context: FoldContext): FoldedAccount {
  if (isExcluded(rows, context)) return NOTHING
  const { ledger, settlements, charges } = settledOf(rows, context)
  const spans: Span[] = []
  const trials: Trial[] = []
  const lives: Life[] = []
  const members = membersOf(rows, context)
  for (const { life, subscription } of livesOf(rows, members, charges, context)) {
    lives.push(life)
    const pieces = piecesOf(life, context)
    for (const span of spansOf(life, pieces, context.rates)) spans.push(span)
    const trial = trialOf(life, pieces, subscription)
    if (trial !== null) trials.push(trial)
  }
  const paid = settlements.map((settlement) => paidInvoiceOf(settlement, ledger))
  const taxes = new Map(settlements.map((settlement) => [settlement.invoice_id, taxOf(settlement, ledger)]))
  const refunds = settlements.flatMap((settlement) => refundsOf(settlement, ledger))
  const states = members.map((member) => member.states)
  return { spans, trials, paid_invoices: paid, taxes, refunds, usage_charges: charges, lives, states }
}

/** Only the spans, because MRR needs nothing else. */
export function foldSpans(rows: AccountRows, context: FoldContext): readonly Span[] {
  if (isExcluded(rows, context)) return []
  const { charges } = settledOf(rows, context)
  return livesOf(rows, membersOf(rows, context), charges, context).flatMap(({ life }) =>
    spansOf(life, piecesOf(life, context), context.rates),
  )
}

interface Settled {
  readonly ledger: Ledger
  readonly settlements: readonly Settlement[]
  readonly charges: readonly UsageCharge[]
}

const NO_LEDGER: Ledger = { invoices: [], itemsOf: () => [], paymentsOf: () => [], settledAt: () => null }
const NOTHING_SETTLED: Settled = { ledger: NO_LEDGER, settlements: [], charges: [] }

function settledOf(rows: AccountRows, context: FoldContext): Settled {
  if (rows.invoices.length === 0) return NOTHING_SETTLED
  const ledger = ledgerOf(rows, context.now)
  const settlements = settlementsOf(ledger, context.parents)
  const adjustments = rows.invoice_items.filter((item) => item.type === 'ITEM_ADJ' && item.created_date <= context.now)
  return { ledger, settlements, charges: usageChargesOf(ledger, settlements, adjustments) }
}

function isExcluded(rows: AccountRows, context: FoldContext): boolean {
  return context.definitions.test_accounts === 'exclude' && isTestAccount(rows)
}

/** True if the account carries the control tag TEST now (D16). */
export function isTestAccount({ account, tags }: AccountRows): boolean {
  return tags.some(
    (tag) =>
      tag.is_active &&
      tag.object_type === 'ACCOUNT' &&
      tag.object_id === account.id &&
      tag.tag_definition_id === CONTROL_TAGS.TEST,
  )
}

interface Lived {
  readonly life: Life
  readonly subscription: SubscriptionRow
}

function livesOf(rows: AccountRows, members: readonly Member[], charges: readonly UsageCharge[], context: FoldContext): Lived[] {
  const { account } = rows
  const chargesOf = groupBy(context.definitions.mrr_usage === 'off' ? [] : charges, (charge) => charge.subscription_id)
  const lives: Lived[] = []
  for (const member of members) {
    const { subscription, begun, states } = member
    if (begun === null) continue
    const { at: started_at, transferred } = begun
    const base = baseEndOf(member, started_at, members, account.tenant_record_id, context)
    const end = earliestEnd([member.ownEnd, base, transferEndOf(subscription.bundle_id, context)])
    if (end !== null && end.at <= started_at) continue
    const blockable = { subscription_id: subscription.id, bundle_id: subscription.bundle_id, account_id: account.id }
    const life: Life = {
      customer_key: account.record_id,
      subscription_id: subscription.id,
      tenant: account.tenant_record_id,
      currency: account.currency,
      started_at,
      transferred,
      end,
      states,
      blocks: blocksOf(rows.blocking_states, blockable, end?.at ?? context.now).filter((block) => block.from <= context.now),
      charges: chargesOf.get(subscription.id) ?? [],
    }
    lives.push({ life, subscription })
  }
  return lives
}

/** All subscriptions, even those that have not begun, because an add-on ends with its base even if the base never began. */
function membersOf(rows: AccountRows, context: FoldContext): Member[] {
  const eventsOf = groupBy(rows.events, (event) => event.subscription_id)
  const members: Member[] = []
  for (const subscription of rows.subscriptions) {
    const all = eventsOf.get(subscription.id) ?? []
    const events = orderEvents(all, context.now)
    const start = startOf(events)
    const states = statesOf(events)
    const ownEnd = ownEndOf(events, all, states, rows.account.tenant_record_id, context)
    members.push({ subscription, begun: start, events, states, ownEnd })
  }
  return members
}

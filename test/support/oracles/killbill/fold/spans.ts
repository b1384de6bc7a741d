import { typeOfPhase } from '../../../../../connectors/killbill/catalog/catalog-version.ts'
import { dayOf, type Instant } from './instant.ts'
import type { Life, Piece } from './pieces.ts'
import { baseCents, type RateTable } from './rates.ts'
import type { Span, StartReason } from './span.ts'

/** A span whose end is still to be found. */
type OpenSpan = Omit<Span, 'valid_to' | 'end_reason'> & { -readonly [field in 'valid_to' | 'end_reason']: Span[field] }

/**
 * Spans of a life (D28). Pieces that are `pending` are left out, neighbours with equal facts become one span, and base amounts
 * are fixed (D12).
 */
export function spansOf(life: Life, pieces: readonly Piece[], rates: RateTable): Span[] {
  const spans: Span[] = []
  let last: OpenSpan | undefined
  let before: Piece | undefined
  for (const piece of pieces) {
    if (piece.status !== 'pending' && (last === undefined || before === undefined || !sameFacts(before, piece))) {
      if (last !== undefined) last.valid_to = piece.at
      last = spanOf(life, piece, piece.status, startReason(life, piece, before), last, rates)
      spans.push(last)
    }
    before = piece
  }
  if (last !== undefined && life.end !== null) {
    last.valid_to = life.end.at
    last.end_reason = life.end.reason
  }
  return spans
}

function sameFacts(a: Piece, b: Piece): boolean {
  return (
    a.status === b.status &&
    a.state.plan === b.state.plan &&
    a.state.phase === b.state.phase &&
    a.state.price_list === b.state.price_list &&
    a.state.quantity === b.state.quantity &&
    a.subscription_cents === b.subscription_cents &&
    a.usage_cents === b.usage_cents &&
    a.unpriced === b.unpriced
  )
}

/** The first reason of D28 that applies at the instant. */
function startReason(life: Life, piece: Piece, before: Piece | undefined): StartReason {
  if (before === undefined) return life.transferred ? 'bundle_transfer' : 'start'
  if (piece.status === 'paused' && before.status !== 'paused') return piece.overdue ? 'overdue' : 'pause'
  if (piece.status === 'active' && before.status !== 'active' && before.blocked) return 'resume'
  if (piece.state.plan !== before.state.plan || piece.state.price_list !== before.state.price_list) return 'plan'
  if (piece.state.phase !== before.state.phase) return 'phase'
  if (piece.state.quantity !== before.state.quantity) return 'quantity'
  if (piece.subscription_cents !== before.subscription_cents || piece.unpriced !== before.unpriced) return 'price'
  return 'usage'
}

/** A component of MRR with its base amount and the day of the rate. */
interface Component {
  readonly cents: number
  readonly base: number | null
  readonly fixed_on: string | null
}

const NEVER_CHANGED: Component = { cents: 0, base: 0, fixed_on: null }

/** The base amount and the day of its rate change only if the original amount changes (D12). */
function fixBase(cents: number, before: Component, at: Instant, currency: string | null, rates: RateTable): Component {
  if (cents === before.cents) return before
  const fixed_on = dayOf(at)
  return { cents, base: baseCents(cents, currency, fixed_on, rates), fixed_on }
}

function subscriptionOf(span: Span | undefined): Component {
  if (span === undefined) return NEVER_CHANGED
  return { cents: span.subscription_mrr_cents, base: span.subscription_mrr_base_cents, fixed_on: span.subscription_fixed_on }
}

function usageOf(span: Span | undefined): Component {
  if (span === undefined) return NEVER_CHANGED
  return { cents: span.usage_mrr_cents, base: span.usage_mrr_base_cents, fixed_on: span.usage_fixed_on }
}

function spanOf(
  life: Life,
  piece: Piece,
  status: Span['status'],
  reason: StartReason,
  last: Span | undefined,
  rates: RateTable,
): OpenSpan {
  const subscription = fixBase(piece.subscription_cents, subscriptionOf(last), piece.at, life.currency, rates)
  const usage = fixBase(piece.usage_cents, usageOf(last), piece.at, life.currency, rates)
  return {
    customer_key: life.customer_key,
    subscription_id: life.subscription_id,
    valid_from: piece.at,
    valid_to: null,
    status,
    plan: piece.state.plan,
    plan_key: piece.plan_key,
    phase_type: typeOfPhase(piece.state.phase),
    price_list: piece.state.price_list,
    quantity: piece.state.quantity,
    currency: life.currency,
    subscription_mrr_cents: piece.subscription_cents,
    usage_mrr_cents: piece.usage_cents,
    mrr_cents: piece.subscription_cents + piece.usage_cents,
    subscription_mrr_base_cents: subscription.base,
    usage_mrr_base_cents: usage.base,
    mrr_base_cents: subscription.base === null || usage.base === null ? null : subscription.base + usage.base,
    is_trial: status === 'trialing',
    is_live: status !== 'trialing',
    is_paused: status === 'paused',
    is_unpriced: piece.unpriced,
    start_reason: reason,
    end_reason: null,
    subscription_fixed_on: subscription.fixed_on,
    usage_fixed_on: usage.fixed_on,
  }
}

import type { FoldContext } from './context.ts'
import { dayOf } from './instant.ts'
import type { Life, Piece } from './pieces.ts'
import { baseCents } from './rates.ts'
import type { Span, StartReason } from './span.ts'

/** Spans of a life (D28): pieces without `pending`, neighbours of equal facts joined, base amounts fixed (D12). */
export function spansOf(life: Life, pieces: readonly Piece[], context: FoldContext): Span[] {
  const spans: Span[] = []
  let before: Piece | undefined
  for (const piece of pieces) {
    const last = spans.at(-1)
    if (piece.status !== 'pending' && (last === undefined || before === undefined || !sameFacts(before, piece))) {
      if (last !== undefined) spans[spans.length - 1] = { ...last, valid_to: piece.at }
      spans.push(spanOf(life, piece, piece.status, startReason(life, piece, before), last, context))
    }
    before = piece
  }
  const last = spans.at(-1)
  if (last !== undefined && life.end !== null)
    spans[spans.length - 1] = { ...last, valid_to: life.end.at, end_reason: life.end.reason }
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

function spanOf(
  life: Life,
  piece: Piece,
  status: Span['status'],
  reason: StartReason,
  last: Span | undefined,
  context: FoldContext,
): Span {
  const subscription = fixBase(piece.subscription_cents, last?.subscription_mrr_cents ?? 0, last?.subscription_fixed_on ?? null)
  const usage = fixBase(piece.usage_cents, last?.usage_mrr_cents ?? 0, last?.usage_fixed_on ?? null)
  return {
    customer_key: life.customer_key,
    subscription_id: life.subscription_id,
    valid_from: piece.at,
    valid_to: null,
    status,
    plan: piece.state.plan,
    plan_key: piece.plan_key,
    phase_name: piece.state.phase,
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

  /** D12: the rate day moves only when the original amount does. */
  function fixBase(
    cents: number,
    centsBefore: number,
    fixedBefore: string | null,
  ): { base: number | null; fixed_on: string | null } {
    const fixed_on = cents === centsBefore ? fixedBefore : dayOf(piece.at)
    return { base: baseCents(cents, life.currency, fixed_on, context.rates), fixed_on }
  }
}

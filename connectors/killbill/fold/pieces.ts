import { type Block, blocksAt } from './blocks.ts'
import type { FoldContext } from './context.ts'
import type { End } from './ends.ts'
import type { Instant } from './instant.ts'
import { hasUsage, subscriptionCents } from './mrr.ts'
import type { Price } from './price-book.ts'
import { isTrialPhase, type State, stateAt } from './state.ts'
import { type UsageCharge, usageMean } from './usage.ts'

/** Life [b, e) of one subscription with everything that acts on it. */
export interface Life {
  readonly customer_key: number
  readonly subscription_id: string
  readonly tenant: number
  readonly currency: string | null
  readonly started_at: Instant
  readonly transferred: boolean
  readonly end: End | null
  readonly states: readonly State[]
  readonly blocks: readonly Block[]
  readonly charges: readonly UsageCharge[]
}

/** Facts at an instant at which something may change. */
export interface Piece {
  readonly at: Instant
  readonly state: State
  readonly status: 'pending' | 'trialing' | 'active' | 'paused'
  readonly blocked: boolean
  readonly overdue: boolean
  readonly plan_key: number | null
  readonly subscription_cents: number
  readonly usage_cents: number
  readonly unpriced: boolean
}

/** Facts at every instant of the life at which a row, a block, a catalog date or a payment speaks, in order. */
export function piecesOf(life: Life, context: FoldContext): Piece[] {
  const pieces: Piece[] = []
  for (const at of instantsOf(life, context)) {
    const state = stateAt(life.states, at)
    if (state !== undefined) pieces.push(pieceAt(life, state, at, pieces, context))
  }
  return pieces
}

function instantsOf(life: Life, context: FoldContext): Instant[] {
  const instants = [
    life.started_at,
    ...life.states.map((state) => state.at),
    ...life.states.flatMap((state) => pricesOf(life, state, context).map((price) => price.from)),
    ...life.blocks.flatMap((block) => (block.to === null ? [block.from] : [block.from, block.to])),
    ...life.charges.map((charge) => charge.paid_at),
  ]
  const inLife = (at: Instant): boolean => at >= life.started_at && at <= context.now && (life.end === null || at < life.end.at)
  return [...new Set(instants)].filter(inLife).sort()
}

function pricesOf(life: Life, state: State, context: FoldContext): readonly Price[] {
  return context.prices.prices(life.tenant, state.phase, life.currency, state.entered)
}

function pieceAt(life: Life, state: State, at: Instant, before: readonly Piece[], context: FoldContext): Piece {
  const blocks = blocksAt(life.blocks, at)
  const blocked = blocks.length > 0
  const activated = wasActivated(before) || (!isTrialPhase(state.phase) && !blocked)
  const status = statusOf(activated, blocked, before[0]?.state ?? state)
  const price = pricesOf(life, state, context).find((row) => row.from <= at && at < row.to)
  const cents = status === 'active' ? subscriptionCents(state, price) : 0
  const usage = status === 'active' && hasUsage(price) ? usageMean(life.charges, at) : 0
  return {
    at,
    state,
    status,
    blocked,
    overdue: blocks.some((block) => block.overdue),
    plan_key: price?.plan_key ?? null,
    subscription_cents: cents ?? 0,
    usage_cents: usage,
    unpriced: cents === null,
  }
}

/** D21: activation is the first instant outside a trial phase and not blocked. */
function wasActivated(pieces: readonly Piece[]): boolean {
  const last = pieces.at(-1)
  return last !== undefined && (last.status === 'active' || last.status === 'paused')
}

/** D22. */
function statusOf(activated: boolean, blocked: boolean, first: State): Piece['status'] {
  if (activated) return blocked ? 'paused' : 'active'
  return isTrialPhase(first.phase) ? 'trialing' : 'pending'
}

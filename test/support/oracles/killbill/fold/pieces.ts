import { type Block, blocksAt } from './blocks.ts'
import type { FoldContext } from './context.ts'
import type { End } from './ends.ts'
import { ordered } from './group.ts'
import { compareInstants, type Instant } from './instant.ts'
import { hasUsage, subscriptionCents } from './mrr.ts'
import type { Price } from './price-book.ts'
import { isTrialPhase, type State } from './state.ts'
import { newestMonthFirst, type UsageCharge, usageMean } from './usage.ts'

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

/** Facts of a life from an instant on at which they may change. */
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

/** A state of a life, with the price rows of its phase. */
interface PricedState {
  readonly state: State
  readonly prices: readonly Price[]
}

/** Facts at each instant of the life at which a row, a block, a catalog date or a payment may change them, in order. */
export function piecesOf(life: Life, context: FoldContext): Piece[] {
  const priced = life.states.map((state) => ({
    state,
    prices: context.prices.prices(life.tenant, state.phase, life.currency, state.entered),
  }))
  const charges = newestMonthFirst(life.charges)
  const pieces: Piece[] = []
  let position = -1
  for (const at of instantsOf(life, priced, context.now)) {
    while (isBegun(priced[position + 1], at)) position += 1
    const current = priced[position]
    if (current !== undefined) pieces.push(pieceAt(at, current, life.blocks, charges, pieces))
  }
  return pieces
}

function isBegun(priced: PricedState | undefined, at: Instant): boolean {
  return priced !== undefined && priced.state.at <= at
}

function instantsOf(life: Life, priced: readonly PricedState[], now: Instant): Instant[] {
  const { started_at, end } = life
  const instants = new Set<Instant>()
  const add = (at: Instant | null): void => {
    if (at !== null && at >= started_at && at <= now && (end === null || at < end.at)) instants.add(at)
  }
  add(started_at)
  for (const { state, prices } of priced) {
    add(state.at)
    for (const price of prices) add(price.from)
  }
  for (const block of life.blocks) {
    add(block.from)
    add(block.to)
  }
  for (const charge of life.charges) add(charge.paid_at)
  return ordered([...instants], compareInstants)
}

function pieceAt(
  at: Instant,
  { state, prices }: PricedState,
  allBlocks: readonly Block[],
  charges: readonly UsageCharge[],
  before: readonly Piece[],
): Piece {
  const blocks = blocksAt(allBlocks, at)
  const blocked = blocks.length > 0
  const activated = wasActivated(before) || (!isTrialPhase(state.phase) && !blocked)
  const status = statusOf(activated, blocked, before[0]?.state ?? state)
  const price = prices.find((row) => row.from <= at && at < row.to)
  const cents = status === 'active' ? subscriptionCents(state, price) : 0
  const usage = status === 'active' && hasUsage(price) ? usageMean(charges, at) : 0
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

/** True if the subscription has activated: it was outside a trial phase and not blocked at an earlier instant (D21). */
function wasActivated(pieces: readonly Piece[]): boolean {
  const last = pieces.at(-1)
  return last !== undefined && (last.status === 'active' || last.status === 'paused')
}

/** Status of a piece (D22). */
function statusOf(activated: boolean, blocked: boolean, first: State): Piece['status'] {
  if (activated) return blocked ? 'paused' : 'active'
  return isTrialPhase(first.phase) ? 'trialing' : 'pending'
}

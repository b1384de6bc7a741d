import type { PhaseType } from '../../../../../src/core/enums.ts'
import type { EndReason } from './ends.ts'
import { groupBy } from './group.ts'
import type { Instant } from './instant.ts'
import type { Span, SpanStatus, StartReason } from './span.ts'

export type MovementType = 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation'

/** One row of `mrr_movement` (D31). */
export interface Movement {
  readonly occurred_at: Instant
  readonly movement_type: MovementType
  readonly movement_source: 'subscription' | 'usage'
  readonly amount_cents: number
  readonly amount_base_cents: number | null
  readonly currency: string | null
  readonly customer_key: number
  readonly subscription_id: string
  readonly plan_key: number | null
  readonly plan: string
  readonly phase_type: PhaseType | null
  readonly price_list: string | null
  /** Base MRR of the subscription before or after the movement, on the side whose plan the row shows. */
  readonly mrr_base_cents: number | null
  readonly reason: StartReason | EndReason
  readonly is_swap: boolean
  /** A row of a switch to another currency (D85). */
  readonly is_switch: boolean
  /** The amount is unknown, because a price before or after is unknown (D26). Such a row exists even if its amount is 0. */
  readonly is_unpriced: boolean
  /** Day of the rate that the base amount needs. */
  readonly fixed_on: string | null
}

/** A change of one subscription's span at an instant. A null span means outside the subscription's life, or pending. */
interface Turn {
  readonly at: Instant
  readonly before: Span | null
  readonly after: Span | null
  readonly reason: StartReason | EndReason
}

/** The group of a turn: a swap (D33), or a switch to another currency (D85). */
interface Swap {
  readonly type: MovementType
  readonly isSwitch: boolean
}

/** A movement with the spans before and after it. */
interface SidedMovement {
  readonly movement: Movement
  readonly before: Span | null
  readonly after: Span | null
  /** The span whose plan the movement shows (D61). */
  readonly named: Span
}

/**
 * Movements of one customer (D31 to D34, D85), by instant. `lines` gives each subscription's bundle line: the bundle key without the
 * prefixes of a transfer or a re-use (D33).
 */
export function movementsOf(spans: readonly Span[], lines: ReadonlyMap<string, string>): Movement[] {
  return sidedMovements(spans, lines).map(({ movement }) => movement)
}

/** The movements with the spans before and after them. */
export function sidedMovements(spans: readonly Span[], lines: ReadonlyMap<string, string>): SidedMovement[] {
  const turns = [...groupBy(spans, (span) => span.subscription_id).values()].flatMap(turnsOf)
  const lineOf = (span: Span | null): string => `${lines.get(span?.subscription_id ?? '') ?? ''} ${span?.currency}`
  const groups = groupBy(turns, (turn) => `${turn.at} ${lineOf(turn.before ?? turn.after)}`)
  const swaps = new Map<Turn, Swap>()
  for (const group of groups.values()) {
    const type = swapType(group)
    if (type !== null) for (const turn of group.filter(isSwapSide)) swaps.set(turn, { type, isSwitch: false })
  }
  const alone = turns.filter((turn) => isSwapSide(turn) && !swaps.has(turn) && turn.reason !== 'bundle_transfer')
  for (const together of groupBy(alone, ({ at }) => at).values())
    for (const [turn, type] of switchTypes(together)) swaps.set(turn, { type, isSwitch: true })
  return turns
    .flatMap((turn) => rowsOf(turn, swaps.get(turn) ?? null, spans))
    .sort(({ movement: a }, { movement: b }) => (a.occurred_at < b.occurred_at ? -1 : a.occurred_at > b.occurred_at ? 1 : 0))
}

function turnsOf(spans: readonly Span[]): Turn[] {
  const begun = spans.map((span, index) => ({
    at: span.valid_from,
    before: spans[index - 1] ?? null,
    after: span,
    reason: span.start_reason,
  }))
  const last = spans.at(-1)
  if (last === undefined || last.valid_to === null || last.end_reason === null) return begun
  return [...begun, { at: last.valid_to, before: last, after: null, reason: last.end_reason }]
}

function isLive(status: SpanStatus | undefined): boolean {
  return status === 'active' || status === 'paused'
}

/** True if an `active` subscription ends, or a subscription activates (D33). */
function isSwapSide({ before, after }: Turn): boolean {
  return isSwapEnd({ before, after }) || isActivation({ before, after })
}

function isSwapEnd({ before, after }: Pick<Turn, 'before' | 'after'>): boolean {
  return after === null && before?.status === 'active'
}

function isActivation({ before, after }: Pick<Turn, 'before' | 'after'>): boolean {
  return !isLive(before?.status) && after?.status === 'active'
}

/** D33: the type of all rows of a swap. `group` has the turns of one instant and bundle line. Null if they are no swap. */
function swapType(group: readonly Turn[]): MovementType | null {
  if (!group.some(isSwapEnd) || !group.some(isActivation)) return null
  const net = group
    .filter(isSwapSide)
    .reduce((sum, { before, after }) => sum + (after?.mrr_cents ?? 0) - (before?.mrr_cents ?? 0), 0)
  return net >= 0 ? 'expansion' : 'contraction'
}

/**
 * D85: the types of a customer's switch to another currency. `together` has the ends and activations of one instant that are no swap. Each
 * takes part if it has a counterpart in another currency.
 */
function switchTypes(together: readonly Turn[]): readonly (readonly [Turn, MovementType])[] {
  const currencyOf = ({ before, after }: Turn) => (after ?? before)?.currency
  const parts = together.filter((turn) =>
    together.some((other) => isSwapEnd(other) !== isSwapEnd(turn) && currencyOf(other) !== currencyOf(turn)),
  )
  const net = parts.reduce((sum, { before, after }) => sum + (after?.mrr_base_cents ?? 0) - (before?.mrr_base_cents ?? 0), 0)
  return parts.map((turn) => [turn, net >= 0 ? 'expansion' : 'contraction'])
}

function rowsOf(turn: Turn, swap: Swap | null, spans: readonly Span[]): SidedMovement[] {
  const { before, after } = turn
  // Plan columns hold the plan just after the movement. If the subscription pauses or ends, the plan just before it (D61).
  const named = after === null || after.status === 'paused' ? (before ?? after) : after
  if (named === null) return []
  const unpriced = (before?.is_unpriced ?? false) || (after?.is_unpriced ?? false)
  return (['subscription', 'usage'] as const).flatMap((source): SidedMovement[] => {
    const amount = (after?.[`${source}_mrr_cents`] ?? 0) - (before?.[`${source}_mrr_cents`] ?? 0)
    if (amount === 0 && !(unpriced && source === 'subscription')) return []
    const base = difference(after?.[`${source}_mrr_base_cents`], before?.[`${source}_mrr_base_cents`])
    const holder = after !== null && after[`${source}_mrr_cents`] !== 0 ? after : (before ?? after)
    const { customer_key, subscription_id, currency, plan_key, plan, phase_type, price_list, mrr_base_cents } = named
    const movement: Movement = {
      occurred_at: turn.at,
      movement_type: swap?.type ?? typeOf(turn, amount, spans),
      movement_source: source,
      amount_cents: amount,
      amount_base_cents: base,
      currency,
      customer_key,
      subscription_id,
      plan_key,
      plan,
      phase_type,
      price_list,
      mrr_base_cents,
      reason: turn.reason,
      is_swap: swap !== null,
      is_switch: swap?.isSwitch === true,
      is_unpriced: unpriced,
      fixed_on: holder?.[`${source}_fixed_on`] ?? null,
    }
    return [{ movement, before, after, named }]
  })
}

/** After minus before. An absent amount counts as 0. A null amount, which lacks a rate, makes the difference null. */
function difference(after: number | null | undefined, before: number | null | undefined): number | null {
  return after === null || before === null ? null : (after ?? 0) - (before ?? 0)
}

/** Type of the movement of a turn (D31). */
function typeOf({ at, before, after }: Turn, amount: number, spans: readonly Span[]): MovementType {
  if (after === null || after.status === 'paused') return 'churn'
  if (before?.status === 'paused') return 'reactivation'
  if (before?.status === 'active') return amount > 0 ? 'expansion' : 'contraction'
  return isReturn(at, spans) ? 'reactivation' : 'new'
}

/** True if the customer was live earlier and has no live subscription just before `at` (D32). */
function isReturn(at: Instant, spans: readonly Span[]): boolean {
  const live = spans.filter((span) => span.is_live && span.valid_from < at)
  return live.length > 0 && !live.some((span) => span.valid_to === null || at <= span.valid_to)
}

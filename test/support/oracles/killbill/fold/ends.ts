import type { FoldContext } from './context.ts'
import type { LifeEvent } from './events.ts'
import { addPeriod, type Instant, latest } from './instant.ts'
import type { EventRow, SubscriptionRow } from './rows.ts'
import { type State, stateAt } from './state.ts'

/** In the order of D28. Of several reasons at one instant, the first counts. */
const REASONS = ['bundle_transfer', 'cancel', 'expiry', 'base_end'] as const
export type EndReason = (typeof REASONS)[number]

export interface End {
  readonly at: Instant
  readonly reason: EndReason
}

/** A subscription with its folded rows. It may not have begun. */
export interface Member {
  readonly subscription: SubscriptionRow
  readonly begun: { readonly at: Instant; readonly transferred: boolean } | null
  readonly events: readonly LifeEvent[]
  readonly states: readonly State[]
  readonly ownEnd: End | null
}

/** End e of a life (D18): the earliest of all its ends. */
export function earliestEnd(ends: readonly (End | null)[]): End | null {
  return ends.reduce(earlierEnd, null)
}

function earlierEnd(first: End | null, end: End | null): End | null {
  if (end === null || first === null) return end ?? first
  if (end.at !== first.at) return end.at < first.at ? end : first
  return REASONS.indexOf(end.reason) < REASONS.indexOf(first.reason) ? end : first
}

/** The first end that a subscription has by itself: CANCEL, EXPIRED, or the computed end of a fixed term (D18). */
export function ownEndOf(
  events: readonly LifeEvent[],
  rows: readonly EventRow[],
  states: readonly State[],
  tenant: number,
  context: FoldContext,
): End | null {
  let end = context.definitions.derive_fixed_term_end ? fixedTermEnd(rows, states, tenant, context) : null
  // Several rows of one instant may end it. The order of D28 chooses the reason, not the order of the rows.
  for (const { at, kind } of events) {
    if (kind === 'cancel' || kind === 'expiry') end = earlierEnd(end, { at, reason: kind })
  }
  return end
}

/** The start of the phase plus its duration (KB 2.7). Null if an EXPIRED row exists, even an inactive one. */
function fixedTermEnd(rows: readonly EventRow[], states: readonly State[], tenant: number, context: FoldContext): End | null {
  if (rows.some((row) => row.event_type === 'EXPIRED')) return null
  for (const [position, state] of states.entries()) {
    if (state.at !== state.phase_since) continue
    const term = context.prices.fixedTerm(tenant, state.phase, state.entered, state.at)
    if (term === null) continue
    const at = addPeriod(state.at, term.months, term.days)
    const next = states.slice(position + 1).find((later) => later.phase_since !== state.phase_since)
    if (at <= context.now && (next === undefined || at <= next.at)) return { at, reason: 'expiry' }
  }
  return null
}

/** The end of an add-on because its base ends, or changes to a product that excludes or includes the add-on (D18, KB 2.6). */
export function baseEndOf(
  member: Member,
  startedAt: Instant,
  account: readonly Member[],
  tenant: number,
  context: FoldContext,
): End | null {
  const { category, bundle_id } = member.subscription
  if (category !== 'ADD_ON') return null
  const bases = account.filter(({ subscription }) => subscription.category === 'BASE' && subscription.bundle_id === bundle_id)
  const instants = bases.flatMap((base) => [base.ownEnd?.at ?? null, exclusionOf(member, startedAt, base, tenant, context)])
  return earliestEnd(instants.map((at) => (at === null ? null : { at: latest(at, startedAt), reason: 'base_end' })))
}

function exclusionOf(addon: Member, startedAt: Instant, base: Member, tenant: number, context: FoldContext): Instant | null {
  const changes = base.events.filter((event) => event.kind === 'change' && event.at >= startedAt)
  const change = changes.find(({ at }) => {
    const addonState = stateAt(addon.states, at)
    const baseState = stateAt(base.states, at)
    if (addonState === undefined || baseState === undefined) return false
    const product = context.prices.addonProduct(tenant, addonState.plan, addonState.entered, at)
    return product !== null && context.prices.endsAddon(tenant, baseState.plan, product, at)
  })
  return change?.at ?? null
}

/** The end of the subscriptions of a transferred bundle: the successor's TRANSFER (D19). */
export function transferEndOf(bundleId: string, context: FoldContext): End | null {
  const at = context.transfers.get(bundleId)
  return at === undefined || at > context.now ? null : { at, reason: 'bundle_transfer' }
}

import type { Instant } from './instant.ts'
import type { Life, Piece } from './pieces.ts'
import type { SubscriptionRow } from './rows.ts'
import { isTrialPhase } from './state.ts'

/** A trial (D56). It is pending while it is neither converted nor expired. */
export interface Trial {
  readonly customer_key: number
  readonly subscription_id: string
  readonly started_at: Instant
  readonly converted_at: Instant | null
  readonly expired_at: Instant | null
}

/** The trial of a subscription that starts in a TRIAL phase. A trial that a transfer cut off belongs to the receiver (D57). */
export function trialOf(life: Life, pieces: readonly Piece[], subscription: SubscriptionRow): Trial | null {
  const [first] = pieces
  if (first === undefined || !isTrialPhase(first.state.phase)) return null
  const converted = pieces.find((piece) => piece.status === 'active')?.at ?? null
  if (converted === null && life.end?.reason === 'bundle_transfer') return null
  return {
    customer_key: life.customer_key,
    subscription_id: life.subscription_id,
    started_at: life.transferred ? subscription.start_date : life.started_at,
    converted_at: converted,
    expired_at: converted === null ? (life.end?.at ?? null) : null,
  }
}

import Big from 'big.js'
import type { Price } from './price-book.ts'
import { roundToInteger } from './rates.ts'
import { isTrialPhase, type State } from './state.ts'

/**
 * Subscription component while active, in cents (D23): floor(round(100 × price × quantity) × months). 0 in a trial phase
 * (D24), null where no price is known (D26).
 */
export function subscriptionCents(state: State, price: Price | undefined): number | null {
  if (isTrialPhase(state.phase)) return 0
  if (price === undefined || price.price === null) return null
  const amount = roundToInteger(new Big(price.price).times(state.quantity).times(100))
  return Number((BigInt(amount) * BigInt(price.month_numerator)) / BigInt(price.month_denominator))
}

/** True where the usage component counts: the phase has a usage section, or no version knows it (D29, rule 4). */
export function hasUsage(price: Price | undefined): boolean {
  return price === undefined || price.has_usage
}

import Big from 'big.js'
import { exactly } from '../../../../../src/core/too-large.ts'
import type { Price } from './price-book.ts'
import { isTrialPhase, type State } from './state.ts'

/**
 * Subscription component while active, in cents (D23): floor(round(100 × price × quantity) × months). 0 in a trial phase
 * (D24), null if no price is known (D26).
 */
export function subscriptionCents(state: State, price: Price | undefined): number | null {
  if (isTrialPhase(state.phase)) return 0
  if (price === undefined || price.price === null) return null
  return monthlyCents(price, price.price, state.quantity)
}

/** There are few distinct prices and quantities, so each product is computed once. */
const products = new WeakMap<Price, Map<number, number>>()

function monthlyCents(price: Price, unitPrice: string, quantity: number): number {
  const byQuantity = products.get(price) ?? new Map<number, number>()
  products.set(price, byQuantity)
  const known = byQuantity.get(quantity)
  if (known !== undefined) return known
  const amount = BigInt(new Big(unitPrice).times(quantity).times(100).round(0, Big.roundHalfUp).toFixed())
  const cents = exactly(Number((amount * BigInt(price.month_numerator)) / BigInt(price.month_denominator)), 'mrr_cents')
  byQuantity.set(quantity, cents)
  return cents
}

/** True if the usage component counts: the phase has a usage section, or no version knows it (D29, rule 4). */
export function hasUsage(price: Price | undefined): boolean {
  return price === undefined || price.has_usage
}

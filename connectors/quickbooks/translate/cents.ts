import Big from 'big.js'
import { InternalError } from '../../../src/connector-kit/index.ts'

/** Hundredths of the major unit in every currency (D7), rounded half away from zero, from the digits that were sent. */
export function centsOf(amount: string): number {
  const cents = new Big(amount).times(100).round(0, Big.roundHalfUp).toNumber()
  if (!Number.isSafeInteger(cents)) throw new InternalError(`QuickBooks names an amount that is too large: ${amount}`)
  // The negative zero of `-0.00` is no amount.
  return cents === 0 ? 0 : cents
}

/** A rate as decimal text without exponent; null where it is absent or no rate. */
export function rateOf(given: string | null | undefined): string | null {
  if (given == null) return null
  const rate = new Big(given)
  return rate.gt(0) ? rate.toFixed() : null
}

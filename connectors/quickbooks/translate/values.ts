import Big from 'big.js'
import { InternalError, type Metadata } from '../../../src/connector-kit/index.ts'

/** Hundredths of the major unit in every currency (D7), rounded half away from zero, from the digits that were sent. */
export function centsOf(amount: string): number {
  const cents = new Big(amount).times(100).round(0, Big.roundHalfUp).toNumber()
  if (!Number.isSafeInteger(cents)) throw new InternalError(`QuickBooks names an amount that is too large: ${amount}`)
  // The negative zero of `-0.00` is no amount.
  return cents === 0 ? 0 : cents
}

/** A rate as decimal text without exponent. Null if it is absent or not a rate. */
export function rateOf(given: string | null | undefined): string | null {
  if (given == null) return null
  const rate = new Big(given)
  return rate.gt(0) ? rate.toFixed() : null
}

/** An instant with an offset, as Intuit writes it, in UTC with milliseconds. */
export function instantOf(native: string): string {
  const at = new Date(native)
  if (Number.isNaN(at.getTime())) throw new InternalError(`QuickBooks names an instant that cannot be read: ${native}`)
  return at.toISOString()
}

/** Native values, unchanged. Absent values are left out. */
export function metadataOf(native: Readonly<Record<string, unknown>>): Metadata {
  return Object.fromEntries(Object.entries(native).filter(([, value]) => value !== null && value !== undefined && value !== ''))
}

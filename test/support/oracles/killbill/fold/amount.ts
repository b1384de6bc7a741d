import Big from 'big.js'
import { InternalError } from '../../../../../src/core/errors.ts'
import { exactly } from '../../../../../src/core/too-large.ts'

/** Money as whole billionths of the major unit: the engine's columns have nine decimals, and sums of whole numbers are exact and fast. */
export type Amount = bigint

const DECIMALS = 9
const BILLIONTHS_PER_CENT = 10n ** 7n

/** Amount of a decimal text. InternalError if the text is no decimal, or has more decimals than an amount can hold. */
export function readAmount(decimal: string): Amount {
  const point = decimal.indexOf('.')
  const whole = point < 0 ? decimal : decimal.slice(0, point)
  const fraction = point < 0 ? '' : decimal.slice(point + 1)
  if (fraction.length > DECIMALS || !/^-?\d+$/.test(whole + fraction)) throw new InternalError(`not an amount: ${decimal}`)
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
}

/** Cents, half away from zero (D8). */
export function centsOf(amount: Amount): number {
  const size = amount < 0n ? -amount : amount
  const cents = (2n * size + BILLIONTHS_PER_CENT) / (2n * BILLIONTHS_PER_CENT)
  return exactly(Number(amount < 0n ? -cents : cents), 'an amount')
}

/** The amount in major units. */
export function majorUnits(amount: Amount): Big {
  return new Big(`${amount}e-${DECIMALS}`)
}

/** True if the amount, rounded half up to that many decimals, is not above 0. */
export function roundsToNothing(amount: Amount, decimals: number): boolean {
  return 2n * amount < 10n ** BigInt(DECIMALS - decimals)
}

import { InternalError } from './errors.ts'
import { exactly, tooLarge } from './too-large.ts'

/**
 * Exact whole number from a driver's text or number. InternalError for fractions. AppError `result_too_large`, naming `measure`, for numbers that
 * JavaScript cannot hold exactly.
 */
export function parseInteger(raw: unknown, measure = 'a number', row: Readonly<Record<string, unknown>> = {}): number {
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) return raw
  // A double holds every whole number of up to 15 digits, and most are record ids. So no bigint is needed.
  if (typeof raw === 'string' && /^\d{1,15}$/.test(raw)) return Number(raw)
  if (typeof raw === 'bigint' || (typeof raw === 'string' && /^-?\d+(\.0*)?$/.test(raw))) {
    const whole = BigInt(typeof raw === 'string' ? raw.replace(/\..*$/, '') : raw)
    const number = Number(whole)
    if (Number.isSafeInteger(number)) return number
    throw tooLarge(measure, row)
  }
  if (typeof raw === 'number' && Number.isInteger(raw)) throw tooLarge(measure, row)
  throw new InternalError(`not a safe whole number: ${String(raw)}`)
}

/** numerator / denominator, rounded to `decimals` places, half away from zero (D8). Null for a zero denominator. */
export function ratio(numerator: number, denominator: number, decimals = 6): number | null {
  if (denominator === 0) return null
  return roundFraction(BigInt(numerator), BigInt(denominator), decimals)
}

/** Exact n / d rounded once, half away from zero. */
export function roundFraction(n: bigint, d: bigint, decimals: number): number {
  const sign = n < 0n === d < 0n ? 1n : -1n
  const top = (n < 0n ? -n : n) * 10n ** BigInt(decimals)
  const bottom = d < 0n ? -d : d
  const quotient = (2n * top + bottom) / (2n * bottom)
  const result = exactly(Number(sign * quotient), 'a rounded number') / 10 ** decimals
  return result === 0 ? 0 : result
}

/** Cents (hundredths of the unit in every currency) of a decimal text such as `-12.5`, rounded half away from zero. */
export function centsOf(decimal: string): number {
  const [whole = '', fraction = ''] = decimal.split('.')
  return roundFraction(BigInt(whole + fraction) * 100n, 10n ** BigInt(fraction.length), 0)
}

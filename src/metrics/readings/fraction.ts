import { roundFraction } from '../../core/money.ts'
import { dayOf, dayStart, nextPeriod, type Period } from '../../core/periods.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import { knownMonths } from './periods.ts'

/** An exact fraction with a denominator above 0. */
export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

/** top / bottom; undefined if the bottom is 0. */
export function fraction(top: number, bottom: number): Fraction | undefined {
  return bottom === 0 ? undefined : { top: BigInt(top), bottom: BigInt(bottom) }
}

/** Mean of the fractions; undefined for an empty list. */
export function mean(list: readonly Fraction[]): Fraction | undefined {
  if (list.length === 0) return undefined
  const sum = list.reduce((a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }), {
    top: 0n,
    bottom: 1n,
  })
  return { top: sum.top, bottom: sum.bottom * BigInt(list.length) }
}

/** a × top / bottom, at most 1. */
function scaledToOne(a: Fraction, top: number, bottom: number): Fraction {
  const scaled = { top: a.top * BigInt(top), bottom: a.bottom * BigInt(bottom) }
  return scaled.top > scaled.bottom ? { top: 1n, bottom: 1n } : scaled
}

/** a / b; undefined if b is 0. */
export function quotient(a: Fraction, b: Fraction): Fraction | undefined {
  return b.top === 0n ? undefined : { top: a.top * b.bottom, bottom: a.bottom * b.top }
}

/** Rounded once, half away from zero (D8); null for undefined. */
export function rounded(a: Fraction | undefined, decimals: number): number | null {
  return a === undefined ? null : roundFraction(a.top, a.bottom, decimals)
}

const DAY_MS = 86_400_000

/** The calendar months of a mean rate: months that lie fully in the range and are over now (D50). */
export function fullMonths(time: RangeTime, now: Date): readonly Period[] {
  return knownMonths(time).filter((month) => {
    const start = dayStart(month.period)
    const end = nextPeriod(start, 'month')
    return month.from.getTime() === start.getTime() && month.to.getTime() === end.getTime() && end <= now
  })
}

/** The rate of a range without a full month, scaled to a month of 365/12 days (D50). */
export function perMonth(rate: Fraction, { start, end }: RangeTime, now: Date): Fraction {
  const last = end < dayOf(now) ? end : dayOf(now)
  const days = Math.round((dayStart(last).getTime() - dayStart(start).getTime()) / DAY_MS) + 1
  return scaledToOne(rate, 365, 12 * Math.max(days, 1))
}

import { type Fragment, sql } from '../fragment.ts'

/**
 * Cents times a rate above 0, rounded half away from zero. SQLite has no decimals, so the rate is text with up to twelve places. The product as
 * a double is rounded alike where it is not within a ten-thousandth of a half: below 10^9 it is off by less than 10^-6. All else is worked out in
 * whole numbers.
 */
export function convertedInIntegers(cents: Fragment, rate: Fragment): Fragment {
  const product = sql`(abs(${cents}) * cast(${rate} as real))`
  const isCertain = sql`${product} < 1000000000 and abs(${product} - cast(${product} as integer) - 0.5) > 0.0001`
  return sql`(case when (${cents}) < 0 then -1 else 1 end *
    case when ${isCertain} then cast(${product} + 0.5 as integer) else ${exactProduct(cents, rate)} end)`
}

// Both factors are split at 10^6, so that every product of two parts stays below 2^63 for any cents that JavaScript holds. `middle` counts
// millionths of cents, and what it leaves is added to the trillionths, where the half decides.
function exactProduct(cents: Fragment, rate: Fragment): Fragment {
  const high = sql`(abs(cast(${cents} as integer)) / 1000000)`
  const low = sql`(abs(cast(${cents} as integer)) % 1000000)`
  const whole = sql`cast(${rate} as integer)`
  const places = sql`case when instr(${rate}, '.') = 0 then '' else substr(${rate}, instr(${rate}, '.') + 1) end || '000000000000'`
  const millionths = sql`cast(substr(${places}, 1, 6) as integer)`
  const trillionths = sql`cast(substr(${places}, 7, 6) as integer)`
  const middle = sql`(${high} * ${trillionths} + ${low} * ${millionths})`
  const rest = sql`(${middle} % 1000000 * 1000000 + ${low} * ${trillionths} + 500000000000) / 1000000000000`
  return sql`(abs(cast(${cents} as integer)) * ${whole} + ${high} * ${millionths} + ${middle} / 1000000 + ${rest})`
}

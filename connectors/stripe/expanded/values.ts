import { type Fragment, sql, textList } from '../../../src/connector-kit/query-runner.ts'

/** Currencies without a minor unit, and those whose minor unit is a thousandth. All others have hundredths. */
const WHOLE = ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf']
const THOUSANDTHS = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

/** The factor from minor units of a currency, in lower case, to hundredths. */
export function factorOf(currency: Fragment): Fragment {
  return sql`(case when ${currency} in (${textList(WHOLE)}) then 100 when ${currency} in (${textList(THOUSANDTHS)}) then 0.1 else 1 end)`
}

/** The decimals of the minor unit of a currency. */
export function decimalsOf(currency: string): number {
  const code = currency.toLowerCase()
  return WHOLE.includes(code) ? 0 : THOUSANDTHS.includes(code) ? 3 : 2
}

/** An amount in minor units as whole hundredths. Halves are rounded away from zero. */
export function cents(amount: Fragment, currency: Fragment): Fragment {
  return sql`cast(round((${amount}) * ${factorOf(currency)}, 0) as bigint)`
}

/** Unix seconds as an instant, UTC without zone. */
export function instant(seconds: Fragment): Fragment {
  return sql`(timestamp '1970-01-01 00:00:00' + ${seconds} * interval '1 second')`
}

/** The share of a month in hundredths, rounded down (S10), of an amount of hundredths for an interval that counts several. */
export function monthly(amount: Fragment, interval: Fragment, count: Fragment): Fragment {
  return sql`cast(floor(case ${interval} when 'month' then div(${amount}, ${count}) when 'year' then div(${amount}, 12 * ${count})
    when 'week' then div(${amount} * 52, 12 * ${count}) when 'day' then div(${amount} * 365, 12 * ${count}) end) as bigint)`
}

/** The quantity that is billed: packages of `divide_by`, rounded up or down. */
export function billedQuantity(quantity: Fragment, divide_by: Fragment, round: Fragment): Fragment {
  return sql`case when ${divide_by} is null then ${quantity} when ${round} = 'up' then ceil(${quantity} / ${divide_by})
    else floor(${quantity} / ${divide_by}) end`
}

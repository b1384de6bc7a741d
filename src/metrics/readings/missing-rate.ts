import { AppError } from '../../core/errors.ts'
import type { UnratedGap } from './gaps.ts'

/** A pair of currencies that lacks rates, with the days that need one (http-api.md 1.4). */
interface MissingPair {
  readonly from: string
  readonly to: string
  readonly first_day: string
  readonly last_day: string
  /** Amounts that lack the rate. */
  readonly count: number
}

const REMEDY =
  '`plumbline fx fetch ecb` stores the rates of the European Central Bank, `plumbline fx import <file>` those of a file.'

/**
 * AppError `missing_fx_rate` that names every pair without a rate (D14), the one that is needed first in front; undefined where none
 * is missing. `remark` is a sentence about rates that nobody may read.
 */
export function missingRate(gaps: readonly UnratedGap[], base_currency: string, remark?: string): AppError | undefined {
  const pairs = pairsOf(gaps, base_currency)
  const [first] = pairs
  if (first === undefined) return undefined
  const spans = pairs.map((pair) => `from ${pair.from} to ${pair.to} for ${daysOf(pair)}`)
  const sentence =
    spans.length === 1 ? `There is no exchange rate ${spans[0]}.` : `There are no exchange rates ${spans.join(', ')}.`
  return new AppError('missing_fx_rate', [sentence, REMEDY, ...(remark === undefined ? [] : [remark])].join(' '), {
    context: { currency: first.from, base_currency, date: first.first_day, count: first.count, pairs },
  })
}

function pairsOf(gaps: readonly UnratedGap[], to: string): readonly MissingPair[] {
  const pairs = new Map<string, MissingPair>()
  for (const { currency, from, through, count } of gaps) {
    const known = pairs.get(currency)
    pairs.set(currency, {
      from: currency,
      to,
      first_day: known === undefined || from < known.first_day ? from : known.first_day,
      last_day: known === undefined || through > known.last_day ? through : known.last_day,
      count: count + (known?.count ?? 0),
    })
  }
  const order = ({ first_day, from }: MissingPair) => `${first_day} ${from}`
  return [...pairs.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

function daysOf({ first_day, last_day }: MissingPair): string {
  return first_day === last_day ? first_day : `${first_day} to ${last_day}`
}

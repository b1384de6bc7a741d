import { AppError } from './errors.ts'
import { clipped } from './text.ts'

/** The largest number up to which all whole numbers are exact, here and in most JSON parsers. */
const LIMIT = Number.MAX_SAFE_INTEGER
const MOST_KEYS = 8
const MOST_CHARACTERS = 100

type Cells = Readonly<Record<string, unknown>>

/** AppError `result_too_large` for a number beyond 2^53, with the measure and the keys of its row. */
export function tooLarge(measure: string, row: Cells = {}, cause?: unknown): AppError {
  const keys = keysOf(row)
  const words = Object.entries(keys).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  const of = words.length === 0 ? '' : ` of ${words.join(', ')}`
  const detail = `${JSON.stringify(measure)}${of} is beyond ${LIMIT}, the limit of exact numbers. ${REMEDY}`
  return new AppError('result_too_large', detail, { context: { measure, row: keys, limit: LIMIT }, cause })
}

/** Advice for the caller. */
const REMEDY = 'Use a shorter range or a filter. `plumbline check` lists subscriptions with an implausibly large MRR.'

/** Returns the number. AppError `result_too_large` beyond 2^53, where sums are not exact. */
export function exactly(value: number, measure: string, row?: Cells): number {
  if (value <= LIMIT && value >= -LIMIT) return value
  throw tooLarge(measure, row)
}

// The keys of a row are text. Its numbers are measures, even if some are written as text.
function keysOf(row: Cells): Readonly<Record<string, string>> {
  const texts = Object.entries(row).flatMap(([name, value]) =>
    typeof value !== 'string' || /^-?\d+(\.\d*)?$/.test(value) || /_(from|through)$/.test(name)
      ? []
      : [[name === 'fact_currency' ? 'currency' : name, clipped(value, MOST_CHARACTERS)] as const],
  )
  return Object.fromEntries(texts.slice(0, MOST_KEYS))
}

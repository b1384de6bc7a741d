import type { DimensionValue } from './dimension-value.ts'
import { atMost, type IssueSink, mustBe, oneOf } from './issues.ts'
import type { Given } from './raw-parameters.ts'

/** Ascending order of values: numbers, false before true, text by code point, null last (http-api.md 1.6). */
export function compareValues(a: DimensionValue, b: DimensionValue): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : 1
}

/** Ascending order of lists of values: the first difference decides. */
export function compareLists(a: readonly DimensionValue[], b: readonly DimensionValue[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const order = compareValues(a[index] ?? null, b[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}

// JavaScript compares UTF-16 units, which puts astral characters before U+E000 to U+FFFF.
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** A field that rows are sorted by. */
export interface OrderTerm {
  readonly field: string
  readonly isDescending: boolean
}

/** Parses `-mrr,plan_id`: names separated by commas, `-` for descending. Undefined for other text. */
export function parseOrder(given: unknown): readonly OrderTerm[] | undefined {
  if (typeof given !== 'string') return undefined
  const names = given.split(',').map((part) => part.trim())
  if (names.some((name) => /^-?$/.test(name))) return undefined
  return names.map((name) => (name.startsWith('-') ? term(name.slice(1), true) : term(name, false)))
}

/** The terms of an `order`. An amount may be named as in units, without `_cents`. Reports unknown fields and fields named twice. */
export function readOrder(
  given: Given<readonly OrderTerm[]> | undefined,
  allowed: readonly string[],
  report: IssueSink,
): readonly OrderTerm[] {
  const { value, where } = given ?? { value: [], where: 'params.order' }
  const terms = atMost(value, where, 'fields to sort by', report).map(({ field, isDescending }) => ({
    field: columnNamed(field, allowed),
    isDescending,
  }))
  for (const [index, { field }] of terms.entries()) {
    if (!allowed.includes(field)) {
      const few = allowed.length > MOST_IN_MESSAGE ? '' : ` (${oneOf(allowed)})`
      const message = mustBe('order', `fields of the rows${few}`, field)
      report('invalid_value', where, message, { value: field, known: allowed, context: { available: allowed } })
    } else if (terms.findIndex((other) => other.field === field) < index) {
      report('invalid_value', where, `"order" names "${field}" twice.`, { value: field })
    }
  }
  return terms
}

/** The column with this name, or with the name and `_cents`. Answers in units leave the ending out. */
export function columnNamed(name: string, columns: readonly string[]): string {
  const inCents = `${name}_cents`
  return !columns.includes(name) && columns.includes(inCents) ? inCents : name
}

// Longer lists are only in `available`.
const MOST_IN_MESSAGE = 8

function term(field: string, isDescending: boolean): OrderTerm {
  return { field, isDescending }
}

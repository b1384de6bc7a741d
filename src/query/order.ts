import type { DimensionValue } from './dimension-value.ts'

/** Ascending order of answers: numbers, false before true, text by code point, null last (http-api.md 1.6). */
export function compareValues(a: DimensionValue, b: DimensionValue): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : 1
}

/** The same for lists of values, the first difference decides. */
export function compareLists(a: readonly DimensionValue[], b: readonly DimensionValue[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const order = compareValues(a[index] ?? null, b[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}

// JavaScript compares UTF-16 units, which puts astral characters before U+E000 to U+FFFF.
function compareCodePoints(a: string, b: string): number {
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

import { describe, expect, it } from 'vitest'
import type { DimensionValue } from '../../src/query/dimension-value.ts'
import { compareLists, compareValues } from '../../src/query/order.ts'

function sorted(values: readonly DimensionValue[]): readonly DimensionValue[] {
  return [...values].sort(compareValues)
}

describe('order of answers', () => {
  it('text by code point, null last', () => {
    expect(sorted(['b', null, 'Z', 'a', 'é', ''])).toEqual(['', 'Z', 'a', 'b', 'é', null])
    expect(sorted(['\u{1F600}', '\uFF5E', 'a\u{1F600}', 'a'])).toEqual(['a', 'a\u{1F600}', '\uFF5E', '\u{1F600}'])
  })

  it('numbers by size, false before true', () => {
    expect(sorted([10, 9, null, -1])).toEqual([-1, 9, 10, null])
    expect(sorted([true, null, false])).toEqual([false, true, null])
  })

  it('the first column that differs decides', () => {
    const rows = [
      ['b', 1],
      ['a', null],
      ['a', 2],
    ] as const
    expect([...rows].sort(compareLists)).toEqual([
      ['a', 2],
      ['a', null],
      ['b', 1],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { centsOf, majorUnits, readAmount, roundsToNothing } from '../support/oracles/killbill/fold/amount.ts'
import { ordered } from '../support/oracles/killbill/fold/group.ts'

describe('amounts in billionths', () => {
  it('are read exactly, whatever the number of decimals', () => {
    expect(readAmount('12.340000000')).toBe(12_340_000_000n)
    expect(readAmount('-0.5')).toBe(-500_000_000n)
    expect(readAmount('7')).toBe(7_000_000_000n)
    expect(readAmount('99999999999999999.000000001')).toBe(99_999_999_999_999_999_000_000_001n)
  })

  it.each(['', '-', '1.0000000001', '1e3', 'NaN', '1.-5', ' 1'])('refuse %j', (text) => {
    expect(() => readAmount(text)).toThrow('not an amount')
  })

  it('become cents half away from zero', () => {
    expect(['0.005', '0.004999999', '-0.005', '-0.004999999', '10.015'].map((text) => centsOf(readAmount(text)))).toEqual([
      1, 0, -1, 0, 1002,
    ])
  })

  it('become major units without trailing zeros', () => {
    expect(majorUnits(readAmount('-3.250000000')).toFixed()).toBe('-3.25')
  })

  it('round to nothing below half of the smallest unit', () => {
    expect(roundsToNothing(readAmount('0.004999999'), 2)).toBe(true)
    expect(roundsToNothing(readAmount('0.005'), 2)).toBe(false)
    expect(roundsToNothing(readAmount('0.499999999'), 0)).toBe(true)
    expect(roundsToNothing(readAmount('-5'), 3)).toBe(true)
  })
})

describe('ordered', () => {
  it('sorts what is out of order, and keeps equal entries as they came', () => {
    const entries = ['b1', 'a1', 'b2', 'a2']
    expect(ordered(entries, (x, y) => (x.charAt(0) < y.charAt(0) ? -1 : Number(x.charAt(0) > y.charAt(0))))).toEqual([
      'a1',
      'a2',
      'b1',
      'b2',
    ])
  })
})

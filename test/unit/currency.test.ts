import { describe, expect, it } from 'vitest'
import { currencyDigits, unitsOf } from '../../src/core/currency.ts'

describe('amounts in units of a currency', () => {
  it.each([
    [123456, 'USD', '1234.56'],
    [-5, 'USD', '-0.05'],
    [0, 'USD', '0.00'],
    [-0, 'USD', '0.00'],
    [25491500, 'JPY', '254915'],
    [150, 'JPY', '2'],
    [-150, 'JPY', '-2'],
    [149, 'JPY', '1'],
    [-49, 'JPY', '0'],
    [1234, 'KWD', '12.340'],
    [-7, 'KWD', '-0.070'],
    [1234, 'CLF', '12.3400'],
    [1299, 'HUF', '12.99'],
    [1299, 'XXX', '12.99'],
    [8566.5, 'USD', '85.67'],
    [-8566.5, 'USD', '-85.67'],
    [-0.4, 'USD', '0.00'],
    [8566.25, 'KWD', '85.663'],
    [8566.25, 'JPY', '86'],
    // One cent more has no double of its own once it is divided by 100.
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
  ])('%d cents of %s are %s', (cents, currency, text) => {
    expect(unitsOf(cents, currency)).toBe(text)
  })

  it('a currency has the digits of ISO 4217, where Intl counts cash', () => {
    const differing = Intl.supportedValuesOf('currency').filter((currency) => {
      const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      return maximumFractionDigits !== currencyDigits(currency)
    })
    // Those that have decimals although nobody pays with them: with another currency a digit of ours would be wrong.
    expect(differing.filter((currency) => currencyDigits(currency) === 0)).toEqual([])
    expect(differing.filter((currency) => currencyDigits(currency) > 2)).toEqual(differing.includes('IQD') ? ['IQD'] : [])
  })
})

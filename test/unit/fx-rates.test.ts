import { describe, expect, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import { preferStored, ratesByDay } from '../../src/query/fx-rates.ts'

const rate = (date: string, from: string, to: string, value: string): FxRate => ({ date, from, to, rate: value })
const options = (currencies: readonly string[], through = '2024-03-02T11:00:00Z') => ({
  base: 'USD',
  currencies,
  through: new Date(through),
})

describe('rates by day', () => {
  it('carries the newest rate forward, over a leap day and up to the day of now', () => {
    const rates = [rate('2024-03-01', 'EUR', 'USD', '1.2'), rate('2024-02-27', 'EUR', 'USD', '1.1')]
    expect(ratesByDay(rates, options(['EUR']))).toEqual({
      name: 'fx_rate',
      columns: [
        { name: 'currency', type: 'text' },
        { name: 'day', type: 'date' },
        { name: 'rate', type: 'decimal' },
      ],
      rows: [
        ['EUR', '2024-02-27', '1.1'],
        ['EUR', '2024-02-28', '1.1'],
        ['EUR', '2024-02-29', '1.1'],
        ['EUR', '2024-03-01', '1.2'],
        ['EUR', '2024-03-02', '1.2'],
      ],
    })
  })

  it('has one row per currency and day, in order, and a currency without rates has none', () => {
    const rates = [rate('2024-03-02', 'GBP', 'USD', '1.3'), rate('2024-03-01', 'EUR', 'USD', '1.2')]
    expect(ratesByDay(rates, options(['GBP', 'CHF', 'EUR', 'EUR'])).rows).toEqual([
      ['EUR', '2024-03-01', '1.2'],
      ['EUR', '2024-03-02', '1.2'],
      ['GBP', '2024-03-02', '1.3'],
    ])
  })

  it('neither inverts nor crosses, and leaves out the base itself', () => {
    const rates = [
      rate('2024-03-01', 'USD', 'EUR', '0.9'),
      rate('2024-03-01', 'EUR', 'GBP', '0.8'),
      rate('2024-03-01', 'GBP', 'USD', '1.3'),
    ]
    expect(ratesByDay(rates, options(['EUR', 'USD'])).rows).toEqual([])
  })

  it('knows nothing of rates dated after now', () => {
    const rates = [
      rate('2024-03-03', 'EUR', 'USD', '1.2'),
      rate('2024-03-02', 'GBP', 'USD', '1.3'),
      rate('2024-03-03', 'GBP', 'USD', '9'),
    ]
    expect(ratesByDay(rates, options(['EUR', 'GBP'])).rows).toEqual([['GBP', '2024-03-02', '1.3']])
  })

  it('takes the later in the list of two for one day', () => {
    const rates = [rate('2024-03-02', 'EUR', 'USD', '1.1'), rate('2024-03-02', 'EUR', 'USD', '1.2')]
    expect(ratesByDay(rates, options(['EUR'])).rows).toEqual([['EUR', '2024-03-02', '1.2']])
  })

  it('fills years of days for many currencies', () => {
    const currencies = Array.from({ length: 20 }, (_, index) => `A${String.fromCharCode(65 + index)}A`)
    const rates = currencies.map((currency) => rate('2004-03-02', currency, 'USD', '1'))
    expect(ratesByDay(rates, options(currencies)).rows).toHaveLength(20 * 7_306)
  })
})

describe('rates that count', () => {
  it('the stored ones of a pair replace all of the engine for that pair, and only for that one', () => {
    const stored = [rate('2024-03-01', 'EUR', 'USD', '1.2')]
    const own = [
      rate('2020-01-01', 'EUR', 'USD', '1.1'),
      rate('2020-01-01', 'GBP', 'USD', '1.3'),
      rate('2020-01-01', 'EUR', 'GBP', '0.8'),
    ]
    expect(preferStored(stored, own)).toEqual([stored[0], own[1], own[2]])
    expect(preferStored([], own)).toEqual(own)
  })
})

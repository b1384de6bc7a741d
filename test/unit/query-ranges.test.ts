import { describe, expect, it } from 'vitest'
import type { AppError } from '../../src/core/errors.ts'
import { RANGE_INPUTS } from '../../src/query/inputs.ts'
import { daysOfRange, parseRange, RANGE_PATTERN } from '../../src/query/ranges.ts'
import { parseRequest } from '../../src/query/request.ts'

const NOW = new Date('2024-03-31T15:00:00Z')

const SERIES = { ...RANGE_INPUTS, dates: 'point_or_range', step: 'interval' } as const

function issuesOf(params: object): unknown {
  try {
    parseRequest({ ...params }, {}, SERIES, NOW)
    return []
  } catch (error) {
    return (error as AppError).issues?.map(({ code, where }) => [code, where])
  }
}

describe('a range by its name', () => {
  it.each([
    ['this-month', '2024-03-01', '2024-03-31'],
    ['last-month', '2024-02-01', '2024-02-29'],
    ['this-quarter', '2024-01-01', '2024-03-31'],
    ['last-quarter', '2023-10-01', '2023-12-31'],
    ['this-year', '2024-01-01', '2024-12-31'],
    ['last-year', '2023-01-01', '2023-12-31'],
    ['mtd', '2024-03-01', '2024-03-31'],
    ['qtd', '2024-01-01', '2024-03-31'],
    ['ytd', '2024-01-01', '2024-03-31'],
    ['all', '1900-01-01', '2024-03-31'],
    ['last-30-days', '2024-03-01', '2024-03-30'],
    ['last-1-day', '2024-03-30', '2024-03-30'],
    // The 31st is a Sunday, so the week of now begins on the 25th.
    ['last-2-weeks', '2024-03-11', '2024-03-24'],
    ['last-1-months', '2024-02-01', '2024-02-29'],
    ['last-12-months', '2023-03-01', '2024-02-29'],
    ['last-2-quarters', '2023-07-01', '2023-12-31'],
    ['last-3-years', '2021-01-01', '2023-12-31'],
  ])('%s is %s to %s', (name, start, end) => {
    const range = parseRange(name)
    expect(range && daysOfRange(range, NOW)).toEqual([start, end])
    expect(name).toMatch(RANGE_PATTERN)
    const { time } = parseRequest({ range: name, interval: 'year' }, {}, SERIES, NOW)
    expect(time).toMatchObject({ kind: 'range', start, end })
  })

  it('is none of these', () => {
    for (const name of ['', 'last-0-days', 'last-month-', 'LAST-MONTH', 'last-12345-days', 'last--2-days', 'toString', 3, null]) {
      expect(parseRange(name)).toBeUndefined()
      expect(String(name)).not.toMatch(RANGE_PATTERN)
    }
  })

  it('lies not ahead, for there are no forecasts, and the error says how far back it may reach', () => {
    const told = (params: Record<string, unknown>) => {
      try {
        parseRequest(params, {}, SERIES, NOW)
      } catch (error) {
        return String(error)
      }
      return ''
    }
    for (const range of ['last-0-days', 'last-12345-months'])
      expect(told({ range })).toContain(`"range" must count 1 to 9999 whole periods; got "${range}".`)
    expect(told({ range: 'next-month' })).toContain('"range" cannot be "next-month": there are no forecasts yet')
    expect(told({ range: 'ytd', forecast: 'true' })).toContain(
      '"forecast" is not available in this version: there are no forecasts yet',
    )
    expect(told({ range: 'next' })).toContain('"range" must be this-month')
  })

  it('stands alone, and after the beginning of time', () => {
    const both = [['invalid_range', 'params.range']]
    expect(issuesOf({ range: 'mtd', start: '2024-01-01' })).toEqual(both)
    expect(issuesOf({ range: 'mtd', start: '2024-01-01', end: '2024-02-01' })).toEqual(both)
    expect(issuesOf({ range: 'mtd', at: '2024-01-01' })).toEqual([['invalid_range', 'params.at']])
    expect(issuesOf({ range: 'last-200-years' })).toEqual([['invalid_value', 'params.range']])
    expect(issuesOf({ range: 'last-week' })).toEqual([['invalid_value', 'params.range']])
    expect(issuesOf({ range: 'all', interval: 'day' })).toEqual([['invalid_range', 'params.range']])
  })
})

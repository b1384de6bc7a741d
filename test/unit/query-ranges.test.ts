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
    // Never days to come: the year ends today.
    ['this-year', '2024-01-01', '2024-03-31'],
    ['last-year', '2023-01-01', '2023-12-31'],
    ['mtd', '2024-03-01', '2024-03-31'],
    ['qtd', '2024-01-01', '2024-03-31'],
    ['ytd', '2024-01-01', '2024-03-31'],
    ['all', '1900-01-01', '2024-03-31'],
    ['last-30-days', '2024-03-02', '2024-03-31'],
    ['last-1-day', '2024-03-31', '2024-03-31'],
    // The 31st is a Sunday, so the week of now begins on the 25th.
    ['last-2-weeks', '2024-03-18', '2024-03-31'],
    ['last-1-months', '2024-03-01', '2024-03-31'],
    ['last-12-months', '2023-04-01', '2024-03-31'],
    ['last-2-quarters', '2023-10-01', '2024-03-31'],
    ['last-3-years', '2022-01-01', '2024-03-31'],
    ['last-30-full-days', '2024-03-01', '2024-03-30'],
    ['last-1-full-day', '2024-03-30', '2024-03-30'],
    ['last-2-full-weeks', '2024-03-11', '2024-03-24'],
    ['last-1-full-months', '2024-02-01', '2024-02-29'],
    ['last-12-full-months', '2023-03-01', '2024-02-29'],
    ['last-2-full-quarters', '2023-07-01', '2023-12-31'],
    ['last-3-full-years', '2021-01-01', '2023-12-31'],
  ])('%s is %s to %s', (name, start, end) => {
    const range = parseRange(name)
    expect(range && daysOfRange(range, NOW)).toEqual([start, end])
    expect(name).toMatch(RANGE_PATTERN)
    const { time } = parseRequest({ range: name, interval: 'year' }, {}, SERIES, NOW)
    expect(time).toMatchObject({ kind: 'range', start, end })
  })

  it.each([
    // The first second of a month: the running month has one day.
    ['2026-11-01T00:00:00Z', 'this-month', '2026-11-01', '2026-11-01'],
    ['2026-11-01T00:00:00Z', 'last-12-months', '2025-12-01', '2026-11-01'],
    ['2026-11-01T00:00:00Z', 'last-12-full-months', '2025-11-01', '2026-10-31'],
    ['2026-11-01T00:00:00Z', 'last-month', '2026-10-01', '2026-10-31'],
    // The last second before it.
    ['2026-10-31T23:59:59Z', 'last-12-months', '2025-11-01', '2026-10-31'],
    ['2026-10-31T23:59:59Z', 'last-12-full-months', '2025-10-01', '2026-09-30'],
    ['2026-11-20T23:59:59Z', 'last-12-months', '2025-12-01', '2026-11-20'],
    ['2026-11-20T23:59:59Z', 'last-24-months', '2024-12-01', '2026-11-20'],
    ['2026-11-20T23:59:59Z', 'last-4-quarters', '2026-01-01', '2026-11-20'],
    ['2026-11-20T23:59:59Z', 'this-year', '2026-01-01', '2026-11-20'],
    // The first day of a year, a quarter and a month.
    ['2025-01-01T00:00:00Z', 'this-year', '2025-01-01', '2025-01-01'],
    ['2025-01-01T00:00:00Z', 'this-quarter', '2025-01-01', '2025-01-01'],
    ['2025-01-01T00:00:00Z', 'last-quarter', '2024-10-01', '2024-12-31'],
    ['2025-01-01T00:00:00Z', 'last-2-full-years', '2023-01-01', '2024-12-31'],
    // A leap day.
    ['2024-02-29T12:00:00Z', 'this-month', '2024-02-01', '2024-02-29'],
    ['2024-02-29T12:00:00Z', 'last-12-months', '2023-03-01', '2024-02-29'],
    ['2024-02-29T12:00:00Z', 'last-2-days', '2024-02-28', '2024-02-29'],
    // Monday is the first day of its week, Sunday the last.
    ['2026-11-23T00:00:00Z', 'last-1-week', '2026-11-23', '2026-11-23'],
    ['2026-11-22T23:59:59Z', 'last-1-week', '2026-11-16', '2026-11-22'],
    ['2026-11-22T23:59:59Z', 'last-1-full-week', '2026-11-09', '2026-11-15'],
  ])('at %s, %s is %s to %s', (now, name, start, end) => {
    const range = parseRange(name)
    expect(range && daysOfRange(range, new Date(now))).toEqual([start, end])
  })

  it('asks for no days to come, so nothing is clamped', () => {
    for (const range of ['this-month', 'this-quarter', 'this-year', 'mtd', 'last-12-months', 'last-1-week', 'all']) {
      const { warnings } = parseRequest({ range }, {}, SERIES, new Date('2026-11-20T10:00:00Z'))
      expect(warnings, range).toEqual([])
    }
  })

  it('is none of these', () => {
    for (const name of [
      '',
      'last-0-days',
      'last-month-',
      'LAST-MONTH',
      'last-12345-days',
      'last--2-days',
      'last-0-full-days',
      'last-full-months',
      'last-full-3-months',
      'toString',
      3,
      null,
    ]) {
      expect(parseRange(name)).toBeUndefined()
      expect(String(name)).not.toMatch(RANGE_PATTERN)
    }
  })

  it('lies ahead only in a forecast, and the error says how far it may reach', () => {
    const told = (params: Record<string, unknown>) => {
      try {
        parseRequest(params, {}, SERIES, NOW)
      } catch (error) {
        return String(error)
      }
      return ''
    }
    for (const range of ['last-0-days', 'last-12345-months', 'last-0-full-weeks', 'next-0-days'])
      expect(told({ range })).toContain(`"range" must count 1 to 9999 periods; got "${range}".`)
    expect(told({ range: 'last-full-12-months' })).toContain('"range" must be "last-12-full-months"')
    expect(told({ range: 'next-month' })).toContain('Days after today are known only as a forecast: add forecast=true.')
    expect(told({ range: 'ytd', forecast: 'true' })).toContain('"forecast" does not work on this query')
    expect(told({ range: 'next' })).toContain('"range" must be a named range such as this-month')
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

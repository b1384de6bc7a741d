import { describe, expect, it } from 'vitest'
import { daysOfRange, earlierDays, parseRange, upTo } from '../../src/query/ranges.ts'

describe('the days that an answer is compared with', () => {
  it.each([
    // Whole months, quarters and years have as many of them before.
    ['previous', ['2024-03-01', '2024-03-31'], ['2024-02-01', '2024-02-29']],
    ['previous', ['2025-01-01', '2025-03-31'], ['2024-10-01', '2024-12-31']],
    ['previous', ['2024-01-01', '2025-12-31'], ['2022-01-01', '2023-12-31']],
    // Anything else has as many days before.
    ['previous', ['2025-03-03', '2025-03-09'], ['2025-02-24', '2025-03-02']],
    ['previous', ['2025-03-01', '2025-03-30'], ['2025-01-30', '2025-02-28']],
    ['year', ['2025-02-01', '2025-02-28'], ['2024-02-01', '2024-02-29']],
    ['year', ['2024-02-10', '2024-02-29'], ['2023-02-10', '2023-02-28']],
  ] as const)('%s of %j is %j', (to, [start, end], [first, last]) => {
    expect(earlierDays({ start, end }, to)).toEqual({ start: first, end: last })
  })

  it.each([
    ['previous', '2025-03-15', '2025-02-15'],
    ['previous', '2025-03-30', '2025-02-28'],
    ['previous', '2025-02-28', '2025-01-31'],
    ['previous', '2025-01-31', '2024-12-31'],
    ['year', '2024-02-29', '2023-02-28'],
    ['year', '2025-02-28', '2024-02-29'],
    ['year', '2025-06-05', '2024-06-05'],
  ] as const)('%s of the day %s is %s', (to, at, before) => {
    expect(earlierDays({ at }, to)).toEqual({ at: before })
  })

  it('the instant next to a range goes with it', () => {
    const asked = { start: '2025-04-01', end: '2025-06-30', at: '2025-05-31' }
    expect(earlierDays(asked, 'previous')).toEqual({ start: '2025-01-01', end: '2025-03-31', at: '2025-02-28' })
    expect(earlierDays({ ...asked, start: '2025-06-21' }, 'previous')).toEqual({
      start: '2025-06-11',
      end: '2025-06-20',
      at: '2025-05-21',
    })
  })

  it.each([
    // Month to date: the same days of the month before.
    ['mtd', '2026-11-20', '2026-10-01', '2026-10-20'],
    ['this-month', '2026-11-01', '2026-10-01', '2026-10-01'],
    // The day that the month before lacks is its last one.
    ['mtd', '2026-03-30', '2026-02-01', '2026-02-28'],
    ['mtd', '2024-03-30', '2024-02-01', '2024-02-29'],
    // The last day of a month stays the last day, so the month is whole on both sides.
    ['mtd', '2026-11-30', '2026-10-01', '2026-10-31'],
    ['mtd', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['qtd', '2026-11-20', '2026-07-01', '2026-08-20'],
    ['qtd', '2026-12-31', '2026-07-01', '2026-09-30'],
    ['ytd', '2026-11-20', '2025-01-01', '2025-11-20'],
    ['ytd', '2024-02-29', '2023-01-01', '2023-02-28'],
    ['last-3-months', '2026-11-20', '2026-06-01', '2026-08-20'],
    ['last-12-months', '2026-11-20', '2024-12-01', '2025-11-20'],
    ['last-12-months', '2026-11-01', '2024-12-01', '2025-11-01'],
    ['last-4-quarters', '2026-11-20', '2025-01-01', '2025-11-20'],
    ['last-2-years', '2026-11-20', '2023-01-01', '2024-11-20'],
    // 2026-11-20 is a Friday: Monday to Friday, two weeks earlier.
    ['last-2-weeks', '2026-11-20', '2026-10-26', '2026-11-06'],
    ['last-30-days', '2026-11-20', '2026-09-22', '2026-10-21'],
    // Whole periods have as many whole periods before.
    ['last-month', '2026-11-20', '2026-09-01', '2026-09-30'],
    ['last-12-full-months', '2026-11-20', '2024-11-01', '2025-10-31'],
    ['last-2-full-weeks', '2026-11-20', '2026-10-19', '2026-11-01'],
  ])('previous of %s on %s is %s to %s', (name, today, start, end) => {
    const range = parseRange(name)
    if (range === undefined) throw new Error(name)
    const [first, last] = daysOfRange(range, new Date(`${today}T00:00:00Z`))
    expect(earlierDays({ start: first, end: last }, 'previous', range)).toEqual({ start, end })
  })

  it('a year before is the same for a range by its name', () => {
    const range = parseRange('last-12-months')
    const asked = { start: '2025-12-01', end: '2026-11-20', at: '2026-10-31' }
    expect(earlierDays(asked, 'year', range)).toEqual({ start: '2024-12-01', end: '2025-11-20', at: '2025-10-31' })
    expect(earlierDays(asked, 'previous', range)).toEqual({ start: '2024-12-01', end: '2025-11-20', at: '2025-10-31' })
  })

  it.each([
    [{ at: '2026-12-31' }, { at: '2026-11-20' }],
    [{ at: '2026-11-19' }, { at: '2026-11-19' }],
    [
      { start: '2026-11-01', end: '2026-12-31' },
      { start: '2026-11-01', end: '2026-11-20' },
    ],
    [
      { start: '2026-11-20', end: '2026-11-21', at: '2026-11-22' },
      { start: '2026-11-20', end: '2026-11-20', at: '2026-11-20' },
    ],
    // Nothing of this range has begun.
    [
      { start: '2026-11-21', end: '2026-11-30' },
      { start: '2026-11-21', end: '2026-11-30' },
    ],
  ])('%j on 2026-11-20 is %j', (asked, days) => {
    expect(upTo('2026-11-20', asked)).toEqual(days)
  })
})

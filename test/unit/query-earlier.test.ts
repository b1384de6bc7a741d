import { describe, expect, it } from 'vitest'
import { earlierDays } from '../../src/query/ranges.ts'

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
})

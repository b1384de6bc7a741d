import { describe, expect, it } from 'vitest'
import type { CommandInput } from '../../src/facades/cli/command.ts'
import { withDayWords } from '../../src/facades/cli/day-words.ts'
import type { OptionName } from '../../src/facades/cli/options.ts'

const TODAY = '2026-11-20'

/** The options after their words were read. */
function read(
  options: Readonly<Partial<Record<OptionName, string>>>,
  untilToday = true,
  { today = TODAY, isMonth = false } = {},
): Record<string, string | undefined> {
  const values = new Map(Object.entries(options).map(([name, value = '']) => [name as OptionName, [value]]))
  const input: CommandInput = { values, flags: new Set(), positionals: [] }
  return Object.fromEntries([...withDayWords(input, today, untilToday, isMonth).values].map(([name, [value]]) => [name, value]))
}

describe('words for days', () => {
  it.each([
    ['today', '2026-11-20', '2026-11-20'],
    ['yesterday', '2026-11-19', '2026-11-19'],
    ['2026-10', '2026-10-01', '2026-10-31'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['2026-Q3', '2026-07-01', '2026-09-30'],
    ['2026q3', '2026-07-01', '2026-09-30'],
    ['2025', '2025-01-01', '2025-12-31'],
    ['last month', '2026-10-01', '2026-10-31'],
    ['Last  Quarter', '2026-07-01', '2026-09-30'],
    ['this_year', '2026-01-01', '2026-11-20'],
    ['last 30 days', '2026-10-22', '2026-11-20'],
    // A running period ends today.
    ['2026-11', '2026-11-01', '2026-11-20'],
    ['2026', '2026-01-01', '2026-11-20'],
    ['2027-01', '2027-01-01', '2027-01-31'],
  ])('%s is %s to %s', (word, start, end) => {
    expect(read({ start: word, end: word })).toEqual({ start, end })
    expect(read({ at: word })).toEqual({ at: end })
    expect(read({ since: word })).toEqual({ since: start })
  })

  it('a range is a name or its days', () => {
    expect(read({ range: 'Last month' })).toEqual({ range: 'last-month' })
    expect(read({ range: 'last 12 full months' })).toEqual({ range: 'last-12-full-months' })
    expect(read({ range: 'yesterday' })).toEqual({ start: '2026-11-19', end: '2026-11-19' })
    expect(read({ range: '2026-Q4' })).toEqual({ start: '2026-10-01', end: '2026-11-20' })
    expect(read({ range: '2026-Q4' }, false)).toEqual({ start: '2026-10-01', end: '2026-12-31' })
  })

  it.each(['2026-10-31', '31.10.2026', '2026-13', '2026-Q5', '0000', 'soon', 'all', ''])('%s stays for the engine', (word) => {
    expect(read({ at: word })).toEqual({ at: word })
  })

  it.each([
    ['2026-10', '2026-10'],
    ['last month', '2026-10'],
    ['this month', '2026-11'],
    ['2026-Q3', '2026-Q3'],
    ['yesterday', 'yesterday'],
  ])('%s as a month is %s', (word, month) => {
    expect(read({ period: word }, true, { isMonth: true })).toEqual({ period: month })
  })

  it.each([
    ['today', '2026-11-01'],
    ['yesterday', '2026-11-02'],
  ])('%s is no month on %s either', (word, today) => {
    expect(read({ period: word }, true, { today, isMonth: true })).toEqual({ period: word })
  })

  it('days and a range are refused together', () => {
    expect(() => read({ range: '2026-10', start: '2026-01-01' })).toThrow('--range replaces --start and --end')
    // The engine refuses a named range with the same reason.
    expect(read({ range: 'last-month', start: '2026-01' })).toEqual({ range: 'last-month', start: '2026-01-01' })
  })
})

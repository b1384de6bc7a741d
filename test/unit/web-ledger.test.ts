import { describe, expect, it } from 'vitest'
import { dayChoices, ledgerMonth, monthChoices, yearMonths } from '../../src/web/ledger/months.ts'
import { EARLIER, waterfallColumns, waterfallRows } from '../../src/web/ledger/waterfall-rows.ts'

const TODAY = '2026-11-20'

describe('the month of the ledger', () => {
  it.each([
    [undefined, '2026-11-20', '2026-10-01', '2026-10-31', 'Oct 2026'],
    [undefined, '2026-11-30', '2026-10-01', '2026-10-31', 'Oct 2026'],
    [undefined, '2026-01-01', '2025-12-01', '2025-12-31', 'Dec 2025'],
    ['2026-02-01', TODAY, '2026-02-01', '2026-02-28', 'Feb 2026'],
    ['2026-02-17', TODAY, '2026-02-01', '2026-02-28', 'Feb 2026'],
    ['2026-11-01', TODAY, '2026-11-01', '2026-11-20', 'Nov 1–20, 2026'],
  ])('%s on %s begins on %s', (asked, today, start, end, name) => {
    expect(ledgerMonth(asked, today)).toMatchObject({ start, end, name })
  })

  it.each(['2026-02-30', '2026-13-01', '2026-10', 'soon', '2026-11-21', '2026-12-01'])('is not %s', (asked) => {
    expect(ledgerMonth(asked, TODAY)).toBeUndefined()
  })

  it('has twelve months up to it, and is in the menu however old it is', () => {
    const month = { start: '2020-03-01' }
    expect([yearMonths(month).length, yearMonths(month)[0], yearMonths(month).at(-1)]).toEqual([12, '2019-04-01', '2020-03-01'])
    expect(ledgerMonth(month.start, TODAY)?.yearStart).toBe('2019-04-01')
    expect(monthChoices(month.start, TODAY).at(-1)).toEqual({ value: '2020-03-01', label: 'Mar 2020' })
    expect(monthChoices('2026-10-01', TODAY).filter(({ value }) => value === '2026-10-01')).toHaveLength(1)
  })

  it('offers yesterday, ends of months and a year ago', () => {
    const days = dayChoices('2026-03-01').map(({ value }) => value)
    expect(days.slice(0, 4)).toEqual(['2026-03-01', '2026-02-28', '2026-02-28', '2026-01-31'])
    expect(days.at(-1)).toBe('2025-03-01')
    expect(new Set(dayChoices('2026-03-01').map(({ label }) => label)).size).toBe(days.length)
  })
})

describe('the waterfall as a table', () => {
  const row = (booked_month: string | null, recognized_month: string, recognized: number, others: readonly number[]) => {
    const [booked, adjusted, remaining] = others
    return { booked_month, recognized_month, recognized, booked, adjusted, remaining }
  }
  const ROWS = [
    row('2025-01-01', '2025-01-01', 10, [100, -10, 40]),
    row('2025-01-01', '2025-03-01', 40, [100, -10, 40]),
    row('2025-02-01', '2025-02-01', 5, [7, 0, 0]),
    row('2025-02-01', '2025-04-01', 2, [7, 0, 0]),
    row('2025-03-01', '2025-02-01', 3, [20, 0, 6]),
    row('2025-03-01', '2025-03-01', 11, [20, 0, 6]),
    row(null, '2025-04-01', 4, [0, 0, -4]),
  ]
  const MONTHS = ['2025-03-01', '2025-04-01']

  it('has earlier months in one row and one column, and what is not billed last', () => {
    expect(waterfallRows(ROWS, MONTHS)).toEqual([
      { booked_month: EARLIER, [EARLIER]: 15, '2025-03-01': 40, '2025-04-01': 2, booked: 107, adjusted: -10, remaining: 40 },
      { booked_month: '2025-03-01', [EARLIER]: 3, '2025-03-01': 11, booked: 20, adjusted: 0, remaining: 6 },
      { booked_month: null, '2025-04-01': 4, booked: 0, adjusted: 0, remaining: -4 },
    ])
    const columns = waterfallColumns(waterfallRows(ROWS, MONTHS), MONTHS)
    expect(columns).toEqual([EARLIER, ...MONTHS, 'booked', 'adjusted', 'remaining'])
  })

  it('is empty without rows', () => {
    expect(waterfallRows([], MONTHS)).toEqual([])
  })
})

import { expect, it } from 'vitest'
import { averageOf, cohortsOf } from '../../src/web/pages/cohorts.ts'
import { averageRate, revenueCohortsOf } from '../../src/web/pages/revenue-cohorts.ts'

/** Rows of the matrix: the active customers of a cohort for each month from its own. The last month of all is not over. */
function rowsOf(cohort: string, months: readonly string[], active: readonly number[], running: string) {
  return active.map((count, since) => ({
    cohort_month: cohort,
    active_month: months[months.indexOf(cohort) + since],
    months_since: since,
    cohort_size: active[0],
    active_count: count,
    retention_rate: count / Number(active[0]),
    is_complete: months[months.indexOf(cohort) + since] !== running,
  }))
}

const MONTHS = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01', '2025-07-01', '2025-08-01']

it('a quarter adds up the cohorts of the worked example (definitions.md): 5 customers, 4 of them at the end of May', () => {
  const example = MONTHS.slice(0, 5)
  const rows = [...rowsOf('2025-01-01', example, [4, 4, 4, 3, 3], 'none'), ...rowsOf('2025-02-01', example, [1, 1, 1, 1], 'none')]
  expect(cohortsOf(rows, 'quarter')).toEqual([
    {
      start: '2025-01-01',
      length: 'quarter',
      months: ['2025-01-01', '2025-02-01'],
      size: 5,
      cells: [
        { month: '2025-03-01', active: 5, rate: 1, isComplete: true },
        // May is over, and its quarter is not.
        { month: '2025-05-01', active: 4, rate: 0.8, isComplete: false },
      ],
    },
  ])
})

it('in its first quarter a cohort counts all its customers, and later those at the end of each quarter', () => {
  const rows = [
    ...rowsOf('2025-01-01', MONTHS, [10, 9, 8, 8, 7, 6, 6, 5], '2025-08-01'),
    ...rowsOf('2025-03-01', MONTHS, [5, 5, 4, 4, 4, 3], '2025-08-01'),
    ...rowsOf('2025-05-01', MONTHS, [2, 1, 1, 1], '2025-08-01'),
    ...rowsOf('2025-08-01', MONTHS, [3], '2025-08-01'),
  ]
  const cohorts = cohortsOf(rows, 'quarter')
  expect(cohorts.map(({ start, size, cells }) => [start, size, cells.map((cell) => [cell?.active, cell?.isComplete])])).toEqual([
    // 8 + 5 are left at the end of March. 6 + 4 at the end of June, 5 + 3 in August, which is not over.
    [
      '2025-01-01',
      15,
      [
        [15, true],
        [10, true],
        [8, false],
      ],
    ],
    [
      '2025-04-01',
      2,
      [
        [2, true],
        [1, false],
      ],
    ],
    ['2025-07-01', 3, [[3, false]]],
  ])
  // Only the cohort of the first quarter has completed one more.
  expect(averageOf(cohorts, 1)).toMatchObject({ active: 10, size: 15 })
  expect(averageOf(cohorts, 0)).toMatchObject({ active: 17, size: 17, rate: 1 })
  expect(averageOf(cohorts, 2)).toBeNull()
  expect(cohortsOf(rows).map(({ size }) => size)).toEqual([10, 5, 2, 3])
})

it('revenue cohorts of the worked example: larger cohorts weigh more, and only completed months count (D71)', () => {
  const row = (
    cohort_month: string,
    months_since: number,
    start_mrr: number,
    mrr: number,
    gross: number,
    is_complete = true,
  ) => ({
    ...{ cohort_month, months_since, start_mrr, mrr, is_complete },
    ...{ net_retention_rate: mrr / start_mrr, gross_retention_rate: gross },
  })
  const cohorts = revenueCohortsOf([
    row('2025-01-01', 0, 17233, 17233, 1),
    row('2025-01-01', 1, 17233, 17833, 1),
    row('2025-01-01', 2, 17233, 17983, 0.709859),
    row('2025-02-01', 0, 11000, 11000, 1),
    row('2025-02-01', 1, 11000, 11000, 1),
    row('2025-02-01', 2, 11000, 19200, 1, false),
  ])
  expect(cohorts.map(({ month, start, cells }) => [month, start, cells.length])).toEqual([
    ['2025-01-01', 17233, 3],
    ['2025-02-01', 11000, 3],
  ])
  expect(averageRate(cohorts, 1, 'net_retention_rate')).toBe((17833 + 11000) / (17233 + 11000))
  expect(averageRate(cohorts, 2, 'net_retention_rate')).toBe(17983 / 17233)
  expect(averageRate(cohorts, 2, 'gross_retention_rate')).toBeCloseTo(0.709859, 10)
  expect(averageRate(cohorts, 3, 'net_retention_rate')).toBeNull()
})

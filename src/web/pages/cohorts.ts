import { numberIn, type Row, textIn } from '../api/use-answer.ts'

/** Customers of a month and how many of them were active in each month since. */
export interface Cohort {
  readonly month: string
  readonly size: number
  /** By months since; absent where that month has not begun. */
  readonly cells: readonly (CohortCell | undefined)[]
}

export interface CohortCell {
  readonly month: string
  readonly active: number
  readonly rate: number | null
  readonly isComplete: boolean
}

/** Rows of the cohort matrix as a triangle. */
export function cohortsOf(rows: readonly Row[]): readonly Cohort[] {
  const byMonth = Map.groupBy(rows, (row) => textIn(row, 'cohort_month') ?? '')
  return [...byMonth].map(([month, own]) => {
    const bySince = new Map(own.map((row) => [numberIn(row, 'months_since') ?? 0, cellOf(row)]))
    const last = Math.max(...bySince.keys())
    return {
      month,
      size: numberIn(own[0], 'cohort_size') ?? 0,
      cells: Array.from({ length: last + 1 }, (_, since) => bySince.get(since)),
    }
  })
}

/** What the cohorts that have completed a month come to together: every customer counts once. */
export interface Average {
  /** The month, in months since a cohort began. */
  readonly since: number
  readonly active: number
  readonly size: number
  readonly rate: number
  /** The cohorts in it. */
  readonly months: readonly string[]
}

/** Of all cohorts together, the share active so many months on; only of the cohorts that have come so far. */
export function averageOf(cohorts: readonly Cohort[], since: number): Average | null {
  const reached = cohorts.filter(({ cells }) => cells[since]?.isComplete === true)
  const size = reached.reduce((sum, cohort) => sum + cohort.size, 0)
  const active = reached.reduce((sum, { cells }) => sum + (cells[since]?.active ?? 0), 0)
  return size === 0 ? null : { since, active, size, rate: active / size, months: reached.map(({ month }) => month) }
}

function cellOf(row: Row): CohortCell {
  return {
    month: textIn(row, 'active_month') ?? '',
    active: numberIn(row, 'active_count') ?? 0,
    rate: numberIn(row, 'retention_rate'),
    isComplete: row['is_complete'] === true,
  }
}

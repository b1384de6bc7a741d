import { formatPeriod, lastDayOf } from '../format/days.ts'

/** A row of the cohort matrix. */
type Row = Readonly<Record<string, unknown>>

export type CohortLength = 'month' | 'quarter'

/** Customers that started in the same month or quarter. Each later period has the number of customers that were still active. */
export interface Cohort {
  /** First day of the month or quarter. */
  readonly start: string
  readonly length: CohortLength
  /** The start months in it that have customers. */
  readonly months: readonly string[]
  readonly size: number
  /** By periods since the start. Undefined for a period that has not begun. */
  readonly cells: readonly (CohortCell | undefined)[]
}

export interface CohortCell {
  /** The month whose end the cell counts. In a quarter it is the last month that the answer has. */
  readonly month: string
  readonly active: number
  readonly rate: number | null
  readonly isComplete: boolean
}

/** Name of a cohort: its month or quarter. */
export function nameOfCohort({ start, length }: Pick<Cohort, 'start' | 'length'>): string {
  return formatPeriod(start, length)
}

/** Cohorts from the rows of the cohort matrix, by month or by quarter. */
export function cohortsOf(rows: readonly Row[], length: CohortLength = 'month'): readonly Cohort[] {
  const byMonth = groupBy(rows, (row) => String(row['cohort_month']))
  const monthly = [...byMonth].map(([start, own]): Cohort => {
    const bySince = new Map(own.map((row) => [Number(row['months_since']), cellOf(row)]))
    const last = Math.max(...bySince.keys())
    return {
      start,
      length: 'month',
      months: [start],
      size: Number(own[0]?.['cohort_size']),
      cells: Array.from({ length: last + 1 }, (_, since) => bySince.get(since)),
    }
  })
  return length === 'month' ? monthly : quarterly(monthly)
}

/** Cohorts by quarter. Every customer has one start month, so monthly cohorts add up (definitions.md D48). */
function quarterly(monthly: readonly Cohort[]): readonly Cohort[] {
  const byQuarter = groupBy(monthly, ({ start }) => quarterOf(start))
  return [...byQuarter].map(([start, own]) => {
    const size = own.reduce((sum, cohort) => sum + cohort.size, 0)
    const cells = own.flatMap((cohort) => cohort.cells.filter((cell) => cell !== undefined))
    const ofQuarter = groupBy(cells, ({ month }) => quarterOf(month))
    const quarters = [...ofQuarter.keys()].sort()
    return {
      start,
      length: 'quarter' as const,
      months: own.map((cohort) => cohort.start),
      size,
      cells: quarters.map((quarter, since) => quarterCell(quarter, ofQuarter.get(quarter) ?? [], size, since === 0)),
    }
  })
}

/** All customers count in the first quarter. A later quarter counts those that are active at its end. */
function quarterCell(quarter: string, cells: readonly CohortCell[], size: number, isFirst: boolean): CohortCell {
  const month = cells.map((cell) => cell.month).reduce((last, one) => (one > last ? one : last))
  const last = cells.filter((cell) => cell.month === month)
  const isLastOfQuarter = lastDayOf(month, 'month') === lastDayOf(quarter, 'quarter')
  const active = isFirst ? size : last.reduce((sum, cell) => sum + cell.active, 0)
  return {
    month,
    active,
    rate: active / size,
    isComplete: isLastOfQuarter && last.every(({ isComplete }) => isComplete),
  }
}

export const MONTHS_OF_QUARTER = 3

/** First day of the quarter of a month, which is given by its first day. */
export function quarterOf(month: string): string {
  const first = Math.floor((Number(month.slice(5, 7)) - 1) / MONTHS_OF_QUARTER) * MONTHS_OF_QUARTER + 1
  return `${month.slice(0, 4)}-${String(first).padStart(2, '0')}-01`
}

/** All cohorts that have completed a period, added up. Every customer counts once, so larger cohorts weigh more. */
export interface Average {
  /** Periods since the start. */
  readonly since: number
  readonly active: number
  readonly size: number
  readonly rate: number
  /** The included cohorts. */
  readonly cohorts: readonly Cohort[]
}

/** The active share of all cohorts that have completed period `since`. Null if no cohort has completed it. */
export function averageOf(cohorts: readonly Cohort[], since: number): Average | null {
  const reached = cohorts.filter(({ cells }) => cells[since]?.isComplete === true)
  const size = reached.reduce((sum, cohort) => sum + cohort.size, 0)
  const active = reached.reduce((sum, { cells }) => sum + (cells[since]?.active ?? 0), 0)
  return size === 0 ? null : { since, active, size, rate: active / size, cohorts: reached }
}

/** The cell of a row of the cohort matrix. */
export function cellOf(row: Row): CohortCell {
  return {
    month: String(row['active_month']),
    active: Number(row['active_count']),
    rate: typeof row['retention_rate'] === 'number' ? row['retention_rate'] : null,
    isComplete: row['is_complete'] === true,
  }
}

// Tests of this file run in Node 20, which has no `Map.groupBy`.
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const own = groups.get(keyOf(item))
    if (own === undefined) groups.set(keyOf(item), [item])
    else own.push(item)
  }
  return groups
}

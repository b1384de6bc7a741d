import { filteredTo, filtersOf } from '../api/question.ts'
import { numberIn, type Row, textIn } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import type { Drill } from '../parts/drill.tsx'
import type { Leads } from '../parts/drill-panel.tsx'
import { BY_CUSTOMER, spanOf } from './drills.ts'

/** Customers that started in the same month. Each later month has the number of customers that were still active. */
export interface Cohort {
  readonly month: string
  readonly size: number
  /** By months since the start. Undefined for a month that has not begun. */
  readonly cells: readonly (CohortCell | undefined)[]
}

export interface CohortCell {
  readonly month: string
  readonly active: number
  readonly rate: number | null
  readonly isComplete: boolean
}

/** Cohorts from the rows of the cohort matrix. */
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

/** All cohorts that have completed a month, added up. Every customer counts once, so larger cohorts weigh more. */
interface Average {
  /** Months since the start. */
  readonly since: number
  readonly active: number
  readonly size: number
  readonly rate: number
}

/** The active share of all cohorts that have completed month `since`. Null if no cohort has completed it. */
export function averageOf(cohorts: readonly Cohort[], since: number): Average | null {
  const reached = cohorts.filter(({ cells }) => cells[since]?.isComplete === true)
  const size = reached.reduce((sum, cohort) => sum + cohort.size, 0)
  const active = reached.reduce((sum, { cells }) => sum + (cells[since]?.active ?? 0), 0)
  return size === 0 ? null : { since, active, size, rate: active / size }
}

function cellOf(row: Row): CohortCell {
  return {
    month: textIn(row, 'active_month') ?? '',
    active: numberIn(row, 'active_count') ?? 0,
    rate: numberIn(row, 'retention_rate'),
    isComplete: row['is_complete'] === true,
  }
}

/** The parameters that cohorts depend on. Customers of all compared segments are included. */
type CohortPage = Pick<PageState, 'compared' | 'days' | 'range'>

/** The question for the cohorts of a page. */
export function cohortQuestion({ compared, range }: Pick<CohortPage, 'compared' | 'range'>) {
  return { path: '/api/metrics/retention', query: { ...compared, ...range } } as const
}

/** Customers of a cohort, with a row for each month up to `month`. The row says whether the customer was active. */
export function cohortDrill({ compared, days }: CohortPage, cohort: string, month: string): Drill {
  const { end } = spanOf(month, 'month', days)
  const filter = filteredTo(filtersOf(compared), 'cohort_month', cohort)
  return {
    title: `${formatPeriod(cohort, 'month')} cohort through ${formatPeriod(month, 'month')}`,
    question: {
      path: '/api/metrics/retention',
      query: { ...compared, start: cohort, end, filter, dimensions: BY_CUSTOMER, order: '-active_month,-active_count' },
    },
    fields: ['customer_name', 'active_month', 'active_count'],
    note: 'One row per customer and month. 1 means that the customer was active at the end of the month.',
  }
}

/** The cohorts behind an average, with their size and active customers. Both numbers open the customers. */
export function averageDrill(page: CohortPage, { since, active, size }: Average): Drill {
  const made = `${formatValue(active, 'count')} of ${formatValue(size, 'count')} customers`
  return {
    title: since === 0 ? 'All cohorts in their first month' : `All cohorts after ${since} ${since === 1 ? 'month' : 'months'}`,
    question: cohortQuestion(page),
    only: { months_since: String(since), is_complete: 'true' },
    leads: COHORT,
    fields: ['cohort_month', 'cohort_size', 'active_count', 'retention_rate'],
    sum: 'active_count',
    note: `${made}. Every customer counts once, so larger cohorts weigh more. Cohorts that have not completed this month are excluded. The API call and the downloads include every cohort and month.`,
  }
}

const COHORT = 'cohort'

/** The rule for the numbers in the panel of an average. */
export const COHORT_LEADS: Leads = new Map([[COHORT, leadOf]])

function leadOf(page: CohortPage, row: Row, field: string): Drill | undefined {
  const cohort = textIn(row, 'cohort_month') ?? ''
  if (field === 'cohort_size') return cohortDrill(page, cohort, cohort)
  return field === 'active_count' || field === 'retention_rate'
    ? cohortDrill(page, cohort, textIn(row, 'active_month') ?? '')
    : undefined
}

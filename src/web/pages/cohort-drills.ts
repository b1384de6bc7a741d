import type { Query } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { formatDay, formatPeriod } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import type { Drill } from '../parts/drill.tsx'
import type { Leads } from '../parts/drill-panel.tsx'
import { rowsBehind } from '../parts/rows-behind.ts'
import {
  type Average,
  type Cohort,
  type CohortCell,
  type CohortLength,
  cellOf,
  cohortsOf,
  MONTHS_OF_QUARTER,
  nameOfCohort,
  quarterOf,
} from './cohorts.ts'
import { spanOf } from './drills.ts'

/** The parameters that cohorts depend on. Customers of all compared segments are included. */
type CohortPage = Pick<PageState, 'compared' | 'days' | 'range'>

/** The question for the cohorts of a page. Cohorts by quarter begin with a whole quarter. */
export function cohortQuestion({ compared, days, range }: CohortPage, length: CohortLength) {
  const { start } = days
  const span = length === 'month' || start === undefined ? range : { start: quarterOf(start), end: days.end }
  return { path: '/api/metrics/retention', query: { ...compared, ...span } } as const
}

/** The question for the MRR of the cohorts of a page. */
export function revenueCohortQuestion({ compared, range }: CohortPage) {
  return { path: '/api/metrics/retention', query: { ...compared, ...range, query_type: 'revenue_cohort_matrix' } } as const
}

/** MRR of a cohort at the end of a month, or at the end of its first month. */
export function revenueCohortDrill(page: CohortPage, cohort: string, month: string, field: 'mrr' | 'start_mrr'): Drill {
  const { end } = spanOf(field === 'mrr' ? month : cohort, 'month', page.days)
  const measures = field === 'mrr' ? ['mrr', 'start_mrr'] : ['start_mrr']
  return {
    title: `${formatPeriod(cohort, 'month')} cohort at the end of ${formatDay(end)}: MRR`,
    ...cellRows(page, cohort, month, measures, { query_type: 'revenue_cohort_matrix' }),
  }
}

/** Customers of a cohort. */
export function sizeDrill(page: CohortPage, cohort: Cohort): Drill {
  const customers = formatValue(cohort.size, 'count')
  const title = `${nameOfCohort(cohort)} cohort: ${cohort.size === 1 ? '1 customer' : `${customers} customers`}`
  return cohort.length === 'month'
    ? { title, ...cellRows(page, cohort.start, cohort.start, ['cohort_size']) }
    : monthsOf(page, cohort, { months_since: '0' }, title, 'cohort_size')
}

/** Customers of a cohort that were still active at the end of a month, and those that were not. */
export function cohortDrill(page: CohortPage, cohort: Cohort, { month }: Pick<CohortCell, 'month'>): Drill {
  const { end } = spanOf(month, 'month', page.days)
  const title = `${nameOfCohort(cohort)} cohort at the end of ${formatDay(end)}`
  const note = 'Paused and free customers count as active.'
  return cohort.length === 'month'
    ? { title, note, ...cellRows(page, cohort.start, month, ['active_count', 'left_count', 'cohort_size']) }
    : { ...monthsOf(page, cohort, { active_month: month }, title, 'active_count'), note }
}

// Cohorts by quarter may begin before the range of the page. The rows of a cell need no other months than its own.
function cellRows(page: CohortPage, cohort_month: string, active_month: string, measures: readonly string[], query: Query = {}) {
  const { end } = spanOf(active_month, 'month', page.days)
  return rowsBehind('retention', { ...page.compared, ...query, start: cohort_month, end, cohort_month, active_month }, measures)
}

/** The monthly cohorts of a quarter. Their numbers open the customers. */
function monthsOf(
  page: CohortPage,
  { months, length }: Cohort,
  only: NonNullable<Drill['only']>,
  title: string,
  sum: string,
): Drill {
  return {
    title,
    question: cohortQuestion(page, length),
    only: { ...only, cohort_month: months },
    leads: COHORT,
    fields: FIELDS,
    sum,
  }
}

const FIELDS = ['cohort_month', 'cohort_size', 'active_count', 'retention_rate']

/** The cohorts behind an average, with their size and active customers. Both numbers open the customers. */
export function averageDrill(page: CohortPage, { since, active, size, cohorts }: Average): Drill {
  const made = `${formatValue(active, 'count')} of ${formatValue(size, 'count')} customers`
  const length = cohorts[0]?.length ?? 'month'
  const after = since === 1 ? `1 ${length}` : `${since} ${length}s`
  const byMonth = length === 'month' ? '' : ' The rows are monthly cohorts, counted at the end of the quarter.'
  return {
    title: since === 0 ? `All cohorts in their first ${length}` : `All cohorts after ${after}`,
    question: cohortQuestion(page, length),
    only: onlyOf(cohorts, since),
    leads: COHORT,
    fields: FIELDS,
    sum: 'active_count',
    note: `${made}. Every customer counts once, so larger cohorts weigh more. Cohorts that have not completed this ${length} are excluded.${byMonth} The API call and the downloads include every cohort and month.`,
  }
}

/** The rows of the matrix that an average adds up: every start month of its cohorts, at the month that each cell counts. */
function onlyOf(cohorts: readonly Cohort[], since: number): NonNullable<Drill['only']> {
  const step = cohorts[0]?.length === 'quarter' ? MONTHS_OF_QUARTER : 1
  if (since === 0) return { months_since: '0', cohort_month: cohorts.flatMap(({ months }) => months) }
  return {
    months_since: Array.from({ length: step }, (_, place) => String(since * step + place)),
    active_month: cohorts.flatMap(({ cells }) => cells[since]?.month ?? []),
  }
}

const COHORT = 'cohort'

/** The rule for the numbers in the panel of an average. */
export const COHORT_LEADS: Leads = new Map([[COHORT, leadOf]])

function leadOf(page: CohortPage, row: Row, field: string): Drill | undefined {
  const [cohort] = cohortsOf([row])
  const cell = cellOf(row)
  if (cohort === undefined) return undefined
  if (field === 'cohort_size') return sizeDrill(page, cohort)
  return field === 'active_count' || field === 'retention_rate' ? cohortDrill(page, cohort, cell) : undefined
}

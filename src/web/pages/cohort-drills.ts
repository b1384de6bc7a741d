import { filtersOf } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { formatDay, formatPeriod } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import type { Drill } from '../parts/drill.tsx'
import type { Leads } from '../parts/drill-panel.tsx'
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
import { BY_CUSTOMER, spanOf } from './drills.ts'

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

/** MRR of each customer of a cohort at the end of a month, and at the end of its first month. */
export function revenueCohortDrill(page: CohortPage, cohort: string, month: string): Drill {
  const { compared, days } = page
  const { end } = spanOf(month, 'month', days)
  const others = filtersOf(compared).filter((filter) => !filter.startsWith('cohort_month='))
  return {
    title: `${formatPeriod(cohort, 'month')} cohort at the end of ${formatDay(end)}: MRR by customer`,
    question: {
      path: '/api/metrics/retention',
      query: {
        ...compared,
        query_type: 'revenue_cohort_matrix',
        start: cohort,
        end,
        filter: [...others, `cohort_month=${cohort}`],
        dimensions: BY_CUSTOMER,
        order: '-active_month,-mrr,customer_name',
      },
    },
    only: { active_month: month },
    fields: ['customer_name', 'start_mrr', 'mrr', 'net_retention_rate', 'gross_retention_rate'],
    sum: 'mrr',
  }
}

/** Customers of a cohort. */
export function sizeDrill(page: CohortPage, cohort: Cohort): Drill {
  const customers = formatValue(cohort.size, 'count')
  return {
    ...membersOf(page, cohort, cohort.cells.findLast((cell) => cell !== undefined)?.month ?? cohort.start),
    title: `${nameOfCohort(cohort)} cohort: ${cohort.size === 1 ? '1 customer' : `${customers} customers`}`,
  }
}

/** Customers of a cohort in two lists: those that were still active at the end of a month, and those that were not. */
export function cohortDrill(page: CohortPage, cohort: Cohort, { month }: CohortCell): Drill {
  const { end } = spanOf(month, 'month', page.days)
  return {
    ...membersOf(page, cohort, month),
    title: `${nameOfCohort(cohort)} cohort at the end of ${formatDay(end)}`,
    lists: {
      field: 'active_count',
      choices: [
        { value: 0, label: 'Left' },
        { value: 1, label: 'Stayed' },
      ],
    },
    note: 'Paused and free customers count as stayed.',
  }
}

/**
 * The customers of a cohort with their state at the end of a month. The answer has a row for each customer and month. The order
 * puts the rows of this month first.
 */
function membersOf({ compared, days }: CohortPage, { months, start, size, length }: Cohort, month: string) {
  const others = filtersOf(compared).filter((filter) => !filter.startsWith('cohort_month='))
  return {
    question: {
      path: '/api/metrics/retention',
      query: {
        ...compared,
        start,
        end: spanOf(month, 'month', days).end,
        filter: [...others, ...months.map((one) => `cohort_month=${one}`)],
        dimensions: `${BY_CUSTOMER},customer_country`,
        order: '-active_month,active_count,customer_name',
        limit: size,
      },
    },
    fields: ['customer_name', 'customer_country', ...(length === 'month' ? [] : ['cohort_month'])],
  } as const
}

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
    fields: ['cohort_month', 'cohort_size', 'active_count', 'retention_rate'],
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

import { filteredTo, filtersOf } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import type { Drill } from '../parts/drill.tsx'
import type { Average } from './cohorts.ts'
import { BY_CUSTOMER, spanOf } from './drills.ts'

/** Whom the cohorts are of: everybody compared is in them. */
type Cohorts = Pick<PageState, 'compared' | 'days' | 'range'>

/** The cohorts of a page, month by month. */
export function cohortQuestion({ compared, range }: Pick<Cohorts, 'compared' | 'range'>) {
  return { path: '/api/metrics/retention', query: { ...compared, ...range } } as const
}

/** Customers of a cohort, and whether each was active in a month. */
export function cohortDrill({ compared, days }: Cohorts, cohort: string, month: string): Drill {
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

/** The cohorts in an average of all, each with its customers and those still active; their numbers lead on to the customers. */
export function averageDrill(page: Cohorts, { since, active, size, months }: Average): Drill {
  const made = `${formatValue(active, 'count')} of ${formatValue(size, 'count')} customers`
  return {
    title: since === 0 ? 'All cohorts in their first month' : `All cohorts after ${since} ${since === 1 ? 'month' : 'months'}`,
    question: cohortQuestion(page),
    only: (row) => row['months_since'] === since && months.includes(textIn(row, 'cohort_month') ?? ''),
    leads: (row, field) => leadOf(page, row, field),
    fields: ['cohort_month', 'cohort_size', 'active_count', 'retention_rate'],
    sum: 'active_count',
    note: `${made}. Every customer counts once, so larger cohorts weigh more. Cohorts that have not completed this month are excluded. The API call and the downloads include every cohort and month.`,
  }
}

function leadOf(page: Cohorts, row: Row, field: string): Drill | undefined {
  const cohort = textIn(row, 'cohort_month') ?? ''
  if (field === 'cohort_size') return cohortDrill(page, cohort, cohort)
  return field === 'active_count' || field === 'retention_rate'
    ? cohortDrill(page, cohort, textIn(row, 'active_month') ?? '')
    : undefined
}

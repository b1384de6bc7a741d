/** A question of a dashboard; an earlier one asks the same about as many days before. */
export interface Question {
  readonly title: string
  path(daysEarlier: number): string
}

const DAY_MS = 86_400_000
/** The last day of the data. */
const TODAY = '2026-11-20'
const YEAR = '2025-12-01'
const THREE_YEARS = '2023-12-01'

/** The thirteen questions of the dashboard that this benchmark asks. */
export const QUESTIONS: readonly Question[] = [
  { title: 'point MRR', path: (days) => metric('mrr', days === 0 ? {} : { at: before(TODAY, days) }) },
  {
    title: 'point MRR by plan',
    path: (days) => metric('mrr', { dimensions: 'plan_id', ...(days === 0 ? {} : { at: before(TODAY, days) }) }),
  },
  series('36-month series', THREE_YEARS, 'month'),
  series('daily series of 36 months', THREE_YEARS, 'day'),
  ranged('one-month breakdown', 'mrr/breakdown', '2026-10-01', {}, '2026-10-31'),
  ranged('12-month waterfall', 'mrr/waterfall', YEAR, { interval: 'month' }),
  ranged('logo churn of a month', 'churn', '2026-10-01', {}, '2026-10-31'),
  ranged('revenue churn of a month', 'churn', '2026-10-01', { type: 'revenue' }, '2026-10-31'),
  ranged('NRR of a year', 'retention', YEAR, { query_type: 'nrr' }),
  ranged('cohort matrix of a year', 'retention', YEAR, { query_type: 'cohort_matrix' }),
  ranged('cohort LTV of a year', 'ltv/cohort', YEAR),
  ranged('trial funnel of a year', 'trials/funnel', YEAR),
  ranged('usage revenue of a year', 'usage-revenue', YEAR),
]

/** Questions that came after the first versions of the cache. They are asked one at a time. */
export const LATER: readonly Question[] = [
  ranged('revenue cohorts of a year', 'retention', YEAR, { query_type: 'revenue_cohort_matrix' }),
]

/** Path of the point MRR of now, the cheapest of the questions that need the spans. */
export const POINT = metric('mrr', {})

/** Paths of which none is the same as another, of all questions in turn, from `firstDay` days earlier on. */
export function* newPaths(firstDay: number): Generator<string, never> {
  for (let days = firstDay; ; days += 1) for (const { path } of QUESTIONS) yield path(days)
}

function series(title: string, start: string, interval: string): Question {
  return ranged(title, 'mrr', start, { interval })
}

function ranged(title: string, route: string, start: string, more: Record<string, string> = {}, end = TODAY): Question {
  return { title, path: (days) => metric(route, { start: before(start, days), end: before(end, days), ...more }) }
}

function metric(route: string, query: Record<string, string>): string {
  const written = new URLSearchParams(query).toString()
  return `/api/metrics/${route}${written === '' ? '' : `?${written}`}`
}

function before(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
}

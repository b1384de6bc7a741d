import type { components } from '../../client/index.ts'
import type { AskedPath, Query } from '../api/question.ts'
import type { Good } from '../format/figure.tsx'

export type Summary = components['schemas']['Summary']
export type SummaryField = Exclude<
  keyof Summary,
  'as_of' | 'rate_window' | 'trailing_window' | 'data_through' | 'base_currency' | 'unsupported'
>

/** A tile of the overview: a figure of the summary, the page that says more, and where its course comes from. */
export interface Tile {
  readonly field: SummaryField
  readonly label: string
  readonly to: '/mrr' | '/churn' | '/retention' | '/ltv' | '/trials' | '/expenses' | '/customers'
  /** Which of its views the page shows. */
  readonly view?: string
  readonly window: 'day' | 'rate' | 'trailing'
  readonly good?: Good
  readonly course?: { readonly path: AskedPath; readonly query: Query; readonly field: string }
}

const arpu = { path: '/api/metrics/ltv/arpu', query: { interval: 'month' } } as const

/** The figures in their order. Courses that one call answers share it. */
export const TILES: readonly Tile[] = [
  { field: 'mrr', label: 'MRR', to: '/mrr', window: 'day', course: { ...arpu, field: 'mrr' } },
  { field: 'arr', label: 'ARR', to: '/mrr', window: 'day', course: { ...arpu, field: 'mrr' } },
  {
    field: 'net_new_mrr',
    label: 'Net new MRR',
    to: '/mrr',
    window: 'rate',
    course: { path: '/api/metrics/mrr/waterfall', query: { interval: 'month' }, field: 'net_change' },
  },
  {
    field: 'active_customers',
    label: 'Paying customers',
    to: '/customers',
    window: 'day',
    course: { ...arpu, field: 'active_customers' },
  },
  { field: 'active_subscriptions', label: 'Paid subscriptions', to: '/customers', window: 'day' },
  { field: 'arpu', label: 'Revenue per customer', to: '/ltv', window: 'day', course: { ...arpu, field: 'arpu' } },
  {
    field: 'logo_churn_rate',
    label: 'Logo churn',
    to: '/churn',
    window: 'rate',
    good: 'down',
    course: { path: '/api/metrics/churn', query: { granularity: 'month' }, field: 'logo_churn_rate' },
  },
  {
    field: 'revenue_churn_rate',
    label: 'Revenue churn',
    to: '/churn',
    view: 'revenue',
    window: 'rate',
    good: 'down',
    course: { path: '/api/metrics/churn', query: { granularity: 'month', type: 'revenue' }, field: 'revenue_churn_rate' },
  },
  {
    field: 'nrr',
    label: 'Net retention',
    to: '/retention',
    window: 'rate',
    course: { path: '/api/metrics/retention', query: { granularity: 'month', query_type: 'nrr' }, field: 'retention_rate' },
  },
  {
    field: 'grr',
    label: 'Gross retention',
    to: '/retention',
    view: 'grr',
    window: 'rate',
    course: { path: '/api/metrics/retention', query: { granularity: 'month', query_type: 'grr' }, field: 'retention_rate' },
  },
  { field: 'ltv', label: 'Lifetime value', to: '/ltv', window: 'trailing' },
  {
    field: 'trial_conversion_rate',
    label: 'Trial conversion',
    to: '/trials',
    window: 'trailing',
    course: { path: '/api/metrics/trials/series', query: { interval: 'month' }, field: 'conversion_rate' },
  },
  { field: 'gross_margin', label: 'Gross margin', to: '/expenses', window: 'trailing' },
  { field: 'operating_margin', label: 'Operating margin', to: '/expenses', window: 'trailing' },
]

/** Shown only where there are books: without any they are null for everybody. */
export const OF_BOOKS: readonly SummaryField[] = ['gross_margin', 'operating_margin']

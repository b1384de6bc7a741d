import type { Query, RowsPath } from '../api/question.ts'

/** A metric in Explore: its questions for the total and over time. */
export interface ExploredFigure {
  readonly id: string
  readonly label: string
  readonly metric: string
  /** Query type that supplies the dimensions to group by. */
  readonly inputs: string
  readonly measure: string
  /** The question for the whole range. */
  readonly total: Total
  /** The rows behind the metric: those of its measure, or of the parts of a rate. */
  readonly rows: { readonly query?: Query; readonly measures: readonly string[]; readonly note?: string }
  /** The question over time, if there is one. */
  readonly series?: { readonly path: RowsPath; readonly query?: Query; readonly stepName: 'interval' | 'granularity' }
  readonly kind: 'area' | 'bars' | 'line'
  /** Whether the measure needs no exchange rate, although the question does. It is then answered by currency. */
  readonly isCounted?: boolean
}

interface Total {
  readonly path: RowsPath
  /** The path for one number without groups, if `path` then answers another figure. */
  readonly alone?: RowsPath
  /** Whether the API has no such figure without groups. */
  readonly isGrouped?: boolean
  readonly query?: Query
  /** Whether the question is about the end of the range and not about the whole range. */
  readonly isLevel?: boolean
}

/** The parts of the rates. */
export const PARTS = {
  logo: ['churn_count', 'active_at_start'],
  revenue: ['revenue_lost', 'start_mrr'],
  nrr: ['start_mrr', 'expansion', 'contraction', 'churn', 'reactivation'],
  grr: ['start_mrr', 'contraction', 'churn'],
} as const

const ARPU = { query_type: 'arpu' }
const TRIALS = { query_type: 'funnel' }

const level = (path: RowsPath) => ({ total: { path, isLevel: true }, series: { path, stepName: 'interval' as const } })
const rate = (path: RowsPath, query: Query = {}) => ({
  total: { path, query },
  series: { path, query, stepName: 'granularity' as const },
})

/** The metrics in the order of the menu. */
export const FIGURES: readonly ExploredFigure[] = [
  {
    id: 'mrr',
    label: 'MRR',
    metric: 'mrr',
    inputs: 'series',
    measure: 'mrr',
    kind: 'area',
    rows: { measures: ['mrr'] },
    ...level('/api/metrics/mrr'),
  },
  {
    id: 'arr',
    label: 'ARR',
    metric: 'mrr',
    inputs: 'arr',
    measure: 'arr',
    kind: 'area',
    rows: { query: { query_type: 'arr' }, measures: ['arr'] },
    ...level('/api/metrics/arr'),
  },
  {
    id: 'usage_mrr',
    label: 'Usage MRR',
    metric: 'mrr',
    inputs: 'components',
    measure: 'usage_mrr',
    rows: { query: { query_type: 'components' }, measures: ['usage_mrr'] },
    kind: 'area',
    ...level('/api/metrics/mrr/components'),
  },
  {
    id: 'arpu',
    label: 'Revenue per customer',
    metric: 'ltv',
    inputs: 'arpu',
    measure: 'arpu',
    kind: 'line',
    rows: { query: ARPU, measures: ['mrr', 'active_customers'] },
    ...level('/api/metrics/ltv/arpu'),
  },
  {
    id: 'customers',
    label: 'Paying customers',
    metric: 'ltv',
    inputs: 'arpu',
    measure: 'active_customers',
    kind: 'line',
    rows: { query: ARPU, measures: ['active_customers', 'mrr'] },
    ...level('/api/metrics/ltv/arpu'),
    total: { path: '/api/metrics/ltv/arpu', isLevel: true, alone: '/api/metrics/summary' },
    isCounted: true,
  },
  {
    id: 'movements',
    label: 'MRR movements',
    metric: 'mrr',
    inputs: 'breakdown',
    measure: 'amount_base',
    kind: 'bars',
    rows: { query: { query_type: 'breakdown' }, measures: ['amount_base'] },
    ...rate('/api/metrics/mrr/breakdown'),
  },
  {
    id: 'logo_churn',
    label: 'Logo churn',
    metric: 'churn',
    inputs: 'logo',
    measure: 'logo_churn_rate',
    kind: 'line',
    rows: { measures: PARTS.logo },
    ...rate('/api/metrics/churn'),
  },
  {
    id: 'churned_customers',
    label: 'Churned customers',
    metric: 'churn',
    inputs: 'logo',
    measure: 'churn_count',
    kind: 'bars',
    rows: { measures: PARTS.logo },
    ...rate('/api/metrics/churn'),
    total: { path: '/api/metrics/churn', isGrouped: true },
  },
  {
    id: 'revenue_churn',
    label: 'Revenue churn',
    metric: 'churn',
    inputs: 'revenue',
    measure: 'revenue_churn_rate',
    kind: 'line',
    rows: { query: { type: 'revenue' }, measures: PARTS.revenue },
    ...rate('/api/metrics/churn', { type: 'revenue' }),
  },
  {
    id: 'nrr',
    label: 'Net revenue retention',
    metric: 'retention',
    inputs: 'nrr',
    measure: 'retention_rate',
    kind: 'line',
    rows: { query: { query_type: 'nrr' }, measures: PARTS.nrr },
    ...rate('/api/metrics/retention', { query_type: 'nrr' }),
  },
  {
    id: 'grr',
    label: 'Gross revenue retention',
    metric: 'retention',
    inputs: 'grr',
    measure: 'retention_rate',
    kind: 'line',
    rows: { query: { query_type: 'grr' }, measures: PARTS.grr },
    ...rate('/api/metrics/retention', { query_type: 'grr' }),
  },
  {
    id: 'ltv',
    label: 'Lifetime value',
    metric: 'ltv',
    inputs: 'simple',
    measure: 'ltv',
    kind: 'bars',
    total: { path: '/api/metrics/ltv' },
    rows: {
      measures: ['mrr', 'active_customers'],
      note: 'Lifetime value is revenue per customer divided by customer churn. The rows are the MRR and the customers at the end of the period.',
    },
  },
  {
    id: 'trial_conversion',
    label: 'Trial conversion',
    metric: 'trials',
    inputs: 'conversion_rate',
    measure: 'conversion_rate',
    kind: 'line',
    rows: { query: TRIALS, measures: ['converted', 'started'] },
    ...rate('/api/metrics/trials'),
  },
  {
    id: 'trials',
    label: 'Trials started',
    metric: 'trials',
    inputs: 'conversion_rate',
    measure: 'started',
    kind: 'bars',
    rows: { query: TRIALS, measures: ['started', 'converted', 'pending', 'expired'] },
    ...rate('/api/metrics/trials'),
    total: { path: '/api/metrics/trials', alone: '/api/metrics/trials/funnel' },
  },
  {
    id: 'usage_revenue',
    label: 'Usage revenue',
    metric: 'usage_revenue',
    inputs: 'total',
    measure: 'revenue',
    kind: 'bars',
    rows: { measures: ['revenue'] },
    ...rate('/api/metrics/usage-revenue'),
  },
]

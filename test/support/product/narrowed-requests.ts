/** A question that every segment can narrow. */
export interface NarrowedRequest {
  readonly metric: string
  readonly params: Readonly<Record<string, string>>
  readonly dimensions?: readonly string[]
  /** One answer for the customers of any segment compared. */
  readonly union?: true
  /** Fields that add up over customers (D63), by the remaining fields. */
  readonly added: readonly string[]
}

/** Every query of every metric over a range, whole, cut and grouped. */
export function narrowedRequests(start: string, end: string): readonly NarrowedRequest[] {
  const range = { start, end }
  const month = { ...range, granularity: 'month' }
  const waterfall = [
    'starting_mrr',
    'new',
    'expansion',
    'contraction',
    'churn',
    'reactivation',
    'transfer',
    'net_change',
    'ending_mrr',
  ]
  return [
    { metric: 'mrr', params: { at: end }, added: ['mrr'] },
    { metric: 'mrr', params: { at: end }, dimensions: ['plan_id', 'currency'], added: ['mrr'] },
    { metric: 'mrr', params: { query_type: 'components', at: start }, added: ['subscription_mrr', 'usage_mrr', 'mrr'] },
    { metric: 'mrr', params: { ...range, interval: 'month' }, added: ['mrr', 'amount_base'] },
    {
      metric: 'mrr',
      params: { query_type: 'arr', ...range, interval: 'quarter' },
      dimensions: ['mrr_band'],
      added: ['arr', 'mrr', 'amount_base'],
    },
    { metric: 'mrr', params: { ...range, interval: 'month' }, dimensions: ['movement_type'], added: ['amount_base'] },
    { metric: 'mrr', params: { query_type: 'breakdown', ...range }, added: ['amount_base', 'event_count'] },
    {
      metric: 'mrr',
      params: { query_type: 'breakdown', ...month },
      dimensions: ['plan_id'],
      added: ['amount_base', 'event_count'],
    },
    { metric: 'mrr', params: { query_type: 'waterfall', ...range, interval: 'month' }, added: waterfall },
    { metric: 'mrr', params: { query_type: 'waterfall', ...range }, dimensions: ['currency', 'tenure_months'], added: waterfall },
    { metric: 'churn', params: range, added: ['churn_count', 'active_at_start'] },
    { metric: 'churn', params: month, dimensions: ['cancel_reason'], added: ['churn_count', 'active_at_start'] },
    { metric: 'churn', params: { type: 'revenue', ...month }, added: ['revenue_lost', 'start_mrr'] },
    { metric: 'churn', params: { query_type: 'detail', ...range }, union: true, added: [] },
    { metric: 'churn', params: { query_type: 'revenue_events', ...range }, union: true, added: [] },
    {
      metric: 'retention',
      params: { query_type: 'nrr', ...month },
      added: ['start_mrr', 'expansion', 'contraction', 'churn', 'reactivation_excluded'],
    },
    {
      metric: 'retention',
      params: { query_type: 'grr', ...range },
      dimensions: ['plan_id'],
      added: ['start_mrr', 'contraction', 'churn'],
    },
    {
      metric: 'retention',
      params: { query_type: 'cohort_matrix', ...range },
      union: true,
      added: ['cohort_size', 'active_count'],
    },
    { metric: 'retention', params: { query_type: 'revenue_cohort_matrix', ...range }, union: true, added: ['start_mrr', 'mrr'] },
    { metric: 'ltv', params: range, added: [] },
    { metric: 'ltv', params: { ...range, at: start }, dimensions: ['currency'], added: [] },
    { metric: 'ltv', params: { query_type: 'arpu', ...range, interval: 'month' }, added: ['mrr', 'active_customers'] },
    { metric: 'ltv', params: { query_type: 'cohort', ...range }, union: true, added: ['customer_count', 'total_revenue'] },
    { metric: 'trials', params: range, added: ['started', 'converted'] },
    { metric: 'trials', params: { query_type: 'funnel', ...range }, added: ['started', 'converted', 'expired', 'pending'] },
    {
      metric: 'trials',
      params: { query_type: 'series', ...range },
      dimensions: ['plan_id'],
      added: ['started', 'converted', 'expired', 'pending'],
    },
    { metric: 'usage_revenue', params: range, added: ['revenue'] },
    { metric: 'usage_revenue', params: { query_type: 'series', ...range }, dimensions: ['plan_id'], added: ['revenue'] },
    { metric: 'usage_revenue', params: { query_type: 'by_customer', ...month }, added: [] },
  ]
}

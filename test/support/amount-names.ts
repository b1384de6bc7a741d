const AMOUNTS = [
  'mrr',
  'arr',
  'subscription_mrr',
  'usage_mrr',
  'amount_base',
  'starting_mrr',
  'ending_mrr',
  'new',
  'expansion',
  'contraction',
  'churn',
  'reactivation',
  'reactivation_excluded',
  'transfer',
  'fx_effect',
  'net_change',
  'net_new_mrr',
  'revenue_lost',
  'start_mrr',
  'end_mrr',
  'change',
  'arpu',
  'ltv',
  'revenue',
  'total_revenue',
  'avg_revenue_per_customer',
]

/** True for the names of columns that hold amounts, by the names alone, as the wire has them. */
export function namesAmount(name: string): boolean {
  const column = name.replace(/^(previous|change)_/, '')
  return AMOUNTS.includes(column) || (column.endsWith('_cents') && !column.startsWith('attr.'))
}

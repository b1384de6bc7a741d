/** How a number reads to people: money in cents, a fraction of a whole, a ratio of two amounts, or a plain count. */
export type Unit = 'money' | 'fraction' | 'ratio' | 'count'

const MONEY = new Set([
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
])

const OF_COMPARISON = /^(previous|change)_/

/** Unit of a column by its name, which means the same everywhere on the wire. */
export function unitOf(name: string): Unit {
  const column = name.replace(OF_COMPARISON, '')
  // An attribute is whatever its author made of it.
  if (column.startsWith('attr.')) return 'count'
  if (MONEY.has(column) || column.endsWith('_cents')) return 'money'
  if (column.endsWith('_ratio')) return 'ratio'
  return /_rate$|^nrr$|^grr$/.test(column) ? 'fraction' : 'count'
}

/** True for the difference of two numbers, which people read with its sign. */
export function isChange(column: string): boolean {
  return column.startsWith('change_')
}

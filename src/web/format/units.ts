import { type Unit, unitOf as unitAmong } from '../../core/column-unit.ts'

/** Columns that hold amounts although their names do not show it. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'mrr',
  'arr',
  'subscription_mrr',
  'usage_mrr',
  'amount_base',
  'rate_part',
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

/** Unit of a column, found by its name. The same name has the same unit in every answer. */
export function unitOf(name: string): Unit {
  return unitAmong(name.replace(/^(previous|change)_/, ''), AMOUNTS)
}

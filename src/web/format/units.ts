import { type Unit, unitOf as unitAmong } from '../../core/column-unit.ts'

/** Columns with amounts whose names do not say so. */
const AMOUNTS: ReadonlySet<string> = new Set([
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

/** Unit of a column by its name. A name means the same in every answer. */
export function unitOf(name: string): Unit {
  return unitAmong(name.replace(/^(previous|change)_/, ''), AMOUNTS)
}

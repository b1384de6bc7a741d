const LABELS: Readonly<Record<string, string>> = {
  active_count: 'Active',
  amount_base: 'Amount',
  amount_base_cents: 'Amount',
  arpu: 'ARPU',
  arr: 'ARR',
  avg_revenue_per_customer: 'Revenue per customer',
  base_currency: 'Base currency',
  churned_mrr_cents: 'MRR lost',
  customer_id: 'Customer id',
  customer_name: 'Customer',
  event_count: 'Movements',
  fx_effect: 'Exchange rates',
  grr: 'GRR',
  logo_churn_rate: 'Logo churn',
  ltv: 'LTV',
  mrr: 'MRR',
  mrr_base_cents: 'MRR',
  mrr_cents: 'MRR lost',
  net_change: 'Net new MRR',
  net_new_mrr: 'Net new MRR',
  nrr: 'NRR',
  plan_id: 'Plan',
  revenue_churn_rate: 'Revenue churn',
  starting_mrr_cents: 'MRR at start',
  start_mrr: 'MRR at start',
  end_mrr: 'MRR at end',
  total_base_cents: 'Total',
  vendor_name: 'Vendor',
}

const SHORT = /\b(mrr|arr|nrr|grr|arpu|ltv|id|csv|api|fx)\b/gi

/** What a field of an answer is called on the page. */
export function labelOf(key: string): string {
  // A key may come from the address, and an object knows `constructor` too.
  const known = Object.hasOwn(LABELS, key) ? LABELS[key] : undefined
  if (known !== undefined) return known
  const name = key.replace(/^(attr|customer|subscription|computed)\./, '').replace(/_cents$/, '')
  const words = name.replaceAll(/[_.]/g, ' ').replaceAll(SHORT, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of a dimension; null and empty text are groups of their own. */
export function valueLabel(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

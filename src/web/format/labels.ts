const LABELS: Readonly<Record<string, string>> = {
  active_count: 'Active',
  active_customers: 'Paying customers',
  active_month: 'Month',
  account_name: 'Account',
  amount_base: 'Amount',
  amount_base_cents: 'Amount',
  arpu: 'ARPU',
  arr: 'ARR',
  avg_revenue_per_customer: 'Revenue per customer',
  base_currency: 'Base currency',
  canceling: 'Cancellation',
  cancel_reason: 'Cancellation reason',
  churn_count: 'Churned',
  churned_at: 'Churned on',
  churned_mrr_cents: 'Churned MRR',
  cohort_month: 'Cohort',
  created_at: 'Created',
  customer_country: 'Country',
  customer_id: 'Customer ID',
  customer_name: 'Customer',
  decided_conversion_rate: 'Conversion of ended trials',
  end_mrr: 'Ending MRR',
  ended_at: 'Ended',
  event_count: 'Movements',
  fx_effect: 'Exchange rates',
  grr: 'GRR',
  logo_churn_rate: 'Logo churn',
  ltv: 'LTV',
  mrr: 'MRR',
  mrr_base_cents: 'MRR',
  movement_type: 'Movement',
  mrr_cents: 'Churned MRR',
  net_change: 'Net new MRR',
  net_new_mrr: 'Net new MRR',
  nrr: 'NRR',
  pending: 'In trial',
  plan_id: 'Plan',
  revenue_churn_rate: 'Revenue churn',
  revenue_lost: 'Churned MRR',
  segment_name: 'Segment',
  start_mrr: 'Starting MRR',
  started_at: 'Started',
  starting_mrr_cents: 'Starting MRR',
  tenure_months: 'Tenure (months)',
  total_base_cents: 'Total',
  txn_date: 'Date',
  trial_conversion_rate: 'Trial conversion',
  vendor_name: 'Vendor',
}

const SHORT = /\b(mrr|arr|nrr|grr|arpu|ltv|id|csv|api|fx)\b/gi

/** Name of an answer's field on the page. */
export function labelOf(key: string): string {
  // The key may come from the address, and could be `constructor`, which every object has.
  const known = Object.hasOwn(LABELS, key) ? LABELS[key] : undefined
  if (known !== undefined) return known
  const name = key.replace(/^(attr|customer|subscription|computed)\./, '').replace(/_cents$/, '')
  const words = name.replaceAll(/[_.]/g, ' ').replaceAll(SHORT, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Name of a dimension or filter: the name on the page if there is one, else the API's name. */
export function labelOfField({ key, label }: { readonly key: string; readonly label: string }): string {
  return Object.hasOwn(LABELS, key) ? labelOf(key) : label
}

/** Text for a value of a dimension. Null and empty text are separate groups. */
export function valueLabel(value: unknown): string {
  if (value === null || value === undefined) return 'No value'
  if (value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

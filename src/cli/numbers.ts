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
  'transfer',
  'fx_effect',
  'net_change',
  'net_new_mrr',
  'revenue_lost',
  'start_mrr',
  'arpu',
  'ltv',
  'revenue',
  'total_revenue',
  'avg_revenue_per_customer',
])

/** Unit of a column by its name, which means the same everywhere on the wire. */
export function unitOf(column: string): Unit {
  if (MONEY.has(column) || column.endsWith('_cents')) return 'money'
  if (column.endsWith('_ratio')) return 'ratio'
  return /_rate$|^nrr$|^grr$/.test(column) ? 'fraction' : 'count'
}

const hundredths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const percents = new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A number with thousands separators; money as units of its currency, fractions in percent. */
export function formatNumber(value: number, unit: Unit): string {
  switch (unit) {
    case 'money':
      return hundredths.format(value / 100)
    case 'ratio':
      return hundredths.format(value)
    case 'fraction':
      return percents.format(value)
    case 'count':
      return plain.format(value)
  }
}

/** Something on a page, with other words for it. */
export interface Term {
  readonly label: string
  /** Other words that people use for it, in lower case. */
  readonly words: string
  readonly to:
    | '/'
    | '/mrr'
    | '/churn'
    | '/retention'
    | '/ltv'
    | '/trials'
    | '/usage'
    | '/billing-health'
    | '/bridge'
    | '/renewals'
  /** The metric or list that it shows, if its page shows others too. */
  readonly needs?: string
  readonly search?: { readonly range?: string; readonly view?: string }
}

/** Cards of pages that are no metrics of Explore. */
export const TERMS: readonly Term[] = [
  { label: 'Quick ratio', words: 'growth efficiency', to: '/mrr' },
  { label: 'MRR movements: new, expansion, contraction, churn, reactivation', words: 'upgrade downgrade upsell', to: '/mrr' },
  { label: 'MRR bridge', words: 'waterfall walk', to: '/mrr' },
  { label: 'Why MRR changed', words: 'reasons causes explanation', to: '/mrr' },
  {
    label: 'MRR forecast, next 12 months',
    words: 'future prediction projection planned',
    to: '/mrr',
    search: { range: 'next-12-months' },
  },
  { label: 'Paid subscriptions', words: 'active subscribers', to: '/mrr' },
  { label: 'Churn by reason', words: 'why cancellation cancelled canceled', to: '/churn' },
  { label: 'MRR at risk', words: 'cancelling pending cancellations', to: '/churn' },
  { label: 'Churned customers', words: 'lost customers', to: '/churn' },
  { label: 'Customer retention by cohort', words: 'cohorts heat map', to: '/retention' },
  { label: 'Revenue by cohort', words: 'cohorts ltv', to: '/ltv' },
  { label: 'Trial funnel', words: 'conversion', to: '/trials' },
  { label: 'Agreed but not billed', words: 'unbilled leakage underbilled', to: '/billing-health', needs: 'billing_health' },
  { label: 'Open invoices', words: 'unpaid overdue ageing aging receivables', to: '/' },
  { label: 'Largest customers', words: 'top customers', to: '/' },
  { label: 'Differences between definition sets', words: 'bridge compare reports definitions', to: '/bridge' },
]

/** Whether each word of a text begins a word of the label, or of the other words. */
export function isFound(text: string, label: string, others = ''): boolean {
  const words = ` ${label} ${others}`.toLowerCase()
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return wanted.length > 0 && wanted.every((word) => words.includes(` ${word}`))
}

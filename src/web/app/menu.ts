/** A page of the menu. `needs` is the metric or list that it shows, by the API's name; a data source may lack it. */
interface MenuPage {
  readonly to: string
  readonly label: string
  readonly group: string
  readonly needs?: string
}

/** Pages of the menu, in order. Search lists the same pages. */
export const MENU = [
  { to: '/', label: 'Overview', group: '' },
  { to: '/mrr', label: 'MRR', group: 'Revenue', needs: 'mrr' },
  { to: '/churn', label: 'Churn', group: 'Revenue', needs: 'churn' },
  { to: '/retention', label: 'Retention', group: 'Revenue', needs: 'retention' },
  { to: '/ltv', label: 'LTV', group: 'Revenue', needs: 'ltv' },
  { to: '/trials', label: 'Trials', group: 'Revenue', needs: 'trials' },
  { to: '/usage', label: 'Usage', group: 'Revenue', needs: 'usage_revenue' },
  { to: '/plans', label: 'Plans', group: 'Revenue', needs: 'ltv' },
  { to: '/countries', label: 'Countries', group: 'Revenue', needs: 'ltv' },
  { to: '/renewals', label: 'Renewals', group: 'Revenue', needs: 'renewals' },
  { to: '/ledger', label: 'Ledger', group: 'Revenue', needs: 'ledger' },
  { to: '/billing-health', label: 'Billing health', group: 'Revenue', needs: 'billing_notices' },
  { to: '/expenses', label: 'Expenses', group: 'Costs' },
  { to: '/customers', label: 'Customers', group: 'Customers', needs: 'customers' },
  { to: '/segments', label: 'Segments', group: 'Customers' },
  { to: '/explore', label: 'Explore', group: 'More' },
  { to: '/bridge', label: 'Reconcile', group: 'More' },
  { to: '/dashboards', label: 'Dashboards', group: 'More' },
  { to: '/settings', label: 'Settings', group: 'More' },
] as const satisfies readonly MenuPage[]

/** The metric or list that a page needs. Undefined for pages that always have something to show. */
export function needsOf(path: string): string | undefined {
  const pages: readonly MenuPage[] = MENU
  return pages.find(({ to }) => to === path)?.needs
}

/** Pages of the menu, in order. Search lists the same pages. */
export const MENU = [
  { to: '/', label: 'Overview', group: '' },
  { to: '/mrr', label: 'MRR', group: 'Revenue' },
  { to: '/churn', label: 'Churn', group: 'Revenue' },
  { to: '/retention', label: 'Retention', group: 'Revenue' },
  { to: '/ltv', label: 'LTV', group: 'Revenue' },
  { to: '/trials', label: 'Trials', group: 'Revenue' },
  { to: '/usage', label: 'Usage', group: 'Revenue' },
  { to: '/plans', label: 'Plans', group: 'Revenue' },
  { to: '/countries', label: 'Countries', group: 'Revenue' },
  { to: '/billing-health', label: 'Billing health', group: 'Revenue' },
  { to: '/expenses', label: 'Expenses', group: 'Costs' },
  { to: '/customers', label: 'Customers', group: 'Customers' },
  { to: '/segments', label: 'Segments', group: 'Customers' },
  { to: '/explore', label: 'Explore', group: 'More' },
  { to: '/dashboards', label: 'Dashboards', group: 'More' },
  { to: '/settings', label: 'Settings', group: 'More' },
] as const

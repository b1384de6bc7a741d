import { createRootRoute, createRoute, createRouter, Link } from '@tanstack/react-router'
import { BASE_PATH } from '../api/client.ts'
import { readAddress, readSearch, stringifySearch } from '../controls/search.ts'
import { BillingHealth } from '../pages/billing-health.tsx'
import { Bridge } from '../pages/bridge.tsx'
import { Churn } from '../pages/churn.tsx'
import { Customer } from '../pages/customer.tsx'
import { Customers } from '../pages/customers.tsx'
import { Dashboard, Dashboards } from '../pages/dashboards.tsx'
import { Expenses } from '../pages/expenses.tsx'
import { Explore } from '../pages/explore.tsx'
import { Countries, Plans } from '../pages/groups.tsx'
import { Ledger } from '../pages/ledger.tsx'
import { Ltv } from '../pages/ltv.tsx'
import { Mrr } from '../pages/mrr.tsx'
import { Overview } from '../pages/overview.tsx'
import { Renewals } from '../pages/renewals.tsx'
import { Retention } from '../pages/retention.tsx'
import { NewSegment, Segment, Segments } from '../pages/segments.tsx'
import { Settings } from '../pages/settings.tsx'
import { Trials } from '../pages/trials.tsx'
import { Usage } from '../pages/usage.tsx'
import { Page } from '../parts/page.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, validateSearch: readSearch })
const at = <Path extends string>(path: Path, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component })

const routes = root.addChildren([
  at('/', Overview),
  at('/mrr', Mrr),
  at('/churn', Churn),
  at('/retention', Retention),
  at('/ltv', Ltv),
  at('/trials', Trials),
  at('/usage', Usage),
  at('/plans', Plans),
  at('/countries', Countries),
  at('/expenses', Expenses),
  at('/renewals', Renewals),
  at('/ledger', Ledger),
  at('/billing-health', BillingHealth),
  at('/customers', Customers),
  at('/customers/$id', Customer),
  at('/segments', Segments),
  at('/segments/new', NewSegment),
  at('/segments/$id', Segment),
  at('/explore', Explore),
  at('/bridge', Bridge),
  at('/dashboards', Dashboards),
  at('/dashboards/$id', Dashboard),
  at('/settings', Settings),
])

/** Routes of all pages. The state of a page is in the query string. */
export function createPageRouter() {
  return createRouter({
    routeTree: routes,
    basepath: BASE_PATH === '' ? '/' : BASE_PATH,
    // `validateSearch` drops invalid parameters, but the router keeps them in the address. Remove them here.
    parseSearch: readAddress,
    stringifySearch,
    scrollRestoration: true,
    defaultPendingMs: 200,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}

/** Shown for an unknown address. */
function NotFound() {
  return (
    <Page title="Page not found" lead="There is no page at this address.">
      <p>
        <Link to="/">Go to Overview</Link>
      </p>
    </Page>
  )
}

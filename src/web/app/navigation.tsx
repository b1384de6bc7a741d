import { Link } from '@tanstack/react-router'
import { PlumblineError } from '../../client/index.ts'
import { useHasBooks, useSegments, useUnsupported } from '../api/resources.ts'
import { useHasScope } from '../auth/who.ts'
import { lastingSearch } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { MENU, needsOf } from './menu.ts'

const MENU_GROUPS = [...Map.groupBy(MENU, ({ group }) => group)]

/** The main menu. Dates, filters and segments stay when the user changes the page. */
export function Navigation() {
  const search = lastingSearch(useSearchState())
  const isShown = useShown()
  return (
    <nav aria-label="Pages">
      {MENU_GROUPS.filter(([, pages]) => pages.some(isShown)).map(([group, pages]) => (
        <div key={group} className="nav-group">
          {group !== '' && <p className="nav-title">{group}</p>}
          <ul className="plain">
            {pages.filter(isShown).map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  search={search}
                  className="nav-link"
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Pages that need the side store. */
const NEEDS_STORE = ['/segments', '/dashboards']
/** Pages of customers, for those who may read more than sums. */
const SHOWS_CUSTOMERS = ['/customers', '/renewals']

/**
 * Tells if the menu shows a page. A page needs a data source that can supply it, Expenses need accounting data, Segments and Dashboards
 * need a store, Customers need the scope `read`. A hidden page still opens by its address and says what is missing.
 */
export function useShown(): (page: { readonly to: string; readonly needs?: string }) => boolean {
  const unsupported = useUnsupported()
  const { hasBooks, isPending } = useHasBooks()
  const { error } = useSegments()
  const hasStore = !(error instanceof PlumblineError && error.code === 'unsupported_by_connector')
  const mayRead = useHasScope('read')
  return ({ to, needs = needsOf(to) }) =>
    !unsupported.includes(needs ?? '') &&
    (to !== '/expenses' || (hasBooks && !isPending)) &&
    (!NEEDS_STORE.includes(to) || hasStore) &&
    (!SHOWS_CUSTOMERS.includes(to) || mayRead)
}

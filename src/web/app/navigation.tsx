import { Link } from '@tanstack/react-router'
import { kept } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { MENU } from './menu.ts'
import { useShown } from './use-shown.ts'

const MENU_GROUPS = [...Map.groupBy(MENU, ({ group }) => group)]

/** The menu. Days, filters and segments go along from page to page. */
export function Navigation() {
  const search = kept(useSearchState())
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

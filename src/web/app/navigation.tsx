import { Link } from '@tanstack/react-router'
import { kept } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { MENU_GROUPS } from './menu.ts'

/** The menu. Days, filters and segments go along from page to page. */
export function Navigation() {
  const search = kept(useSearchState())
  return (
    <nav aria-label="Pages">
      {MENU_GROUPS.map(([group, pages]) => (
        <div key={group} className="nav-group">
          {group !== '' && <p className="nav-title">{group}</p>}
          <ul className="plain">
            {pages.map(({ to, label }) => (
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

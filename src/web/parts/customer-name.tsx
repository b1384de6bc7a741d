import { Link } from '@tanstack/react-router'
import { type Row, textIn } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { Dash } from '../format/figure.tsx'

/**
 * A customer's name as a link to its page. Without a name the link shows the id. A row with `admin_url` also has an arrow to the billing
 * system's own page about it.
 */
export function CustomerName({ row, field }: { row: Row; field: string }) {
  const search = useSearchState()
  const id = textIn(row, 'customer_id') ?? (field === 'name' ? textIn(row, 'id') : null)
  const name = textIn(row, field) ?? (id === null ? null : `Customer ${id.slice(0, 8)}`)
  if (name === null) return <Dash reason="No name." />
  if (id === null) return name
  const link = (
    <Link to="/customers/$id" params={{ id }} search={lastingSearch(search)} className="name">
      {name}
    </Link>
  )
  const address = textIn(row, 'admin_url')
  if (address === null) return link
  return (
    <span className="named">
      {link}
      <a className="admin-link" href={address} target="_blank" rel="noreferrer" title="Open in the billing system">
        <span aria-hidden="true">↗</span>
        <span className="visually-hidden">Open {name} in the billing system (new tab)</span>
      </a>
    </span>
  )
}

import { Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

/** An address that no page has. */
export function NotFound() {
  return (
    <Page title="Page not found" lead="There is no page at this address.">
      <p>
        <Link to="/">Go to Overview</Link>
      </p>
    </Page>
  )
}

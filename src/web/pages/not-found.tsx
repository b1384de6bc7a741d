import { Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

/** An address that no page has. */
export function NotFound() {
  return (
    <Page title="There is nothing here" lead="No page has this address.">
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </Page>
  )
}

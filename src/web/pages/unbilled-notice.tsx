import { Link } from '@tanstack/react-router'
import { isRow, numberIn, textIn, useAnswer } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { ofRecords } from './open-invoices.tsx'

/** The amount of a month that customers have agreed to and that is not billed. Nothing if all is billed, or if it is not known. */
export function UnbilledNotice() {
  const { audience, search } = usePage()
  const { data } = useAnswer({ path: '/api/billing-health', query: { ...ofRecords(audience), state: 'open' } }).data ?? {}
  const cents = isRow(data) ? numberIn(data, 'monthly_unbilled_base_cents') : null
  if (!isRow(data) || cents === null || cents === 0) return null
  return (
    <p className="notice" data-notice="unbilled">
      Agreed but not billed: <Figure value={cents} unit="money" currency={textIn(data, 'base_currency') ?? undefined} /> a month.{' '}
      <Link to="/billing-health" search={lastingSearch(search)}>
        View billing health
      </Link>
    </p>
  )
}

import { Link } from '@tanstack/react-router'
import { useUnsupported } from '../api/resources.ts'
import { isRow, numberIn, textIn, useAnswer } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { ofRecords } from './open-invoices.tsx'

/** The amount of a month that is agreed and not billed. Undefined if it is not known. */
function useMonthly() {
  const { audience } = usePage()
  const isUnsupported = useUnsupported().includes('billing_health')
  const question = { path: '/api/billing-health', query: { ...ofRecords(audience), state: 'open' } } as const
  const { data } = useAnswer(isUnsupported ? undefined : question).data ?? {}
  if (!isRow(data)) return undefined
  const unbilled = numberIn(data, 'monthly_unbilled_base_cents')
  if (unbilled === null) return undefined
  return { unbilled, currency: textIn(data, 'base_currency') ?? undefined }
}

/** The amount of a month that customers have agreed to and that is not billed. Nothing if all is billed, or if it is not known. */
export function UnbilledNotice() {
  const { search } = usePage()
  const monthly = useMonthly()
  if (monthly === undefined || monthly.unbilled === 0) return null
  return (
    <p className="notice" data-notice="unbilled">
      Agreed but not billed: <Figure value={monthly.unbilled} unit="money" currency={monthly.currency} /> a month.{' '}
      <Link to="/billing-health" search={lastingSearch(search)}>
        View billing health
      </Link>
    </p>
  )
}

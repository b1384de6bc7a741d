import { Link } from '@tanstack/react-router'
import { useUnsupported } from '../api/resources.ts'
import { isRow, numberIn, textIn, useAnswer } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { ofRecords } from './open-invoices.tsx'

/** The amounts of a month of the open findings. Undefined if they are not known. */
function useMonthly() {
  const { audience } = usePage()
  const isUnsupported = useUnsupported().includes('billing_health')
  const question = { path: '/api/billing-health', query: { ...ofRecords(audience), state: 'open' } } as const
  const { data } = useAnswer(isUnsupported ? undefined : question).data ?? {}
  if (!isRow(data)) return undefined
  const [unbilled, net] = [numberIn(data, 'monthly_unbilled_base_cents'), numberIn(data, 'monthly_base_cents')]
  if (unbilled === null || net === null) return undefined
  return { unbilled, unagreed: unbilled - net, currency: textIn(data, 'base_currency') ?? undefined }
}

/** Agreed amounts that are not billed, and billed amounts that are not agreed, a month each. Nothing if they are not known. */
export function MonthlyAmounts() {
  const monthly = useMonthly()
  if (monthly === undefined) return null
  const { unbilled, unagreed, currency } = monthly
  return (
    <p data-notice="unbilled">
      Agreed but not billed: <Figure value={unbilled} unit="money" currency={currency} /> a month. Billed but not agreed:{' '}
      <Figure value={unagreed} unit="money" currency={currency} /> a month.{' '}
      <span className="muted">The column “A month from now on” has their differences by cause.</span>
    </p>
  )
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

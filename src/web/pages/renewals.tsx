import type { Question } from '../api/question.ts'
import { numberIn, textIn } from '../api/use-answer.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { daysLater, formatPeriod, lastDayOf } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { Card } from '../parts/card.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { NO_AMOUNT } from '../parts/table.tsx'
import { BillingsCard } from './billings-card.tsx'
import { ofRecords } from './open-invoices.tsx'
import { RenewalChart } from './renewal-chart.tsx'

/** Renewals of a page of the list. */
const PAGE = 100

/** Contracts first: they are few and large, and somebody has to talk to the customer. */
const TERMS = [
  { value: 'contract', label: 'Contracts' },
  { value: 'monthly', label: 'Monthly plans' },
  { value: 'all', label: 'All' },
]

const TITLES: Readonly<Record<string, string>> = {
  contract: 'Contracts that renew',
  monthly: 'Monthly plans that renew',
  all: 'Renewals to come',
}

/** Renewals to come: a chart by month, and the subscriptions in the order of their days. */
export function Renewals() {
  const { audience, currency, search, today } = usePage()
  const change = useChangeSearch()
  const path = '/api/subscriptions/renewals' as const
  const all: Question = { path, query: ofRecords(audience) }
  const term = TERMS.find(({ value }) => value === search.view)?.value ?? 'contract'
  const month = search.month !== undefined && /^\d{4}-\d{2}-01$/.test(search.month) ? search.month : undefined
  const query = { ...all.query, ...(term !== 'all' && { term }), ...(month !== undefined && daysOf(month, today)) }
  return (
    <Page
      title="Renewals"
      lead="Subscriptions whose billed period or fixed term ends in the months to come, and that go on. A contract is a fixed term, or a billed period of more than a month."
      controls={{ metric: 'mrr', hasRange: false, hasStep: false, hasCompare: false, hasPeriods: false }}
      hasForecast
    >
      <RenewalChart
        question={all}
        pageRows={PAGE}
        currency={currency}
        onPick={(picked) => change({ month: picked === month ? undefined : picked })}
      />
      <Card
        title={`${TITLES[term]}${month === undefined ? '' : `, ${formatPeriod(month, 'month')}`}`}
        question={{ path, query }}
        compareTo={null}
        pageRows={PAGE}
        empty={term === 'contract' ? 'No contract renews.' : 'No subscription renews.'}
        controls={
          <>
            {month !== undefined && (
              <button type="button" className="button is-quiet" onClick={() => change({ month: undefined })}>
                All months
              </button>
            )}
            <ChoiceTabs label="Terms" value={term} choices={TERMS} onChoose={(view) => change({ view }, { replace: true })} />
          </>
        }
        columns={() => [
          { key: 'renews_on', label: 'Renews on' },
          { key: 'customer_name' },
          {
            key: 'mrr_base_cents',
            label: 'MRR',
            isNumber: true,
            render: (row) => (
              <Figure value={numberIn(row, 'mrr_base_cents')} unit="money" currency={currency} reason={NO_AMOUNT} />
            ),
          },
          { key: 'plan_id' },
          {
            key: 'ends',
            label: 'Ends',
            render: (row) => (textIn(row, 'ends') === 'fixed_term' ? 'Fixed term' : 'Billed period'),
          },
          { key: 'billing_period', label: 'Period' },
          { key: 'quantity', isNumber: true, totals: false },
        ]}
      />
      <BillingsCard />
    </Page>
  )
}

/** The days to come of a month. */
function daysOf(month: string, today: string): { readonly start: string; readonly end: string } {
  const tomorrow = daysLater(today, 1)
  return { start: month < tomorrow ? tomorrow : month, end: lastDayOf(month, 'month') }
}

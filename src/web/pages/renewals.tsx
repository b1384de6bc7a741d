import type { Question } from '../api/question.ts'
import { numberIn, rowsIn, textIn, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { formatPeriod } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { Card, pageOf } from '../parts/card.tsx'
import { countText } from '../parts/counted-rows.tsx'
import { Page } from '../parts/page.tsx'
import { NO_AMOUNT } from '../parts/table.tsx'
import { BillingsCard } from './billings-card.tsx'
import { ofRecords } from './open-invoices.tsx'

/** Renewals of a page of the list. */
const PAGE = 100

/** Renewals to come: the number and MRR of each month, and the subscriptions in the order of their days. */
export function Renewals() {
  const { audience, currency } = usePage()
  const question = { path: '/api/subscriptions/renewals', query: ofRecords(audience) } as const
  return (
    <Page title="Renewals" lead="Subscriptions whose billed period or fixed term ends in the months to come, and that go on.">
      <Card
        title="Renewals to come"
        question={question}
        compareTo={null}
        pageRows={PAGE}
        empty="No subscription renews."
        lead={<Months question={question} />}
        columns={() => [
          { key: 'renews_on', label: 'Renews on' },
          { key: 'customer_name' },
          { key: 'plan_id' },
          {
            key: 'ends',
            label: 'Ends',
            render: (row) => (textIn(row, 'ends') === 'fixed_term' ? 'Fixed term' : 'Billed period'),
          },
          { key: 'quantity', isNumber: true, totals: false },
          {
            key: 'mrr_base_cents',
            label: 'MRR',
            isNumber: true,
            render: (row) => (
              <Figure value={numberIn(row, 'mrr_base_cents')} unit="money" currency={currency} reason={NO_AMOUNT} />
            ),
          },
        ]}
      />
      <BillingsCard />
    </Page>
  )
}

/** The months that have renewals. */
function Months({ question }: { readonly question: Question }) {
  const { currency } = usePage()
  // The first page of the list has the months, too.
  const data = useAnswer(pageOf(question, PAGE)).data?.data
  const found = rowsIn(data, 'months').filter((month) => month['renewals'] !== 0)
  return (
    <ul className="muted bullets">
      {found.map((row) => (
        <li key={textIn(row, 'month')}>
          {formatPeriod(textIn(row, 'month') ?? '', 'month')}: {countText(Number(row['renewals']), 'renewal')},{' '}
          <Figure value={numberIn(row, 'mrr_base_cents')} unit="money" currency={currency} reason={NO_AMOUNT} />
        </li>
      ))}
    </ul>
  )
}

import { filteredTo, filtersOf, type Query, withParams } from '../api/question.ts'
import { numberIn, type Row, textIn, totalOf, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { Figure } from '../format/figure.tsx'
import { valueLabel } from '../format/labels.ts'
import { formatValue } from '../format/numbers.ts'
import { Card } from '../parts/card.tsx'
import { type Drill, useDrill } from '../parts/drill.tsx'
import { drillable, NO_AMOUNT } from '../parts/table.tsx'

/** Fields of movements. Records of customers have none of them. */
const OF_MOVEMENTS = ['movement_source', 'movement_type', 'occurred_at']

/** The page's filters and segment as parameters of a list of records: those that customers can have. */
export function ofRecords(audience: Query): Query {
  const filter = filtersOf(audience).filter((entry) => !OF_MOVEMENTS.some((key) => entry.startsWith(`${key}=`)))
  return { segment: audience['segment'], filter: filter.length === 0 ? undefined : filter }
}

const OVERDUE_DAYS = 30
/** All open invoices, those that a refund opened again included (D90). */
export const OPEN = { open_for_days: 0 } as const
const FIELDS = ['customer_name', 'number', 'invoice_date', 'days_open', 'balance_cents', 'balance_base_cents']

function openInvoices(title: string, query: Query): Drill {
  return {
    title,
    question: { path: '/api/invoices', query: { ...OPEN, ...query, order: '-balance_base_cents' } },
    fields: FIELDS,
    sum: 'balance_base_cents',
  }
}

/** A notice about invoices that have been open for a long time. Nothing if there are none. */
export function OverdueNotice() {
  const { audience } = usePage()
  const { open } = useDrill()
  const title = `Invoices open for more than ${OVERDUE_DAYS} days`
  const drill = openInvoices(title, { ...ofRecords(audience), open_for_days: OVERDUE_DAYS + 1 })
  const answer = useAnswer(drill.question && withParams(drill.question, { limit: 1 }))
  const count = answer.data === undefined ? 0 : (totalOf(answer.data) ?? 0)
  if (count === 0) return null
  const subject = count === 1 ? '1 invoice has' : `${formatValue(count, 'count')} invoices have`
  return (
    <p className="notice">
      {subject} been open for more than {OVERDUE_DAYS} days.{' '}
      <button type="button" className="link-button" onClick={() => open(drill)}>
        View invoices
      </button>
    </p>
  )
}

/** Open invoices by age, in the base currency. Each number opens its invoices, the largest first. */
export function OpenInvoicesCard() {
  const { audience, currency } = usePage()
  const query = ofRecords(audience)
  const drillOf = (row: Row) => {
    const age = textIn(row, 'age') ?? ''
    const filter = filteredTo(filtersOf(query), 'age', age)
    return openInvoices(`Invoices open for ${valueLabel(age, 'age').toLowerCase()}`, { ...query, filter })
  }
  return (
    <Card
      title="Open invoices"
      question={{ path: '/api/invoices/ages', query }}
      lead={<p className="muted">Current state, by days since the invoice date. The date range doesn’t apply here.</p>}
      columns={() =>
        drillable(
          [
            { key: 'age' },
            { key: 'invoices', isNumber: true, totals: true },
            {
              key: 'balance_base_cents',
              isNumber: true,
              isRounded: true,
              render: (row) => (
                <Figure value={numberIn(row, 'balance_base_cents')} unit="money" currency={currency} reason={NO_AMOUNT} />
              ),
            },
          ],
          ['invoices', 'balance_base_cents'],
          drillOf,
        )
      }
    />
  )
}

import { narrowed } from '../api/question.ts'
import { totalOf, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { useDrill } from '../parts/drill.tsx'

const DAYS = 30

/** What is owed for long, in one line; nothing where nothing is. */
export function BillingHealth() {
  const { audience } = usePage()
  const { open } = useDrill()
  const query = { segment: audience['segment'], status: 'open', open_for_days: DAYS + 1 }
  const question = { path: '/api/invoices', query } as const
  const asked = useAnswer(narrowed(question, { limit: 1 }))
  const count = asked.data === undefined ? 0 : (totalOf(asked.data) ?? 0)
  if (count === 0) return null
  const told = count === 1 ? '1 invoice has' : `${count} invoices have`
  const title = `Invoices open for more than ${DAYS} days`
  return (
    <p className="notice">
      {told} been open for more than {DAYS} days.{' '}
      <button
        type="button"
        className="link-button"
        onClick={() =>
          open({
            title,
            question: narrowed(question, { order: '-balance_cents' }),
            fields: ['customer_name', 'number', 'invoice_date', 'balance_cents', 'total_base_cents'],
          })
        }
      >
        View invoices
      </button>
    </p>
  )
}

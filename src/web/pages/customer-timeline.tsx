import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { currencyOf, useAnswer } from '../api/use-answer.ts'
import { useWhy } from '../api/use-why.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { AnsweredCard } from '../parts/answered-card.tsx'
import type { CustomerDetail } from './customer.tsx'
import { timelineOf } from './timeline-events.ts'
import { leftOutOf } from './timeline-limits.ts'

const MOST = 200
const FIRST = 25
const HEIGHT = 320
const TITLE = 'Timeline'

/** What happened to a customer, the newest first: movements of its MRR with pauses and quantities, subscriptions, trials, invoices and payments. */
export function CustomerTimeline({ customer }: { customer: CustomerDetail }) {
  const [isWhole, setWhole] = useState(false)
  const { question, asked, why } = useWhy({ range: 'all', filter: [`customer_id=${customer.id}`], limit: MOST })
  const invoiced = useAnswer({
    path: '/api/invoices',
    query: { customer_id: customer.id, limit: MOST },
  })
  const invoices = invoiced.data?.data as components['schemas']['InvoicePage'] | undefined
  const currency = currencyOf(asked.data)
  const { movers = [] } = why ?? {}
  const { rows = [], total } = invoices ?? {}
  const events = timelineOf(customer, movers, rows)
  const leftOut = leftOutOf(MOST, { listed: movers.length }, { listed: rows.length, total })
  return (
    <AnsweredCard title={TITLE} question={question} asked={asked} height={HEIGHT}>
      <ul className="movers">
        {events.slice(0, isWhole ? undefined : FIRST).map(({ at, kind, text, amount, isChange = false, currency: own }) => (
          <li key={`${at} ${kind} ${text} ${amount}`}>
            <span className={`tag is-${kind}`}>{labelOf(kind)}</span>
            <span className="mover-name">
              {text} <span className="muted">{formatDay(at)}</span>
            </span>
            {amount !== undefined && <Figure value={amount} unit="money" currency={own ?? currency} signed={isChange} precise />}
          </li>
        ))}
      </ul>
      {!isWhole && events.length > FIRST && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show all {events.length}
        </button>
      )}
      {leftOut !== undefined && <p className="muted">{leftOut}</p>}
    </AnsweredCard>
  )
}

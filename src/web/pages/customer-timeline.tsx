import type { components } from '../../client/index.ts'
import { currencyOf, useAnswer } from '../api/use-answer.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { CardMenu } from '../parts/card-menu.tsx'
import { Answered, Empty, Warnings } from '../parts/states.tsx'
import type { CustomerDetail } from './customer.tsx'

const MOST = 200
const HEIGHT = 320
const TITLE = 'Timeline'

interface Event {
  readonly at: string
  readonly kind: string
  readonly text: string
  readonly amount?: number
}

/** What happened to a customer, the newest first: movements of its MRR, trials, requested cancellations. */
export function CustomerTimeline({ customer }: { customer: CustomerDetail }) {
  const question = {
    path: '/api/metrics/mrr/why',
    query: { range: 'all', filter: [`customer_id=${customer.id}`], limit: MOST },
  } as const
  const asked = useAnswer(question)
  const why = asked.data?.data as components['schemas']['MrrWhy'] | undefined
  const currency = currencyOf(asked.data)
  const moved = (why?.movers ?? []).map(({ occurred_at, movement_type, plan_id, amount_base }) => ({
    at: occurred_at,
    kind: movement_type,
    text: plan_id ?? 'Subscription',
    amount: amount_base,
  }))
  const events: readonly Event[] = [...moved, ...stepsOf(customer)].sort((one, other) => other.at.localeCompare(one.at))
  return (
    <section className="card" aria-label={TITLE}>
      <header className="card-head">
        <h2>{TITLE}</h2>
        <div className="card-tools">
          <CardMenu title={TITLE} question={question} png={undefined} />
        </div>
      </header>
      <Warnings asked={asked} />
      <Answered asked={asked} height={HEIGHT}>
        {events.length === 0 && <Empty>Nothing has happened yet.</Empty>}
        <ul className="movers">
          {events.map(({ at, kind, text, amount }) => (
            <li key={`${at} ${kind} ${text} ${amount}`}>
              <span className={`tag is-${kind}`}>{kind}</span>
              <span className="mover-name">
                {text} <span className="muted">{formatDay(at)}</span>
              </span>
              {amount !== undefined && <Figure value={amount} unit="money" currency={currency} signed precise />}
            </li>
          ))}
        </ul>
      </Answered>
    </section>
  )
}

/** What moves no MRR. */
function stepsOf({ created_at, subscriptions }: CustomerDetail): readonly Event[] {
  const steps = subscriptions.flatMap(({ plan_name, trial_start, trial_end, canceled_at, pending_cancellation }) => {
    const text = plan_name ?? 'Subscription'
    return [
      { at: trial_start, kind: 'trial', text: `${text}: trial began` },
      { at: trial_end, kind: 'trial', text: `${text}: trial ends` },
      { at: pending_cancellation ? canceled_at : null, kind: 'canceling', text: `${text}: cancellation requested` },
    ]
  })
  const dated = steps.flatMap(({ at, kind, text }) => (at === null ? [] : [{ at, kind, text }]))
  return [...dated, { at: created_at, kind: 'created', text: 'Account created' }]
}

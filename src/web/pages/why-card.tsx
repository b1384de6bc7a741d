import { Link } from '@tanstack/react-router'
import type { components } from '../../client/index.ts'
import type { Query } from '../api/question.ts'
import { currencyOf, useAnswer } from '../api/use-answer.ts'
import { kept } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { CardMenu } from '../parts/card-menu.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { Answered, Warnings } from '../parts/states.tsx'

type Why = components['schemas']['MrrWhy']

const MOVERS = 6
const HEIGHT = 260

/** What a change of MRR is made of, in sentences, and the movements that made it. */
export function WhyCard({ title, days, audience }: { title: string; days: Query; audience: Query }) {
  const search = kept(useSearchState())
  const question = { path: '/api/metrics/mrr/why', query: { ...audience, ...days, limit: MOVERS } } as const
  const asked = useAnswer(question)
  const why = asked.data?.data as Why | undefined
  const currency = currencyOf(asked.data)
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        <div className="card-tools">
          <CardMenu title={title} question={question} png={undefined} />
        </div>
      </header>
      <Warnings asked={asked} />
      <Answered asked={asked} height={HEIGHT}>
        {why !== undefined && (
          <div className="why">
            <Sentences of={why.sentences} />
            {why.movers.length > 0 && <h3>Largest movements</h3>}
            <ul className="movers">
              {why.movers.map((mover) => (
                <li key={`${mover.subscription_id} ${mover.occurred_at} ${mover.movement_type}`}>
                  <span className={`tag is-${mover.movement_type}`}>{mover.movement_type}</span>
                  <span className="mover-name">
                    <Link to="/customers/$id" params={{ id: mover.customer_id }} search={search} className="name">
                      {mover.customer_name ?? `Customer ${mover.customer_id.slice(0, 8)}`}
                    </Link>{' '}
                    <span className="muted">
                      {formatDay(mover.occurred_at)}
                      {mover.plan_id === null ? '' : ` · ${mover.plan_id}`}
                    </span>
                  </span>
                  <Figure value={mover.amount_base} unit="money" currency={currency} signed />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Answered>
    </section>
  )
}

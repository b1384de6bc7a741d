import { Link } from '@tanstack/react-router'
import type { Query } from '../api/question.ts'
import { currencyOf, useWhy, type Why } from '../api/use-answer.ts'
import { lastingSearch } from '../controls/search.ts'
import { useNow, useSearchState } from '../controls/use-page.ts'
import { dayIn, formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { valueLabel } from '../format/labels.ts'
import { ratePartText } from '../format/rate-part.ts'
import { AnsweredCard } from '../parts/card.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import { narrowToGroups } from '../parts/drill-groups.ts'
import { Sentences } from '../parts/sentences.tsx'
import { movementsOfCustomer } from './customer-drills.ts'
import { movementsOf } from './drills.ts'

const MOST_MOVERS = 6
const HEIGHT = 260

interface WhyCardProps {
  readonly title: string
  readonly days: Query
  /** Name of the range in titles. */
  readonly when: string
  readonly audience: Query
  readonly hasMovers?: boolean
}

/** Why MRR changed: sentences with their rows, and the largest movements. */
export function WhyCard({ title, days, when, audience, hasMovers = true }: WhyCardProps) {
  const { question, answer, why } = useWhy({ ...audience, ...days, limit: MOST_MOVERS })
  return (
    <AnsweredCard title={title} question={question} answer={answer} height={HEIGHT}>
      {why !== undefined && (
        <div className="why">
          <Sentences of={why.sentences} drills={sentenceDrills(why, days, when, audience)} />
          {hasMovers && why.movers.length > 0 && <h3>Largest movements</h3>}
          {hasMovers && <Movers movers={why.movers} currency={currencyOf(answer.data)} />}
        </div>
      )}
    </AnsweredCard>
  )
}

/**
 * The rows behind each sentence, in the same order: the whole change, each kind of movement by size, then the plan with the
 * largest change. Empty if the API returns other sentences.
 */
function sentenceDrills(why: Why, span: Query, when: string, audience: Query): readonly Drill[] {
  const { by_movement, rate_parts, by_plan, sentences } = why
  const all = movementsOf(span, when, audience)
  const kinds = Object.entries(by_movement)
    .filter(([kind, amount]) => amount !== 0 || Object.entries(rate_parts).some(([one, rate]) => one === kind && rate !== 0))
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .map(([kind]) => movementsOf(span, when, audience, kind))
  const drills = [all, ...kinds, ...by_plan.slice(0, 1).map((plan) => narrowToGroups(all, ['plan_id'], plan))]
  return drills.length === sentences.length ? drills : []
}

type Mover = Why['movers'][number]

/** Single MRR movements. An amount opens all movements of that kind of the customer on that day. */
export function Movers({ movers, currency }: { movers: readonly Mover[]; currency: string }) {
  const search = lastingSearch(useSearchState())
  const { zone } = useNow()
  return (
    <ul className="movers">
      {movers.map((mover) => {
        const day = dayIn(zone, mover.occurred_at)
        const ratePart = ratePartText(mover, currency)
        const drill = movementsOfCustomer(mover, { start: day, end: day })
        return (
          <li key={`${mover.subscription_id} ${mover.occurred_at} ${mover.movement_type}`}>
            <span className={`tag is-${mover.movement_type}`}>{valueLabel(mover.movement_type, 'movement_type')}</span>
            <span className="mover-name">
              <Link to="/customers/$id" params={{ id: mover.customer_id }} search={search} className="name">
                {mover.customer_name ?? `Customer ${mover.customer_id.slice(0, 8)}`}
              </Link>
              <span className="muted mover-details">
                {formatDay(day)}
                {mover.plan_id === null ? '' : ` · ${mover.plan_id}`}
                {ratePart === undefined ? '' : ` · ${ratePart}`}
              </span>
            </span>
            <DrillButton drill={drill}>
              <Figure value={mover.amount_base} unit="money" currency={currency} signed />
            </DrillButton>
          </li>
        )
      })}
    </ul>
  )
}

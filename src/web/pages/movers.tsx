import { Link } from '@tanstack/react-router'
import type { Why } from '../api/use-why.ts'
import { kept } from '../controls/search.ts'
import { useSearchState } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { DrillButton } from '../parts/drill-button.tsx'
import { movementsOfCustomer } from './customer-drills.ts'

type Mover = Why['movers'][number]

/** Single movements of MRR: who, when, on which plan and how much; the amount leads to what else moved the customer that day. */
export function Movers({ movers, currency }: { movers: readonly Mover[]; currency: string }) {
  const search = kept(useSearchState())
  return (
    <ul className="movers">
      {movers.map((mover) => {
        const day = mover.occurred_at.slice(0, 10)
        const drill = movementsOfCustomer(mover, { start: day, end: day })
        return (
          <li key={`${mover.subscription_id} ${mover.occurred_at} ${mover.movement_type}`}>
            <span className={`tag is-${mover.movement_type}`}>{labelOf(mover.movement_type)}</span>
            <span className="mover-name">
              <Link to="/customers/$id" params={{ id: mover.customer_id }} search={search} className="name">
                {mover.customer_name ?? `Customer ${mover.customer_id.slice(0, 8)}`}
              </Link>{' '}
              <span className="muted">
                {formatDay(mover.occurred_at)}
                {mover.plan_id === null ? '' : ` · ${mover.plan_id}`}
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

import type { Query } from '../api/question.ts'
import { currencyOf } from '../api/use-answer.ts'
import { useWhy } from '../api/use-why.ts'
import { AnsweredCard } from '../parts/answered-card.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { Movers } from './movers.tsx'
import { sentenceDrills } from './why-drills.ts'

const MOVERS = 6
const HEIGHT = 260

interface WhyCardProps {
  readonly title: string
  readonly days: Query
  /** What the days are called. */
  readonly when: string
  readonly audience: Query
  readonly hasMovers?: boolean
}

/** What a change of MRR is made of, in sentences with their rows, and the movements that made it. */
export function WhyCard({ title, days, when, audience, hasMovers = true }: WhyCardProps) {
  const { question, asked, why } = useWhy({ ...audience, ...days, limit: MOVERS })
  return (
    <AnsweredCard title={title} question={question} asked={asked} height={HEIGHT}>
      {why !== undefined && (
        <div className="why">
          <Sentences of={why.sentences} drills={sentenceDrills(why, days, when, audience)} />
          {hasMovers && why.movers.length > 0 && <h3>Largest movements</h3>}
          {hasMovers && <Movers movers={why.movers} currency={currencyOf(asked.data)} />}
        </div>
      )}
    </AnsweredCard>
  )
}

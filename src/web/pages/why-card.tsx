import type { components } from '../../client/index.ts'
import type { Query } from '../api/question.ts'
import { currencyOf, useAnswer } from '../api/use-answer.ts'
import { CardMenu } from '../parts/card-menu.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { Answered, Warnings } from '../parts/states.tsx'
import { Movers } from './movers.tsx'
import { sentenceDrills } from './why-drills.ts'

type Why = components['schemas']['MrrWhy']

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
  const question = {
    path: '/api/metrics/mrr/why',
    query: { ...audience, ...days, limit: MOVERS },
  } as const
  const asked = useAnswer(question)
  const why = asked.data?.data as Why | undefined
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
            <Sentences of={why.sentences} drills={sentenceDrills(why, days, when, audience)} />
            {hasMovers && why.movers.length > 0 && <h3>Largest movements</h3>}
            {hasMovers && <Movers movers={why.movers} currency={currencyOf(asked.data)} />}
          </div>
        )}
      </Answered>
    </section>
  )
}

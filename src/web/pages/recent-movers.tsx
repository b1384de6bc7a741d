import type { components } from '../../client/index.ts'
import { currencyOf, useAnswer } from '../api/use-answer.ts'
import { usePage } from '../controls/use-page.ts'
import { CardMenu } from '../parts/card-menu.tsx'
import { Answered, Empty, Warnings } from '../parts/states.tsx'
import { Movers } from './movers.tsx'

type Why = components['schemas']['MrrWhy']

const MOST = 8
const HEIGHT = 300
const TITLE = 'Largest movements of the last 30 days'

/** Who moved MRR most of late, whatever days the page shows. */
export function RecentMovers() {
  const { audience } = usePage()
  const question = {
    path: '/api/metrics/mrr/why',
    query: { ...audience, range: 'last-30-days', limit: MOST },
  } as const
  const asked = useAnswer(question)
  const { movers = [] } = (asked.data?.data ?? {}) as Partial<Why>
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
        {movers.length === 0 ? (
          <Empty>Nothing moved in the last 30 days.</Empty>
        ) : (
          <Movers movers={movers} currency={currencyOf(asked.data)} />
        )}
      </Answered>
    </section>
  )
}

import { currencyOf } from '../api/use-answer.ts'
import { useWhy } from '../api/use-why.ts'
import { usePage } from '../controls/use-page.ts'
import { AnsweredCard } from '../parts/answered-card.tsx'
import { Empty } from '../parts/states.tsx'
import { Movers } from './movers.tsx'

const MOST = 8
const HEIGHT = 300
const TITLE = 'Largest movements, last 30 days'

/** Who moved MRR most of late, whatever days the page shows. */
export function RecentMovers() {
  const { audience } = usePage()
  const { question, asked, why } = useWhy({ ...audience, range: 'last-30-days', limit: MOST })
  const movers = why?.movers ?? []
  return (
    <AnsweredCard title={TITLE} question={question} asked={asked} height={HEIGHT}>
      {movers.length === 0 ? (
        <Empty>No MRR movements in the last 30 days.</Empty>
      ) : (
        <Movers movers={movers} currency={currencyOf(asked.data)} />
      )}
    </AnsweredCard>
  )
}

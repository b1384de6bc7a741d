import type { components } from '../../client/index.ts'
import type { Query } from '../api/question.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Sentences } from './sentences.tsx'
import { Answered } from './states.tsx'

type Why = components['schemas']['MrrWhy']

const HEIGHT = 150

/** Why MRR changed in some days, in the API's own sentences. */
export function WhySentences({ query }: { query: Query }) {
  const asked = useAnswer({ path: '/api/metrics/mrr/why', query: { ...query, limit: 1 } })
  const why = asked.data?.data as Why | undefined
  return (
    <Answered asked={asked} height={HEIGHT}>
      <Sentences of={why?.sentences} />
    </Answered>
  )
}

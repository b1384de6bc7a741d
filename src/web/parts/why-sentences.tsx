import type { Query } from '../api/question.ts'
import { useWhy } from '../api/use-why.ts'
import { Sentences } from './sentences.tsx'
import { Answered } from './states.tsx'

const HEIGHT = 150

/** Why MRR changed in some days, in the API's own sentences. */
export function WhySentences({ query }: { query: Query }) {
  const { asked, why } = useWhy({ ...query, limit: 1 })
  return (
    <Answered asked={asked} height={HEIGHT}>
      <Sentences of={why?.sentences} />
    </Answered>
  )
}

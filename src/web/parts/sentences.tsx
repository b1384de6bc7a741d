import type { Query } from '../api/question.ts'
import { useWhy } from '../api/use-answer.ts'
import { type Drill, useDrill } from './drill.tsx'
import { Answered } from './states.tsx'

interface SentencesProps {
  readonly of?: readonly string[] | undefined
  /** What each is made of, in the same order. */
  readonly drills?: readonly Drill[]
}

/** Sentences of the API, one below the other, each with the way to its rows where there is one. */
export function Sentences({ of = [], drills = [] }: SentencesProps) {
  const { open } = useDrill()
  return (
    <ul className="sentences">
      {of.map((sentence, place) => {
        const drill = drills[place]
        return (
          <li key={sentence}>
            {sentence}{' '}
            {drill !== undefined && (
              <button type="button" className="link-button" aria-label={`Show rows: ${sentence}`} onClick={() => open(drill)}>
                Show rows
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const HEIGHT = 150

/** Why MRR changed in some days, in the API's own sentences. */
export function WhySentences({ query }: { query: Query }) {
  const { answer, why } = useWhy({ ...query, limit: 1 })
  return (
    <Answered answer={answer} height={HEIGHT}>
      <Sentences of={why?.sentences} />
    </Answered>
  )
}
